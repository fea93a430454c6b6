import { PalpableError } from '../base/errors.js';
import { type BuildHooks, throwIfCancelled } from '../base/progress.js';
import { createRandom } from '../base/random.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { type FeatureSamples, sampleFeatures } from './feature-samples.js';
import { measureSpacing } from './neighbour-spacing.js';
import type { PointShell, ShellOptions } from './point-shell.js';
import { type EliminationInput, eliminateSamples, idealSpacing } from './sample-elimination.js';
import { buildShellTree, type ShellTree } from './shell-tree.js';
import { analyseSurface, type Surface } from './surface.js';
import { SurfaceNormals } from './surface-normals.js';
import { type SurfaceSamples, sampleSurface } from './surface-samples.js';

export const DEFAULT_COUNT = 4000;
const MAX_COUNT = 5_000_000;
export const DEFAULT_SEED = 1;
export const DEFAULT_CREASE_ANGLE = Math.PI / 6;

/**
 * Random samples per point kept. More makes the points a little more even (smallest distance 0.70 of the ideal with 5,
 * 0.74 with 10) and building slower in proportion.
 */
const SAMPLES_PER_POINT = 5;
/** Beyond this many points, three samples each: memory counts for more than the last bit of evenness. */
const MANY_POINTS = 1_000_000;
const SAMPLES_PER_POINT_OF_MANY = 3;
/** At least so many samples, so that a shell of a handful of points is even, too. */
const LEAST_SAMPLES = 1000;

/** A mesh of more parts than this is a soup of loose triangles, not an assembly: `spacing` need not give each a point. */
const MAX_SERVED_PARTS = 1000;

/** Points on edges and corners are at most this part of all. */
const MOST_FEATURES = 0.4;

const STAGE = 'shell';

/**
 * Spreads points evenly over a mesh of any kind (closed, open, thin, in parts, a soup of triangles) and builds the tree
 * of spheres over them. The same mesh and options give the same bits. Throws `option-invalid`, `mesh-invalid` and
 * `cancelled`.
 */
export function buildShell(mesh: TriangleMesh, options: ShellOptions = {}, hooks: BuildHooks = {}): PointShell {
  checkOptions(options);
  const { seed = DEFAULT_SEED, creaseAngle = DEFAULT_CREASE_ANGLE } = options;
  const { signal, onProgress } = hooks;
  throwIfCancelled(signal);
  onProgress?.(STAGE, 0);
  const surface = analyseSurface(mesh);
  const count = pointCount(options, surface);
  const features = sampleFeatures(mesh, surface, idealSpacing(surface.area, count), Math.floor(MOST_FEATURES * count));
  const featureCount = features.triangle.length;
  const samples = joinSamples(features, sampleSurface(mesh, surface, sampleCount(count), createRandom(seed)));
  const partProtected = new Uint8Array(surface.partLargestTriangle.length);
  if (partProtected.length <= count) partProtected.fill(1);
  const kept = eliminateSamples(
    { ...eliminationInput(surface, samples, partProtected), kept: featureCount },
    Uint32Array.from(samples.triangle.keys()),
    count,
    signal,
    (fraction) => onProgress?.(STAGE, 0.7 * fraction),
  );

  const points = pickSamples(samples, kept);
  // Coarser levels cannot serve every small part; the tree works on them all alike.
  const input = eliminationInput(surface, points, new Uint8Array(partProtected.length));
  const tree = buildShellTree(input, signal, (fraction) => onProgress?.(STAGE, 0.7 + 0.3 * fraction));
  const normals = new SurfaceNormals(mesh, surface, creaseAngle);
  return assemble(pickSamples(points, tree.order), tree, normals, features, measureSpacing(input), seed);
}

function assemble(
  points: SurfaceSamples,
  tree: ShellTree,
  surfaceNormals: SurfaceNormals,
  features: FeatureSamples,
  spacing: number,
  seed: number,
): PointShell {
  const { levelEnds, radius, reach, childStart, childCount } = tree;
  const normals = new Float64Array(points.positions.length);
  const cone = new Float64Array(points.triangle.length).fill(1);
  const share = cone.slice();
  const along = new Float64Array(points.positions.length);
  points.triangle.forEach((triangle, i) => {
    const feature = tree.order[i];
    if (feature < features.cone.length) {
      normals.set(features.axis.subarray(3 * feature, 3 * feature + 3), 3 * i);
      cone[i] = features.cone[feature];
      along.set(features.along.subarray(3 * feature, 3 * feature + 3), 3 * i);
      share[i] = features.share[feature];
    } else surfaceNormals.write(triangle, points.weights[2 * i], points.weights[2 * i + 1], normals, 3 * i);
  });
  return {
    count: points.triangle.length,
    points: points.positions,
    normals,
    cone,
    along,
    share,
    triangles: points.triangle,
    levelEnds,
    radius,
    reach,
    childStart,
    childCount,
    rootCount: levelEnds[0],
    spacing,
    seed,
  };
}

