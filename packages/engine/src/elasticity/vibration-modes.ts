import { createRandom } from '../base/random.js';
import { innerProduct, symmetricEigen } from '../math/linear-algebra.js';
import { multiplyBlocks, multiplyScalars } from './assemble.js';
import type { BlockFactor } from './factorise.js';
import type { NodeGraph } from './node-graph.js';
import { createSolveWorkspace, type SolveWorkspace, solveFactor } from './solve.js';

/*
 * The lowest vibration modes, K φ = λ M φ, by block Lanczos with K⁻¹ (shift and invert at zero). The space of r, Ar,
 * A²r, … with A = K⁻¹M contains the modes of large 1/λ, the slow ones, after few steps. Three vectors at a time, so that
 * modes of the same frequency, as a square beam has them, are all found. Every vector is made orthogonal, in the inner
 * product of M, to all before it, twice: the space stays small, and what the classical recurrence saves is not worth
 * its ghosts.
 */

export interface VibrationModes {
  /** λ, ascending: ω² at E = 1 Pa and ρ = 1 kg/m³. */
  readonly stiffness: Float64Array;
  /** φ, one mode after the other, three numbers per free node; φᵀMφ = 1. */
  readonly shapes: Float64Array;
}

const BLOCK = 3;
/** Of ‖Aφ − φ/λ‖ against ‖φ/λ‖. */
const TOLERANCE = 1e-12;
const SEED = 1;

export function vibrationModes(
  graph: NodeGraph,
  stiffness: Float64Array,
  mass: Float64Array,
  factor: BlockFactor,
  wanted: number,
  onStep?: (fraction: number) => void,
): VibrationModes {
  const size = 3 * graph.count;
  const count = Math.min(wanted, size);
  if (count === 0) return { stiffness: new Float64Array(0), shapes: new Float64Array(0) };
  const space = createSpace(graph, mass, factor);
  const first = startBlock(size);
  addOrthonormal(space, first);
  let judgeAt = Math.min(size, 2 * count + 6 * BLOCK);
  for (;;) {
    growSpace(space);
    onStep?.(space.expanded / (space.expanded + count));
    const exhausted = space.expanded === space.dimension;
    if (space.expanded < judgeAt && !exhausted) continue;
    const pairs = ritzPairs(space);
    if (exhausted || isConverged(space, pairs, count)) return finishModes(space, pairs, stiffness, count);
    judgeAt = Math.min(size, judgeAt + count + 2 * BLOCK);
  }
}

interface Space {
  readonly graph: NodeGraph;
  readonly mass: Float64Array;
  readonly factor: BlockFactor;
  readonly workspace: SolveWorkspace;
  /** Orthonormal vectors and M times them. */
  readonly basis: Float64Array[];
  readonly loads: Float64Array[];
  /** Column j: what A times vector j has along each vector, those after it included. */
  readonly projected: Float64Array[];
  dimension: number;
  /** How many vectors A was applied to. */
  expanded: number;
}

function createSpace(graph: NodeGraph, mass: Float64Array, factor: BlockFactor): Space {
  const workspace = createSolveWorkspace(factor);
  return { graph, mass, factor, workspace, basis: [], loads: [], projected: [], dimension: 0, expanded: 0 };
}

function startBlock(size: number): Float64Array[] {
  const random = createRandom(SEED);
  return Array.from({ length: BLOCK }, () => Float64Array.from({ length: size }, () => random() - 0.5));
}

/** Applies A to the vectors that it was not yet applied to, and takes in what is new of the results. */
function growSpace(space: Space): void {
  const { factor, workspace, loads, graph } = space;
  const size = 3 * graph.count;
  const from = space.expanded;
  const to = Math.min(space.dimension, from + BLOCK);
  const images = new Float64Array((to - from) * size);
  for (let j = from; j < to; j += 1) images.set(loads[j], (j - from) * size);
  solveFactor(images, factor, workspace, to - from);
  const block = Array.from({ length: to - from }, (_, j) => images.subarray(j * size, (j + 1) * size));
  space.expanded = to;
  addOrthonormal(space, block, from);
}

