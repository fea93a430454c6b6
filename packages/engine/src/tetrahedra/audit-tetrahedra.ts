import { UnionFind } from '../base/union-find.js';
import { buildEdgeTable, NO_PARTNER, nextCorner, pairHalfEdges } from '../mesh/edge-table.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { weldMesh } from '../mesh/weld.js';
import { type ElementList, ElementShapes } from './element-shapes.js';
import { surfaceOf } from './surface-of.js';
import { buildFaceTable, type FaceTable, findPieces } from './tetrahedra-faces.js';
import type { TetrahedralMesh } from './tetrahedral-mesh.js';

/** What a tetrahedral mesh is like, as plain data. Lengths in metres, angles in radians. */
export interface TetrahedraAudit {
  readonly nodes: number;
  /** Nodes of no element. */
  readonly unusedNodes: number;
  /** Used nodes in the same place as an earlier one: cracks along which elements are not joined. */
  readonly coincidentNodes: number;
  readonly tetrahedra: number;
  /** With negative volume. */
  readonly inverted: ElementList;
  /** With almost no volume: below 1e-9 of the cube of the longest edge. */
  readonly flat: ElementList;
  /** Over all elements that are neither inverted nor flat; 0 when there are none. */
  readonly smallestDihedral: number;
  /** Radians. */
  readonly largestDihedral: number;
  /** How many dihedral angles there are in each 10° from 0° to 180°. */
  readonly dihedralHistogram: readonly number[];
  /** Metres. */
  readonly smallestEdge: number;
  /** Metres. */
  readonly largestEdge: number;
  /** m³; inverted elements count as negative. */
  readonly volume: number;
  /** Box around the used nodes. */
  readonly size: readonly [number, number, number];
  /** Pieces connected through faces; a connection at only a point or an edge is a joint. */
  readonly components: number;
  /** Elements of the largest piece. */
  readonly largestComponent: number;
  /** Faces of more than two elements, or of two on the same side: elements overlap. */
  readonly overlappingFaces: number;
  readonly surfaceTriangles: number;
  readonly surfaceNodes: number;
  /** Every edge of the surface is met as often from one side as from the other. */
  readonly surfaceClosed: boolean;
  /** Edges of the surface with more than two triangles: parts that touch along a line. */
  readonly nonManifoldEdges: number;
  /** Vertices of the surface at which parts touch in a point. */
  readonly pinchedNodes: number;
}

/** Counts what is wrong with a tetrahedral mesh and measures it; metres and m³. Changes nothing. */
export function auditTetrahedra(mesh: TetrahedralMesh): TetrahedraAudit {
  const faces = buildFaceTable(mesh);
  const nodes = mesh.positions.length / 3;
  const used = countUsed(mesh);
  // Welding looks at indices one by one, so that it does not matter how many make an element.
  const places = weldMesh({ positions: mesh.positions, triangles: mesh.tetrahedra }).positions.length / 3;
  const surface = surfaceOf(mesh, faces).mesh;
  return {
    nodes,
    unusedNodes: nodes - used,
    coincidentNodes: used - places,
    tetrahedra: mesh.tetrahedra.length / 4,
    ...new ElementShapes(mesh).result(),
    ...sizePieces(mesh, faces),
    overlappingFaces: countOverlaps(mesh, faces),
    surfaceTriangles: surface.triangles.length / 3,
    surfaceNodes: surface.positions.length / 3,
    ...auditSurface(surface),
  };
}

function countUsed({ positions, tetrahedra }: TetrahedralMesh): number {
  const used = new Uint8Array(positions.length / 3);
  for (const node of tetrahedra) used[node] = 1;
  return used.reduce((sum, is) => sum + is, 0);
}

function sizePieces(mesh: TetrahedralMesh, faces: FaceTable) {
  const pieces = findPieces(mesh, faces);
  const sizes = new Uint32Array(pieces.count);
  for (const piece of pieces.of) sizes[piece]++;
  return {
    components: pieces.count,
    largestComponent: sizes.reduce((largest, size) => Math.max(largest, size), 0),
  };
}

function countOverlaps({ tetrahedra }: TetrahedralMesh, { count, sides, starts }: FaceTable): number {
  let overlaps = 0;
  for (let face = 0; face < count; face++) {
    const total = starts[face + 1] - starts[face];
    if (total > 2) overlaps++;
    else if (total === 2) {
      // Two elements with the same four nodes are the one case that needs no geometry to be seen.
      const [one, other] = [sides[starts[face]], sides[starts[face] + 1]];
      if (tetrahedra[one] === tetrahedra[other]) overlaps++;
    }
  }
  return overlaps;
}

function auditSurface(surface: TriangleMesh) {
  const vertices = surface.positions.length / 3;
  const edges = buildEdgeTable(surface.triangles, vertices);
  let [surfaceClosed, nonManifoldEdges] = [true, 0];
  for (let edge = 0; edge < edges.count; edge++) {
    const total = edges.starts[edge + 1] - edges.starts[edge];
    if (total % 2 === 1) surfaceClosed = false;
    if (total > 2) nonManifoldEdges++;
  }
  return { surfaceClosed, nonManifoldEdges, pinchedNodes: countPinched(surface, pairHalfEdges(edges)) };
}

/** Vertices whose triangles, joined over edges of two triangles, form more than one fan. */
function countPinched({ positions, triangles }: TriangleMesh, partner: Uint32Array): number {
  const fans = new UnionFind(triangles.length);
  for (let corner = 0; corner < triangles.length; corner++) {
    if (partner[corner] === NO_PARTNER) continue;
    const opposite = partner[corner];
    const sameWay = triangles[corner] === triangles[opposite];
    fans.join(corner, sameWay ? opposite : nextCorner(opposite));
    fans.join(nextCorner(corner), sameWay ? nextCorner(opposite) : opposite);
  }
  const fansOfVertex = new Uint32Array(positions.length / 3);
  for (let corner = 0; corner < triangles.length; corner++) {
    if (fans.find(corner) === corner) fansOfVertex[triangles[corner]]++;
  }
  return fansOfVertex.reduce((sum, count) => sum + (count > 1 ? 1 : 0), 0);
}
