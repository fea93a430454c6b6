import { UnionFind } from '../base/union-find.js';
import { removeCollapsed, removeDuplicates } from './degenerate.js';
import { buildEdgeTable, type EdgeTable, runsUpward } from './edge-table.js';
import { findOpenEdges } from './open-edges.js';
import { type OrientationPlan, planOrientation } from './orient.js';
import { isSliver, tetrahedronVolume6, triangleArea } from './triangle-geometry.js';
import { meshBounds, type TriangleMesh } from './triangle-mesh.js';
import { weldMesh } from './weld.js';

type Triple = readonly [number, number, number];

/** Triangles connected through edges. */
export interface MeshComponent {
  readonly triangles: number;
  /** Every edge is used equally often in both directions. */
  readonly closed: boolean;
  /** All of it is oriented inward. */
  readonly inverted: boolean;
  /** It has one side only, like a Möbius strip. */
  readonly oneSided: boolean;
  /** m² */
  readonly area: number;
  /** m³, signed as the file orients it; meaningful only when closed. Negative for cavities. */
  readonly volume: number;
}

/**
 * What a mesh is like, as plain data. Vertices in the same place count as one, however the file stores them; edges and
 * components are those of the triangles that remain without repeated vertices and without repetitions.
 */
export interface MeshAudit {
  /** Triangles, whatever they are worth. */
  readonly triangles: number;
  /** Distinct places of vertices that triangles use. */
  readonly vertices: number;
  /** Triangles without area: two corners in one place, or all three on a line. */
  readonly degenerateTriangles: number;
  /** Triangles that repeat another one. */
  readonly duplicateTriangles: number;
  /** Distinct edges. */
  readonly edges: number;
  /** Edges of one triangle only: the border of a hole or of a sheet, or one side of a T-junction. */
  readonly openEdges: number;
  /** Open edges without a gap behind them: other edges cover them piece by piece. */
  readonly tJunctionEdges: number;
  /** Edges where more than two triangles meet. */
  readonly nonManifoldEdges: number;
  /** Edges whose two triangles have opposite orientations. */
  readonly inconsistentEdges: number;
  /** Groups of triangles that are connected through edges. */
  readonly components: number;
  /** Components that bound a volume. */
  readonly closedComponents: number;
  /** Components that are oriented inward. */
  readonly invertedComponents: number;
  /** Components with one side only, like a Möbius strip. */
  readonly oneSidedComponents: number;
  /** The largest components, at most 64. */
  readonly largestComponents: readonly MeshComponent[];
  /** Triangles that cleaning would flip. */
  readonly misorientedTriangles: number;
  /** Closed surfaces that rightly face inward. */
  readonly cavities: number;
  /** Metres. */
  readonly bounds: { readonly min: Triple; readonly max: Triple };
  /** Along x, y and z, metres. */
  readonly size: Triple;
  /** m² */
  readonly area: number;
  /** m³, signed as the file orients the triangles; meaningful only when `closed`. */
  readonly volume: number;
  /** Every directed edge is balanced by its opposite, if need be piece by piece: the surface bounds a volume. */
  readonly closed: boolean;
}

const MOST_LISTED = 64;

/** Counts what is wrong with a mesh and measures it; lengths in metres, volume in m³. Changes nothing. */
export function auditMesh(mesh: TriangleMesh): MeshAudit {
  const welded = weldMesh(mesh);
  const proper = removeCollapsed(welded);
  const single = removeDuplicates(proper);
  const edges = buildEdgeTable(single.triangles, single.positions.length / 3);
  const plan = planOrientation(single, edges);
  const components = findComponents(single, edges, plan);
  const bounds = meshBounds(welded);
  const sum = (value: (component: MeshComponent) => number) =>
    components.reduce((total, part) => total + value(part), 0);
  return {
    triangles: mesh.triangles.length / 3,
    vertices: welded.positions.length / 3,
    degenerateTriangles: (welded.triangles.length - proper.triangles.length) / 3 + countSlivers(proper),
    duplicateTriangles: (proper.triangles.length - single.triangles.length) / 3,
    ...countEdges(single, edges),
    components: components.length,
    closedComponents: sum((part) => (part.closed ? 1 : 0)),
    invertedComponents: sum((part) => (part.inverted ? 1 : 0)),
    oneSidedComponents: sum((part) => (part.oneSided ? 1 : 0)),
    largestComponents: components.toSorted((a, b) => b.triangles - a.triangles).slice(0, MOST_LISTED),
    misorientedTriangles: plan.turn.reduce((total, turn) => total + turn, 0),
    cavities: countCavities(plan),
    bounds,
    size: [bounds.max[0] - bounds.min[0], bounds.max[1] - bounds.min[1], bounds.max[2] - bounds.min[2]],
    area: sum((part) => part.area),
    volume: sum((part) => part.volume),
  };
}