/** Takes vectors into the basis; `column` is that of the projected matrix for the first, if they are images of A. */
function addOrthonormal(space: Space, vectors: Float64Array[], column?: number): void {
  const { graph, mass, basis, loads } = space;
  const size = 3 * graph.count;
  const load = new Float64Array(size);
  vectors.forEach((vector, j) => {
    const along = new Float64Array(basis.length + 1);
    multiplyScalars(load, graph, mass, vector);
    const before = Math.sqrt(innerProduct(vector, load));
    for (let pass = 0; pass < 2; pass += 1) {
      for (let k = 0; k < basis.length; k += 1) {
        const share = innerProduct(loads[k], vector);
        along[k] += share;
        for (let i = 0; i < size; i += 1) vector[i] -= share * basis[k][i];
      }
    }
    multiplyScalars(load, graph, mass, vector);
    const rest = Math.sqrt(Math.max(0, innerProduct(vector, load)));
    const isNew = rest > 1e-13 * before && basis.length < size;
    if (isNew) {
      along[basis.length] = rest;
      basis.push(vector.map((value) => value / rest));
      loads.push(load.map((value) => value / rest));
      space.dimension = basis.length;
    }
    if (column !== undefined) space.projected[column + j] = along;
  });
}

interface RitzPairs {
  /** Columns of `vectors` by falling eigenvalue. */
  readonly order: number[];
  readonly values: Float64Array;
  readonly vectors: Float64Array;
  readonly size: number;
}

function ritzPairs({ projected, expanded }: Space): RitzPairs {
  const size = expanded;
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      const value = 0.5 * ((projected[j][i] ?? 0) + (projected[i][j] ?? 0));
      matrix[i * size + j] = value;
      matrix[j * size + i] = value;
    }
  }
  const vectors = new Float64Array(size * size);
  symmetricEigen(vectors, matrix, size);
  const values = Float64Array.from({ length: size }, (_, i) => matrix[i * size + i]);
  const order = Array.from(values.keys()).sort((a, b) => values[b] - values[a]);
  return { order, values, vectors, size };
}

/** How much of A times each Ritz vector leaves the space: the last vectors' images do, along vectors not yet expanded. */
function isConverged(space: Space, { order, values, vectors, size }: RitzPairs, count: number): boolean {
  return order.slice(0, count).every((pair) => {
    let outside = 0;
    for (let row = size; row < space.dimension; row += 1) {
      let sum = 0;
      for (let j = 0; j < size; j += 1) sum += (space.projected[j][row] ?? 0) * vectors[j * size + pair];
      outside += sum * sum;
    }
    return Math.sqrt(outside) <= TOLERANCE * values[pair];
  });
}

/**
 * The shapes, each once more through A, which takes out what rounding left of the fast modes (K weighs it by up to the
 * ratio of the largest and the smallest λ), and λ as the Rayleigh quotient.
 */
function finishModes(space: Space, pairs: RitzPairs, stiffness: Float64Array, count: number): VibrationModes {
  const { graph, mass, basis, factor, workspace } = space;
  const size = 3 * graph.count;
  const shapes = new Float64Array(count * size);
  const scratch = new Float64Array(count * size);
  for (let mode = 0; mode < count; mode += 1) {
    const pair = pairs.order[mode];
    for (let j = 0; j < pairs.size; j += 1) {
      const share = pairs.vectors[j * pairs.size + pair];
      for (let i = 0; i < size; i += 1) shapes[mode * size + i] += share * basis[j][i];
    }
    multiplyScalars(scratch, graph, mass, shapes, mode * size);
  }
  solveFactor(scratch, factor, workspace, count);
  const product = new Float64Array(size);
  const values = new Float64Array(count);
  for (let mode = 0; mode < count; mode += 1) {
    const shape = scratch.subarray(mode * size, (mode + 1) * size);
    multiplyScalars(product, graph, mass, shape);
    const scale = signOf(shape) / Math.sqrt(innerProduct(shape, product));
    for (let i = 0; i < size; i += 1) shape[i] *= scale;
    multiplyBlocks(product, graph, stiffness, shape);
    values[mode] = innerProduct(shape, product);
  }
  return { stiffness: values, shapes: scratch };
}

/** Which way round a shape is means nothing; its largest number is made positive, so that all machines agree. */
function signOf(shape: Float64Array): number {
  let largest = 0;
  for (const value of shape) if (Math.abs(value) > Math.abs(largest) * (1 + 1e-9)) largest = value;
  return largest < 0 ? -1 : 1;
}