function eliminationInput(surface: Surface, samples: SurfaceSamples, partProtected: Uint8Array): EliminationInput {
  return {
    positions: samples.positions,
    normals: surface.faceNormals,
    normalIndex: samples.triangle,
    part: samples.part,
    partProtected,
    area: surface.area,
  };
}

function joinSamples(a: SurfaceSamples, b: SurfaceSamples): SurfaceSamples {
  const join = <T extends Float64Array | Uint32Array>(first: T, second: T): T => {
    const all = new (first.constructor as new (length: number) => T)(first.length + second.length);
    all.set(first);
    all.set(second, first.length);
    return all;
  };
  return {
    positions: join(a.positions, b.positions),
    weights: join(a.weights, b.weights),
    triangle: join(a.triangle, b.triangle),
    part: join(a.part, b.part),
  };
}

function pickSamples(samples: SurfaceSamples, chosen: Uint32Array): SurfaceSamples {
  const positions = new Float64Array(3 * chosen.length);
  const weights = new Float64Array(2 * chosen.length);
  chosen.forEach((sample, i) => {
    for (let axis = 0; axis < 3; axis++) positions[3 * i + axis] = samples.positions[3 * sample + axis];
    for (let corner = 0; corner < 2; corner++) weights[2 * i + corner] = samples.weights[2 * sample + corner];
  });
  return {
    positions,
    weights,
    triangle: chosen.map((sample) => samples.triangle[sample]),
    part: chosen.map((sample) => samples.part[sample]),
  };
}

function sampleCount(count: number): number {
  return Math.max(LEAST_SAMPLES, count * (count > MANY_POINTS ? SAMPLES_PER_POINT_OF_MANY : SAMPLES_PER_POINT));
}

/** Neighbours of a hexagonal lattice at the distance s share the area A among n = 2A / (√3 s²) points. */
function pointCount(options: ShellOptions, surface: Surface): number {
  const { spacing, count = DEFAULT_COUNT } = options;
  if (spacing === undefined) return count;
  const ideal = Math.max(1, Math.round((2 * surface.area) / (Math.sqrt(3) * spacing * spacing)));
  if (!(ideal <= MAX_COUNT)) {
    throw new PalpableError(
      'option-invalid',
      `A shell spacing of ${spacing} m needs ${ideal.toExponential(1)} points on the ${surface.area.toPrecision(3)} m² ` +
        `of this mesh, more than the limit of ${MAX_COUNT}; choose a larger spacing or check the unit of the mesh.`,
      'shell.spacing',
    );
  }
  const parts = surface.partLargestTriangle.length;
  return parts <= MAX_SERVED_PARTS ? Math.max(ideal, parts) : ideal;
}

function checkOptions(options: ShellOptions): void {
  const { spacing, count, seed, creaseAngle } = options;
  if (spacing !== undefined && count !== undefined) {
    throw new PalpableError(
      'option-invalid',
      'Shell spacing and shell count are both given, but one follows from the other; leave one of them out.',
      'shell',
    );
  }
  check('spacing', spacing, 'a finite length in metres above 0', (value) => value > 0 && Number.isFinite(value));
  check('count', count, `a whole number from 1 to ${MAX_COUNT}`, (value) => isWholeUpTo(value, MAX_COUNT) && value > 0);
  check('seed', seed, 'a whole number from 0 to 4294967295', (value) => isWholeUpTo(value, 0xffffffff));
  check('creaseAngle', creaseAngle, 'an angle in radians from 0 to π', (value) => value >= 0 && value <= Math.PI);
}

function isWholeUpTo(value: number, limit: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= limit;
}

function check(name: string, value: number | undefined, expected: string, isValid: (value: number) => boolean): void {
  if (value === undefined || (typeof value === 'number' && isValid(value))) return;
  throw new PalpableError(
    'option-invalid',
    `The shell's ${name} is ${String(value)}, but must be ${expected}; correct it or leave it out for the default.`,
    `shell.${name}`,
  );
}
