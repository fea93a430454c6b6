import { PalpableError } from '../base/errors.js';
import { JobPool, shareable, type WorkerHost } from '../base/parallel.js';
import { type BuildHooks, throwIfCancelled } from '../base/progress.js';
import { shareTree } from '../field/triangle-tree.js';
import { createMesh, type TriangleMesh, triangleCount } from '../mesh/triangle-mesh.js';
import type { ConvexHierarchy } from './convex-hierarchy.js';
import { findConvexPatches } from './convex-patches.js';
import { enclosingSphere } from './enclosing-sphere.js';
import { type JoinContext, joinJob } from './join-patches.js';
import { type JoinStep, mergePatches, type PatchNode } from './merge-patches.js';
import { createSolid } from './solid.js';

/** How finely the convex hierarchy follows the surface. */
export interface HierarchyOptions {
  /**
   * How far the leaves' hulls may be from the finest surface, m. Default: a thousandth of the body's radius. Smaller
   * gives more leaves on curved and noisy surfaces; larger takes away detail that no tolerance of a query brings back.
   */
  readonly leafTolerance?: number;
  /** Most vertices of a hull; outlines of flat patches may have more. More bound tighter and make queries slower. */
  readonly maxVertices?: number;
}

/**
 * A quarter of the finest tolerance in Otaduy and Lin's experiments (0.4 % of the radius): small against what a query
 * asks for, and large enough that rounding and the facets of a curved surface do not make every triangle its own patch.
 */
const DEFAULT_TOLERANCE_SHARE = 1e-3;
const DEFAULT_MAX_VERTICES = 64;
/** Part of the work that goes into the leaves. */
const PATCHES_SHARE = 0.4;
/** A mesh of fewer triangles is done before workers have started. */
const LEAST_FOR_WORKERS = 2000;

export interface HierarchyHooks extends BuildHooks {
  /** Workers to build on; without, everything runs on the calling thread. */
  readonly workers?: WorkerHost;
}

/**
 * Builds the tree of convex pieces and levels of detail over a mesh of any kind; a closed one facing outward gives the
 * largest pieces, since only there it is known what is inside. The same mesh and options give the same bits. Throws
 * `option-invalid`, `mesh-invalid` and `cancelled`.
 */
export function buildConvexHierarchy(
  mesh: TriangleMesh,
  options: HierarchyOptions = {},
  hooks: BuildHooks = {},
): ConvexHierarchy {
  const { steps, context, finish } = startBuild(mesh, options, hooks);
  const join = joinJob.open(context);
  let step = steps.next();
  while (!step.done) {
    const { value } = step;
    const results = value.pieces.map((piece, n) => {
      throwIfCancelled(hooks.signal);
      reportStep(hooks, value, n, value.pieces.length);
      return join(piece);
    });
    step = steps.next(results);
  }
  return finish(step.value);
}

/** The same, to the bit, with the levels of detail built on the workers of `hooks`. */
export async function buildConvexHierarchyOnWorkers(
  mesh: TriangleMesh,
  options: HierarchyOptions = {},
  hooks: HierarchyHooks = {},
): Promise<ConvexHierarchy> {
  if (!hooks.workers || triangleCount(mesh) < LEAST_FOR_WORKERS) return buildConvexHierarchy(mesh, options, hooks);
  const { steps, context, finish } = startBuild(mesh, options, hooks);
  const shared = { ...context, mesh: shareMesh(mesh), tree: shareTree(context.tree) };
  const pool = new JobPool(hooks.workers);
  try {
    let step = steps.next();
    while (!step.done) {
      const { value } = step;
      const results = await pool.run(joinJob, shared, value.pieces, {
        signal: hooks.signal,
        onPiece: (finished, total) => reportStep(hooks, value, finished, total),
      });
      step = steps.next(results);
    }
    return finish(step.value);
  } finally {
    pool.close();
  }
}

function startBuild(mesh: TriangleMesh, options: HierarchyOptions, hooks: BuildHooks) {
  throwIfCancelled(hooks.signal);
  createMesh(mesh.positions, mesh.triangles);
  const radius = radiusOf(mesh);
  const limits = checkedLimits(options, radius);
  const solid = createSolid(mesh);
  const patches = findConvexPatches(mesh, solid, limits, partOf(hooks, 0, PATCHES_SHARE));
  const finish = (root: PatchNode) => {
    hooks.onProgress?.(LEVELS_STAGE, 1);
    return flatten(mesh, root, radius);
  };
  const context: JoinContext = { mesh, tree: solid.tree, whole: solid.whole, limits };
  return { steps: mergePatches(mesh, solid, patches), context, finish };
}

