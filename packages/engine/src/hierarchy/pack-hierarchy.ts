import { PalpableError } from '../base/errors.js';
import type { ConvexHierarchy } from './convex-hierarchy.js';

/** What a hierarchy is in a file: named arrays, and a few numbers beside them. Checksums are the container's. */
export interface PackedHierarchy {
  readonly content: HierarchyContent;
  readonly arrays: ReadonlyMap<HierarchyArray, Float64Array | Int32Array>;
}

/** The numbers of a packed hierarchy that are not arrays; `radius` in metres. */
export interface HierarchyContent {
  readonly nodeCount: number;
  /** Radius of the body, metres. */
  readonly radius: number;
}

const ARRAYS = {
  child: Int32Array,
  deviation: Float64Array,
  sphere: Float64Array,
  vertexStart: Int32Array,
  vertices: Float64Array,
  neighbourStart: Int32Array,
  neighbours: Int32Array,
  normal: Float64Array,
  spread: Float64Array,
  triangleStart: Int32Array,
  triangles: Int32Array,
  points: Float64Array,
  level: Int32Array,
} as const;

/** Names of the arrays of a packed hierarchy. */
export type HierarchyArray = keyof typeof ARRAYS;

const NAMES = Object.keys(ARRAYS) as HierarchyArray[];

/** Splits a hierarchy into named arrays and a few numbers, as asset files store it. */
export function packHierarchy(hierarchy: ConvexHierarchy): PackedHierarchy {
  const { nodeCount, radius } = hierarchy;
  return { content: { nodeCount, radius }, arrays: new Map(NAMES.map((name) => [name, hierarchy[name]])) };
}

/**
 * Reads what `packHierarchy` gave, from any source: `find` gives an array by its name. Nothing is believed: a query walks
 * these arrays without looking, so every index, order and number is checked here. Throws `asset-invalid`.
 */
export function unpackHierarchy(content: unknown, find: (name: HierarchyArray) => unknown): ConvexHierarchy {
  const { nodeCount, radius } = (content ?? {}) as Partial<HierarchyContent>;
  demand(Number.isInteger(nodeCount) && nodeCount! > 0, 'has no number of nodes');
  demand(typeof radius === 'number' && radius > 0 && Number.isFinite(radius), 'has no radius');
  const entries = NAMES.map((name) => {
    const array = find(name);
    demand(array instanceof ARRAYS[name], `lacks its part "${name}"`);
    return [name, array];
  });
  const hierarchy = { nodeCount, radius, ...Object.fromEntries(entries) } as ConvexHierarchy;
  checkNumbers(hierarchy);
  checkRanges(hierarchy);
  checkTree(hierarchy);
  return hierarchy;
}

function checkNumbers(hierarchy: ConvexHierarchy): void {
  const { nodeCount: n } = hierarchy;
  const lengths = { child: 2 * n, deviation: n, sphere: 4 * n, normal: 3 * n, spread: n, level: n };
  for (const [name, length] of Object.entries(lengths)) {
    const found = hierarchy[name as keyof typeof lengths].length;
    demand(found === length, `has ${found} numbers in "${name}" instead of ${length}`);
  }
  for (const name of NAMES) {
    const array = hierarchy[name];
    demand(array instanceof Int32Array || array.every(Number.isFinite), `has a "${name}" that is not finite`);
  }
  demand(
    hierarchy.deviation.every((value) => value >= 0),
    'has a negative deviation',
  );
  demand(
    hierarchy.sphere.every((value, i) => i % 4 !== 3 || value >= 0),
    'has a sphere of negative radius',
  );
}

function checkRanges(hierarchy: ConvexHierarchy): void {
  const { nodeCount, vertexStart, vertices, neighbourStart, neighbours, triangleStart, triangles, points } = hierarchy;
  demand(points.length % 3 === 0 && vertices.length % 3 === 0, 'has points that are not in threes');
  checkStarts('vertexStart', vertexStart, nodeCount, vertices.length / 3);
  checkStarts('neighbourStart', neighbourStart, vertices.length / 3, neighbours.length);
  checkStarts('triangleStart', triangleStart, nodeCount, triangles.length / 3);
  const count = points.length / 3;
  demand(
    triangles.every((vertex) => vertex >= 0 && vertex < count),
    'names points that it does not have',
  );
  for (let node = 0; node < nodeCount; node++) {
    const [from, to] = [vertexStart[node], vertexStart[node + 1]];
    demand(to > from, `has no vertices at node ${node}`);
    const own = neighbours.subarray(neighbourStart[from], neighbourStart[to]);
    demand(
      own.every((vertex) => vertex >= 0 && vertex < to - from),
      `names vertices that node ${node} does not have`,
    );
  }
}

function checkStarts(name: string, starts: Int32Array, count: number, end: number): void {
  const rises = starts.every((start, i) => i === 0 || start >= starts[i - 1]);
  demand(starts.length === count + 1 && starts[0] === 0 && starts[count] === end && rises, `has a damaged "${name}"`);
}

/** Every node but the root is the child of exactly one, which comes before it: so there are no cycles. */
function checkTree({ nodeCount, child, triangleStart, deviation }: ConvexHierarchy): void {
  const isChild = new Uint8Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    const [left, right] = [child[2 * node], child[2 * node + 1]];
    const triangles = triangleStart[node + 1] - triangleStart[node];
    if (left === -1 && right === -1) {
      demand(triangles > 0, `has a leaf without triangles, node ${node}`);
      continue;
    }
    demand(triangles === 0, `has triangles at node ${node}, which is no leaf`);
    for (const one of [left, right]) {
      demand(one > node && one < nodeCount && isChild[one] === 0, `is no tree at node ${node}`);
      isChild[one] = 1;
      demand(deviation[one] <= deviation[node], `has a deviation at node ${node} that is less than its child's`);
    }
  }
  demand(
    isChild.subarray(1).every((mark) => mark === 1),
    'has nodes that nothing leads to',
  );
}

function demand(condition: boolean, what: string): void {
  if (condition) return;
  throw new PalpableError(
    'asset-invalid',
    `The convex hierarchy of this Palpable asset ${what}; it is damaged: prepare it again.`,
    'hierarchy',
  );
}
