/**
 * A body as wire: the edges of its mesh, without those inside of flat faces. A fine mesh is made coarser first (its
 * points gathered in the cells of a grid), since ten thousands of edges would be a solid patch.
 */
import type { TriangleMesh } from '@palpable/engine';
import { meshBounds } from '@palpable/engine/advanced';
import { areaVectors, type Triangles } from '../scene/creased-normals.js';

/** Meshes of more triangles are made coarser. */
const MOST_TRIANGLES = 1200;
/** Cells along the longest side. */
const CELLS = 14;
/** Edges between faces that differ by less are left out: cosine of about 3°. */
const FLAT = 0.9986;

/** Six numbers per edge, body frame. */
export function wireEdges(mesh: TriangleMesh): Float32Array {
  const coarse = mesh.triangles.length > 3 * MOST_TRIANGLES ? gatherPoints(mesh) : mesh;
  return collectEdges(coarse);
}

/** Vertex clustering: one point per cell, in the middle of those that fell into it. */
function gatherPoints(mesh: TriangleMesh): Triangles {
  const { positions, triangles } = mesh;
  const { min: low, max: high } = meshBounds(mesh);
  const cell = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / CELLS;
  const cellIndex = (point: number, axis: number) => Math.floor((positions[3 * point + axis]! - low[axis]!) / cell);
  const numbers = new Map<number, number>();
  const sums: number[] = [];
  const members: number[] = [];
  const gathered = new Uint32Array(positions.length / 3);
  for (let point = 0; point < gathered.length; point += 1) {
    const key = (cellIndex(point, 0) * (CELLS + 1) + cellIndex(point, 1)) * (CELLS + 1) + cellIndex(point, 2);
    let number = numbers.get(key);
    if (number === undefined) {
      number = members.length;
      numbers.set(key, number);
      members.push(0);
      sums.push(0, 0, 0);
    }
    gathered[point] = number;
    members[number]! += 1;
    for (let k = 0; k < 3; k += 1) sums[3 * number + k]! += positions[3 * point + k]!;
  }
  const kept: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [gathered[triangles[t]!]!, gathered[triangles[t + 1]!]!, gathered[triangles[t + 2]!]!];
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  return { positions: sums.map((sum, i) => sum / members[Math.floor(i / 3)]!), triangles: kept };
}

function collectEdges({ positions, triangles }: Triangles): Float32Array {
  const points = positions.length / 3;
  /** Triangle that an edge was first met in; −1 once the two faces of it are known to lie in one plane. */
  const firstSeen = new Map<number, number>();
  const normals = areaVectors({ positions, triangles });
  for (let t = 0; t < triangles.length; t += 1) {
    const face = Math.floor(t / 3);
    const from = triangles[t]!;
    const to = triangles[t % 3 === 2 ? t - 2 : t + 1]!;
    const key = Math.min(from, to) * points + Math.max(from, to);
    const other = firstSeen.get(key);
    if (other === undefined) firstSeen.set(key, face);
    else if (other >= 0 && areLevel(normals, face, other)) firstSeen.set(key, -1);
  }
  const out: number[] = [];
  for (const [key, face] of firstSeen) {
    if (face < 0) continue;
    for (const point of [Math.floor(key / points), key % points]) {
      out.push(positions[3 * point]!, positions[3 * point + 1]!, positions[3 * point + 2]!);
    }
  }
  return Float32Array.from(out);
}

function areLevel(normals: Float64Array, first: number, second: number): boolean {
  let dot = 0;
  for (let k = 0; k < 3; k += 1) dot += normals[4 * first + k]! * normals[4 * second + k]!;
  return dot > FLAT * normals[4 * first + 3]! * normals[4 * second + 3]!;
}
