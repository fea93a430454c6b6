import { type EdgeTable, NO_PARTNER, pairHalfEdges, runsUpward } from './edge-table.js';
import { tetrahedronVolume6, triangleArea } from './triangle-geometry.js';
import type { TriangleMesh } from './triangle-mesh.js';

/**
 * A mesh cut into patches: triangles that hang together over edges where exactly two of them meet. Within a patch the
 * sides can be told consistently (unless it is a Möbius strip); between patches they are a matter of judgement.
 */
export interface Patches {
  readonly count: number;
  /** The patch of every triangle. */
  readonly ofTriangle: Uint32Array;
  /** 1 for triangles that face the other way than most of their patch, by area. */
  readonly turned: Uint8Array;
  /** 1 for patches that bound a volume by themselves. */
  readonly closed: Uint8Array;
  /** 1 for patches with one side only; nothing is turned in them. */
  readonly oneSided: Uint8Array;
  readonly area: Float64Array;
  /** Signed volume after turning, about a point of the patch; means something only where `closed`. */
  readonly volume: Float64Array;
}

const NONE = 0xffffffff;

export function findPatches(mesh: TriangleMesh, edges: EdgeTable): Patches {
  const { ofTriangle, turned, count, oneSided } = flood(mesh, edges);
  const area = keepMajority(mesh, ofTriangle, turned, count, oneSided);
  const closed = findClosed(mesh, edges, ofTriangle, turned, count, oneSided);
  const volume = patchVolumes(mesh, ofTriangle, turned, count);
  return { count, ofTriangle, turned, closed, oneSided, area, volume };
}

/** Spreads from one triangle of each patch; `turned` is relative to that one. */
function flood(mesh: TriangleMesh, edges: EdgeTable) {
  const { triangles } = mesh;
  const partner = pairHalfEdges(edges);
  const total = triangles.length / 3;
  const ofTriangle = new Uint32Array(total).fill(NONE);
  const turned = new Uint8Array(total);
  const pending = new Uint32Array(total);
  const contradictory: number[] = [];
  let count = 0;
  for (let seed = 0; seed < total; seed++) {
    if (ofTriangle[seed] !== NONE) continue;
    const patch = count++;
    ofTriangle[seed] = patch;
    pending[0] = seed;
    let contradiction = false;
    for (let length = 1; length > 0; ) {
      const triangle = pending[--length];
      for (let corner = triangle * 3; corner < triangle * 3 + 3; corner++) {
        const other = partner[corner];
        if (other === NO_PARTNER) continue;
        const neighbour = Math.floor(other / 3);
        const agrees = runsUpward(triangles, corner) !== runsUpward(triangles, other);
        const wanted = agrees ? turned[triangle] : 1 - turned[triangle];
        if (ofTriangle[neighbour] === NONE) {
          ofTriangle[neighbour] = patch;
          turned[neighbour] = wanted;
          pending[length++] = neighbour;
        } else if (turned[neighbour] !== wanted) contradiction = true;
      }
    }
    if (contradiction) contradictory.push(patch);
  }
  const oneSided = new Uint8Array(count);
  for (const patch of contradictory) oneSided[patch] = 1;
  return { ofTriangle, turned, count, oneSided };
}

/** Makes the side that most of a patch's area shows the right one. Returns the patches' areas. */
function keepMajority(
  mesh: TriangleMesh,
  ofTriangle: Uint32Array,
  turned: Uint8Array,
  count: number,
  oneSided: Uint8Array,
): Float64Array {
  const area = new Float64Array(count);
  const turnedArea = new Float64Array(count);
  const scratch = new Float64Array(3);
  for (let triangle = 0; triangle < turned.length; triangle++) {
    const here = triangleArea(mesh, triangle, scratch);
    area[ofTriangle[triangle]] += here;
    if (turned[triangle] !== 0) turnedArea[ofTriangle[triangle]] += here;
  }
  for (let triangle = 0; triangle < turned.length; triangle++) {
    const patch = ofTriangle[triangle];
    if (oneSided[patch] !== 0) turned[triangle] = 0;
    else if (turnedArea[patch] > area[patch] / 2) turned[triangle] ^= 1;
  }
  return area;
}

/** A patch is closed when each of its edges is run through as often one way as the other within the patch. */
function findClosed(
  mesh: TriangleMesh,
  edges: EdgeTable,
  ofTriangle: Uint32Array,
  turned: Uint8Array,
  count: number,
  oneSided: Uint8Array,
): Uint8Array {
  const closed = oneSided.map((flag) => 1 - flag);
  const balance = new Int32Array(count);
  for (let edge = 0; edge < edges.count; edge++) {
    const group = edges.halfEdges.subarray(edges.starts[edge], edges.starts[edge + 1]);
    if (group.length === 2 && ofTriangle[Math.floor(group[0] / 3)] === ofTriangle[Math.floor(group[1] / 3)]) continue;
    for (const halfEdge of group) {
      const triangle = Math.floor(halfEdge / 3);
      const upward = runsUpward(mesh.triangles, halfEdge) !== (turned[triangle] !== 0);
      balance[ofTriangle[triangle]] += upward ? 1 : -1;
    }
    for (const halfEdge of group)
      if (balance[ofTriangle[Math.floor(halfEdge / 3)]] !== 0) closed[ofTriangle[Math.floor(halfEdge / 3)]] = 0;
    for (const halfEdge of group) balance[ofTriangle[Math.floor(halfEdge / 3)]] = 0;
  }
  return closed;
}

function patchVolumes(mesh: TriangleMesh, ofTriangle: Uint32Array, turned: Uint8Array, count: number): Float64Array {
  const volume = new Float64Array(count);
  const origin = new Float64Array(count * 3);
  const known = new Uint8Array(count);
  for (let triangle = 0; triangle < turned.length; triangle++) {
    const patch = ofTriangle[triangle];
    if (known[patch] === 0) {
      known[patch] = 1;
      const vertex = mesh.triangles[triangle * 3] * 3;
      origin.set(mesh.positions.subarray(vertex, vertex + 3), patch * 3);
    }
    const here = tetrahedronVolume6(mesh, triangle, origin, 3 * patch) / 6;
    volume[patch] += turned[triangle] === 0 ? here : -here;
  }
  return volume;
}
