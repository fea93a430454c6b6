import { PalpableError } from '../base/errors.js';
import { length3 } from '../math/portable.js';
import type { TriangleMesh } from './triangle-mesh.js';

const UNUSED = 0xffffffff;

/**
 * Makes one vertex of those in the same place and leaves out vertices that no triangle uses. With tolerance 0 the
 * positions must be equal bit by bit (−0 counts as 0); with a tolerance (metres) each vertex joins the first earlier one
 * within that distance. Too large a tolerance closes thin gaps and folds small features flat.
 *
 * Triangles keep their number and order; some may have become degenerate.
 */
export function weldMesh(mesh: TriangleMesh, tolerance = 0): TriangleMesh {
  if (!(tolerance >= 0) || !Number.isFinite(tolerance)) {
    throw new PalpableError(
      'option-invalid',
      `The welding tolerance is ${tolerance}; give a distance in metres, or 0.`,
    );
  }
  const find = tolerance === 0 ? exactFinder(mesh.positions) : nearbyFinder(mesh.positions, tolerance);
  const used = usedVertices(mesh);
  const renumbered = new Uint32Array(used.length).fill(UNUSED);
  const positions = new Float64Array(mesh.positions.length);
  let count = 0;
  for (let vertex = 0; vertex < used.length; vertex++) {
    if (used[vertex] === 0) continue;
    const first = find(vertex);
    if (first === vertex) {
      for (let axis = 0; axis < 3; axis++) positions[count * 3 + axis] = mesh.positions[vertex * 3 + axis];
      renumbered[vertex] = count++;
    } else renumbered[vertex] = renumbered[first];
  }
  const triangles = mesh.triangles.map((vertex) => renumbered[vertex]);
  return { positions: positions.slice(0, count * 3), triangles };
}

function usedVertices(mesh: TriangleMesh): Uint8Array {
  const used = new Uint8Array(mesh.positions.length / 3);
  for (const vertex of mesh.triangles) used[vertex] = 1;
  return used;
}

/** Tells for each vertex, asked in rising order, the first one asked that is the same (itself if there is none). */
type VertexFinder = (vertex: number) => number;

/** A table of vertices by the bits of their positions, with open addressing. */
function exactFinder(source: Float64Array): VertexFinder {
  // Adding 0 turns −0 into 0, so that equal numbers have equal bits.
  const positions = source.map((value) => value + 0);
  const words = new Uint32Array(positions.buffer);
  const mask = tableSize(positions.length / 3) - 1;
  const slots = new Uint32Array(mask + 1).fill(UNUSED);
  return (vertex) => {
    let hash = 0;
    for (let i = vertex * 6; i < vertex * 6 + 6; i++) hash = mix(hash, words[i]);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const other = slots[slot];
      if (other === UNUSED) {
        slots[slot] = vertex;
        return vertex;
      }
      if (samePosition(positions, vertex, other)) return other;
    }
  };
}

/** A grid of cells as wide as the tolerance; a partner within it lies in the vertex's own cell or a neighbouring one. */
function nearbyFinder(positions: Float64Array, tolerance: number): VertexFinder {
  const mask = tableSize(positions.length / 3) - 1;
  const heads = new Uint32Array(mask + 1).fill(UNUSED);
  const chain = new Uint32Array(positions.length / 3);
  const cell = (vertex: number, axis: number) => Math.floor(positions[vertex * 3 + axis] / tolerance);
  const bucket = (x: number, y: number, z: number) => mix(mix(mix(0, x | 0), y | 0), z | 0) & mask;
  return (vertex) => {
    const [x, y, z] = [cell(vertex, 0), cell(vertex, 1), cell(vertex, 2)];
    let nearest = UNUSED;
    for (let neighbour = 0; neighbour < 27; neighbour++) {
      const dx = (neighbour % 3) - 1;
      const dy = (Math.floor(neighbour / 3) % 3) - 1;
      const dz = Math.floor(neighbour / 9) - 1;
      let other = heads[bucket(x + dx, y + dy, z + dz)];
      for (; other !== UNUSED; other = chain[other]) {
        if (other < nearest && distance(positions, vertex, other) <= tolerance) nearest = other;
      }
    }
    if (nearest !== UNUSED) return nearest;
    const home = bucket(x, y, z);
    chain[vertex] = heads[home];
    heads[home] = vertex;
    return vertex;
  };
}

function tableSize(count: number): number {
  let size = 16;
  while (size < count * 2) size *= 2;
  return size;
}

function mix(hash: number, word: number): number {
  let mixed = Math.imul(hash ^ word, 0x9e3779b1);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x85ebca77);
  return mixed ^ (mixed >>> 13);
}

function samePosition(positions: Float64Array, a: number, b: number): boolean {
  return (
    positions[a * 3] === positions[b * 3] &&
    positions[a * 3 + 1] === positions[b * 3 + 1] &&
    positions[a * 3 + 2] === positions[b * 3 + 2]
  );
}

function distance(positions: Float64Array, a: number, b: number): number {
  return length3(
    positions[a * 3] - positions[b * 3],
    positions[a * 3 + 1] - positions[b * 3 + 1],
    positions[a * 3 + 2] - positions[b * 3 + 2],
  );
}