function countSlivers(mesh: TriangleMesh): number {
  const scratch = new Float64Array(3);
  let count = 0;
  for (let triangle = 0; triangle < mesh.triangles.length / 3; triangle++) {
    if (isSliver(mesh, triangle, scratch)) count++;
  }
  return count;
}

function countEdges(mesh: TriangleMesh, edges: EdgeTable) {
  let openEdges = 0;
  let nonManifoldEdges = 0;
  let inconsistentEdges = 0;
  for (let edge = 0; edge < edges.count; edge++) {
    const total = edges.starts[edge + 1] - edges.starts[edge];
    const balance = edgeBalance(mesh, edges, edge);
    if (total === 1) openEdges++;
    else if (total > 2) nonManifoldEdges++;
    else if (balance !== 0) inconsistentEdges++;
  }
  const gaps = findOpenEdges(mesh).length / 2;
  // With edges of all kinds out of balance it cannot be told which of them the gaps are.
  const tJunctionEdges = gaps === 0 ? openEdges : 0;
  return {
    edges: edges.count,
    openEdges,
    tJunctionEdges,
    nonManifoldEdges,
    inconsistentEdges,
    closed: edges.count > 0 && gaps === 0,
  };
}

/** How much more often the edge is run through upward than downward. */
function edgeBalance(mesh: TriangleMesh, edges: EdgeTable, edge: number): number {
  let balance = 0;
  for (let i = edges.starts[edge]; i < edges.starts[edge + 1]; i++) {
    balance += runsUpward(mesh.triangles, edges.halfEdges[i]) ? 1 : -1;
  }
  return balance;
}

/** After turning, a closed patch with negative volume is the wall of a cavity. */
function countCavities({ patches, inverted }: OrientationPlan): number {
  let count = 0;
  for (let patch = 0; patch < patches.count; patch++) {
    const volume = inverted[patch] === 0 ? patches.volume[patch] : -patches.volume[patch];
    if (patches.closed[patch] !== 0 && volume < 0) count++;
  }
  return count;
}

/** Joins patches over the edges where more than two triangles meet, and sums up each of the components. */
function findComponents(mesh: TriangleMesh, edges: EdgeTable, plan: OrientationPlan): MeshComponent[] {
  const { patches } = plan;
  const root = new UnionFind(patches.count);
  const patchOf = (halfEdge: number) => patches.ofTriangle[Math.floor(halfEdge / 3)];
  for (let edge = 0; edge < edges.count; edge++) {
    const start = edges.starts[edge];
    for (let i = start + 1; i < edges.starts[edge + 1]; i++) {
      root.join(patchOf(edges.halfEdges[start]), patchOf(edges.halfEdges[i]));
    }
  }
  const tallies = new Map<number, ComponentTally>();
  for (let patch = 0; patch < patches.count; patch++) {
    const component = root.find(patch);
    if (!tallies.has(component)) tallies.set(component, new ComponentTally());
    tallies.get(component)!.addPatch(plan, patch);
  }
  addTriangles(mesh, plan, (patch) => tallies.get(root.find(patch))!);
  for (let edge = 0; edge < edges.count; edge++) {
    if (edgeBalance(mesh, edges, edge) !== 0) {
      tallies.get(root.find(patchOf(edges.halfEdges[edges.starts[edge]])))!.closed = false;
    }
  }
  return Array.from(tallies.values(), (tally) => ({ ...tally }));
}

function addTriangles(mesh: TriangleMesh, plan: OrientationPlan, tallyOf: (patch: number) => ComponentTally): void {
  const scratch = new Float64Array(3);
  const { ofTriangle } = plan.patches;
  const { min, max } = meshBounds(mesh);
  // The middle of the mesh keeps the error of cancellation small when it stands far from the origin.
  const middle = Float64Array.from(min, (low, axis) => (low + max[axis]) / 2);
  for (let triangle = 0; triangle < ofTriangle.length; triangle++) {
    const tally = tallyOf(ofTriangle[triangle]);
    tally.triangles++;
    tally.area += triangleArea(mesh, triangle, scratch);
    tally.volume += tetrahedronVolume6(mesh, triangle, middle) / 6;
  }
}

/** A component while it is summed up; its fields are those of `MeshComponent`. */
class ComponentTally implements MeshComponent {
  triangles = 0;
  closed = true;
  inverted = false;
  oneSided = false;
  area = 0;
  volume = 0;

  addPatch(plan: OrientationPlan, patch: number): void {
    if (plan.inverted[patch] !== 0) this.inverted = true;
    if (plan.patches.oneSided[patch] !== 0) this.oneSided = true;
  }
}
