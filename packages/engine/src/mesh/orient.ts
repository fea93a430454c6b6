import { buildEdgeTable, type EdgeTable } from './edge-table.js';
import { findNesting, NOT_NESTED } from './nesting.js';
import { findPatches, type Patches } from './patches.js';
import { tetrahedronVolume6, triangleArea } from './triangle-geometry.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** What would have to be turned for all surfaces to face outward. */
export interface OrientationPlan {
  readonly patches: Patches;
  /** 1 for triangles to turn round. */
  readonly turn: Uint8Array;
  /** 1 for patches that are inside out as a whole. */
  readonly inverted: Uint8Array;
}

/**
 * Volume over area^1.5 about the centroid above which an open surface clearly has an outside. A half sphere has 0.1, a
 * tube ten times as long as wide 0.03, a sheet 0.
 */
const CLEARLY_CURVED = 0.01;

/**
 * Turns triangles so that neighbours agree and surfaces face outward: closed ones by their volume, open ones together by
 * theirs where it is clear. A closed surface inside of another that faces inward is a cavity and stays one; a closed
 * surface inside of another that faces outward is a part of its own and stays that as well.
 */
export function orientMesh(mesh: TriangleMesh): TriangleMesh {
  const edges = buildEdgeTable(mesh.triangles, mesh.positions.length / 3);
  return applyOrientation(mesh, planOrientation(mesh, edges));
}

export function applyOrientation(mesh: TriangleMesh, plan: OrientationPlan): TriangleMesh {
  const triangles = mesh.triangles.slice();
  for (let triangle = 0; triangle < plan.turn.length; triangle++) {
    if (plan.turn[triangle] === 0) continue;
    triangles[triangle * 3 + 1] = mesh.triangles[triangle * 3 + 2];
    triangles[triangle * 3 + 2] = mesh.triangles[triangle * 3 + 1];
  }
  return { positions: mesh.positions, triangles };
}

/** The mesh must be free of triangles with a repeated vertex. */
export function planOrientation(mesh: TriangleMesh, edges: EdgeTable): OrientationPlan {
  const patches = findPatches(mesh, edges);
  const inverted = invertedClosed(mesh, patches);
  if (openFaceInward(mesh, patches)) {
    for (let patch = 0; patch < patches.count; patch++) {
      if (patches.closed[patch] === 0 && patches.oneSided[patch] === 0) inverted[patch] = 1;
    }
  }
  const turn = patches.turned.map((turned, triangle) => turned ^ inverted[patches.ofTriangle[triangle]]);
  return { patches, turn, inverted };
}

function invertedClosed(mesh: TriangleMesh, patches: Patches): Uint8Array {
  const inverted = new Uint8Array(patches.count);
  const nesting = findNesting(mesh, patches);
  if (nesting === undefined) {
    // Cavities cannot be told from inverted parts then; only a file that is inside out as a whole is certain.
    const total = patches.volume.reduce((sum, volume, patch) => sum + (patches.closed[patch] !== 0 ? volume : 0), 0);
    return total < 0 ? patches.closed.slice() : inverted;
  }
  // Larger ones first: what lies inside of a part that was turned belongs to the same reversed file and turns with it.
  const bySize = Array.from(patches.closed.keys())
    .filter((patch) => patches.closed[patch] !== 0)
    .sort((a, b) => Math.abs(patches.volume[b]) - Math.abs(patches.volume[a]) || a - b);
  for (const patch of bySize) {
    const outer = nesting.outermost[patch];
    const inherited = outer === NOT_NESTED ? 0 : inverted[outer];
    const volume = inherited === 0 ? patches.volume[patch] : -patches.volume[patch];
    const wrong = volume < 0 && nesting.depth[patch] % 2 === 0;
    inverted[patch] = wrong ? 1 - inherited : inherited;
  }
  return inverted;
}

/**
 * All open patches are judged together, because one alone may rightly face inward: the wall of a hole in a part whose
 * seams are not joined looks like a tube that is inside out.
 */
function openFaceInward(mesh: TriangleMesh, patches: Patches): boolean {
  const isOpen = (triangle: number) => {
    const patch = patches.ofTriangle[triangle];
    return patches.closed[patch] === 0 && patches.oneSided[patch] === 0;
  };
  const { centroid, area } = areaCentroid(mesh, isOpen);
  if (area === 0) return false;
  let volume = 0;
  for (let triangle = 0; triangle < patches.turned.length; triangle++) {
    if (!isOpen(triangle)) continue;
    const here = tetrahedronVolume6(mesh, triangle, centroid) / 6;
    volume += patches.turned[triangle] === 0 ? here : -here;
  }
  return volume < -CLEARLY_CURVED * area * Math.sqrt(area);
}

function areaCentroid(mesh: TriangleMesh, counts: (triangle: number) => boolean) {
  const scratch = new Float64Array(3);
  const centroid = new Float64Array(3);
  let area = 0;
  for (let triangle = 0; triangle < mesh.triangles.length / 3; triangle++) {
    if (!counts(triangle)) continue;
    const here = triangleArea(mesh, triangle, scratch);
    area += here;
    for (let corner = triangle * 3; corner < triangle * 3 + 3; corner++) {
      const vertex = mesh.triangles[corner] * 3;
      for (let axis = 0; axis < 3; axis++) centroid[axis] += (here / 3) * mesh.positions[vertex + axis];
    }
  }
  if (area > 0) for (let axis = 0; axis < 3; axis++) centroid[axis] /= area;
  return { centroid, area };
}