const LEVELS_STAGE = 'levels of detail';

function reportStep({ onProgress }: BuildHooks, { from, to }: JoinStep, finished: number, pieces: number): void {
  const fraction = from + ((to - from) * finished) / pieces;
  onProgress?.(LEVELS_STAGE, PATCHES_SHARE + (1 - PATCHES_SHARE) * fraction);
}

function shareMesh({ positions, triangles }: TriangleMesh): TriangleMesh {
  return { positions: shareable(positions), triangles: shareable(triangles) };
}

function checkedLimits({ leafTolerance, maxVertices = DEFAULT_MAX_VERTICES }: HierarchyOptions, radius: number) {
  const tolerance = leafTolerance ?? DEFAULT_TOLERANCE_SHARE * radius;
  if (!(tolerance > 0 && Number.isFinite(tolerance))) {
    throw new PalpableError(
      'option-invalid',
      `The hierarchy's leafTolerance is ${tolerance}, but must be a finite length in metres above 0; correct it or leave it out for the default.`,
      'hierarchy.leafTolerance',
    );
  }
  if (!(Number.isInteger(maxVertices) && maxVertices >= 4)) {
    throw new PalpableError(
      'option-invalid',
      `The hierarchy's maxVertices is ${maxVertices}, but must be a whole number from 4 on; correct it or leave it out for the default.`,
      'hierarchy.maxVertices',
    );
  }
  return { tolerance, maxVertices };
}

function partOf(hooks: BuildHooks, from: number, to: number): BuildHooks {
  const { onProgress } = hooks;
  if (!onProgress) return hooks;
  return { ...hooks, onProgress: (stage, fraction) => onProgress(stage, from + (to - from) * fraction) };
}

function radiusOf(mesh: TriangleMesh): number {
  const used = new Float64Array(3 * mesh.triangles.length);
  mesh.triangles.forEach((vertex, corner) => {
    used.set(mesh.positions.subarray(3 * vertex, 3 * vertex + 3), 3 * corner);
  });
  const sphere = new Float64Array(4);
  enclosingSphere(sphere, [used]);
  return sphere[3];
}

/** The nodes depth first, each before its children, as flat arrays. */
function flatten(mesh: TriangleMesh, root: PatchNode, radius: number): ConvexHierarchy {
  const nodes = depthFirst(root);
  const nodeCount = nodes.length;
  const placeOf = new Map(nodes.map((node, i) => [node, i]));
  const leafTriangles = nodes.map(({ patch, children }) => (children ? new Int32Array(0) : patch.triangles));
  const triangles = joined(Int32Array, leafTriangles);
  return {
    nodeCount,
    child: Int32Array.from(nodes.flatMap(({ children }) => children?.map((child) => placeOf.get(child)!) ?? [-1, -1])),
    deviation: Float64Array.from(nodes, ({ patch }) => patch.deviation),
    sphere: joined(
      Float64Array,
      nodes.map(({ sphere }) => sphere),
    ),
    vertexStart: startsOf(nodes.map(({ patch }) => patch.vertices.length / 3)),
    vertices: joined(
      Float64Array,
      nodes.map(({ patch }) => patch.vertices),
    ),
    neighbourStart: startsOf(
      nodes.flatMap(({ patch }) =>
        Array.from(patch.neighbourStart.subarray(1), (end, i) => end - patch.neighbourStart[i]),
      ),
    ),
    neighbours: joined(
      Int32Array,
      nodes.map(({ patch }) => patch.neighbours),
    ),
    normal: Float64Array.from(nodes.flatMap(({ patch }) => patch.cone.axis)),
    spread: Float64Array.from(nodes, ({ patch }) => patch.cone.spread),
    radius,
    triangleStart: startsOf(leafTriangles.map(({ length }) => length)),
    triangles: Int32Array.from(
      { length: 3 * triangles.length },
      (_, i) => mesh.triangles[3 * triangles[Math.floor(i / 3)] + (i % 3)],
    ),
    points: mesh.positions,
    level: Int32Array.from(nodes, ({ level }) => level),
  };
}

function depthFirst(root: PatchNode): PatchNode[] {
  const nodes: PatchNode[] = [];
  const stack = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    nodes.push(node);
    if (node.children) stack.push(node.children[1], node.children[0]);
  }
  return nodes;
}

function startsOf(lengths: readonly number[]): Int32Array {
  const starts = new Int32Array(lengths.length + 1);
  lengths.forEach((length, i) => {
    starts[i + 1] = starts[i] + length;
  });
  return starts;
}

function joined<T extends Float64Array | Int32Array>(kind: new (length: number) => T, parts: readonly T[]): T {
  const all = new kind(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
