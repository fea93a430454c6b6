import { PalpableError } from '../base/errors.js';
import type { ElasticBody } from '../elasticity/elastic-body.js';
import { prepareElasticBody } from '../elasticity/prepare-elastic-body.js';
import { buildField, type FieldHooks, MAX_RESOLUTION } from '../field/build-field.js';
import { fieldMoments } from '../field/field-moments.js';
import { square } from '../math/portable.js';
import { pointBounds, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { meshTetrahedra } from '../tetrahedra/mesh-tetrahedra.js';
import { nodesInBall, nodesInBox } from '../tetrahedra/select-nodes.js';
import { checkTetrahedraSize } from '../tetrahedra/tetrahedra-size.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';

/** A box in the body's frame, by two opposite corners, m. */
export interface BodyRegion {
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
}

/** What has to be known of an elastic body before anything is worked out. Modulus, density and damping need not be. */
export interface PreparedElasticOptions {
  /** Poisson's ratio, 0 to 0.49. */
  readonly poisson: number;
  /** Of the tetrahedra that fill the mesh, m; a twentieth of its longest side unless given. */
  readonly elementSize?: number;
  /** Nodes in these boxes are held (Dirichlet). */
  readonly fixed?: readonly BodyRegion[];
  /** Nodes around this point are held as well: the grip of a tool. */
  readonly grip?: {
    /** The middle of the body unless given. */
    readonly centre?: readonly [number, number, number];
    /** Around the node that is nearest to the centre, m; an eighth of the longest side unless given. */
    readonly radius?: number;
  };
  /** Only nodes in this box can be touched; all of the surface unless given. */
  readonly touchable?: BodyRegion;
  /** Vibration modes that are kept. */
  readonly modes?: number;
}

const DEFAULT_ELEMENTS_ALONG = 20;
const DEFAULT_GRIP_SHARE = 8;
/** The mesher looks for the surface between distances this much closer together than its elements. */
const VOXELS_PER_ELEMENT = 3;

/** Progress, cancellation, workers and a limit of memory for the preparation of an elastic body. */
export interface ElasticHooks extends FieldHooks {
  /** The most memory to use, bytes: more is refused before the work starts. */
  readonly maxBytes?: number;
}

/** Fills a closed mesh with tetrahedra, unless it comes with its own, and works out how they answer forces. */
export async function prepareElastic(
  mesh: TriangleMesh,
  tetrahedra: TetrahedralMesh | null,
  options: PreparedElasticOptions,
  hooks: ElasticHooks = {},
): Promise<ElasticBody> {
  const filling = tetrahedra ?? (await fillMesh(mesh, options, hooks));
  const { poisson, touchable, modes } = options;
  return prepareElasticBody(
    filling,
    {
      poisson,
      fixed: heldNodes(filling, options),
      ...(touchable && { touchable: nodesInBox(filling.positions, touchable.min, touchable.max) }),
      ...(modes !== undefined && { modes }),
      ...(hooks.maxBytes !== undefined && { maxBytes: hooks.maxBytes }),
    },
    hooks,
  );
}

async function fillMesh(
  mesh: TriangleMesh,
  { elementSize }: PreparedElasticOptions,
  hooks: FieldHooks,
): Promise<TetrahedralMesh> {
  const longest = longestSide(mesh.positions);
  const size = elementSize ?? defaultElementSize(mesh.positions);
  checkTetrahedraSize(mesh, size);
  const resolution = Math.min(Math.ceil((VOXELS_PER_ELEMENT * longest) / size), MAX_RESOLUTION);
  const field = await buildField(mesh, { resolution: Math.max(resolution, MIN_RESOLUTION) }, hooks);
  const filled = meshTetrahedra(field, { elementSize: size }, hooks);
  const whole = fieldMoments(field)?.volume ?? filled.volume;
  const lostShare = filled.lost.volume / (filled.volume + filled.lost.volume);
  if (lostShare > MOST_LOST || filled.volume < LEAST_FILLED * whole) {
    throw new PalpableError(
      'option-invalid',
      `Elements of ${size} m do not fill the body. ${filled.warnings.join(' ')} Give a smaller elementSize.`,
      'elementSize',
    );
  }
  return filled;
}

/** Beyond these a body would lack walls that it is felt by. Less is what edges lose by being chamfered. */
const MOST_LOST = 0.03;
const LEAST_FILLED = 0.8;

const MIN_RESOLUTION = 16;

export function defaultElementSize(positions: Float64Array): number {
  return longestSide(positions) / DEFAULT_ELEMENTS_ALONG;
}

function longestSide(positions: Float64Array): number {
  const { min, max } = pointBounds(positions);
  return Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

/** All nodes that the body is held by, each once. */
export function heldNodes({ positions }: TetrahedralMesh, { fixed = [], grip }: PreparedElasticOptions): Uint32Array {
  const held = new Set<number>();
  fixed.forEach(({ min, max }, index) => {
    const nodes = nodesInBox(positions, min, max);
    if (nodes.length === 0) {
      throw new PalpableError(
        'option-invalid',
        `No node of the body lies in the box [${min.join(', ')}] to [${max.join(', ')}] that is to be held (fixed[${index}]); ` +
          `the body reaches from ${describeBounds(positions)} in its own frame, in metres. Move or widen the box.`,
        `fixed[${index}]`,
      );
    }
    for (const node of nodes) held.add(node);
  });
  if (grip) for (const node of grippedNodes(positions, grip)) held.add(node);
  return Uint32Array.from(held).sort();
}

function grippedNodes(
  positions: Float64Array,
  { centre, radius }: NonNullable<PreparedElasticOptions['grip']>,
): Uint32Array {
  const { min, max } = pointBounds(positions);
  const middle = [0, 1, 2].map((axis) => (min[axis] + max[axis]) / 2) as [number, number, number];
  const nearest = nearestNode(positions, centre ?? middle);
  return nodesInBall(positions, nearest, radius ?? longestSide(positions) / DEFAULT_GRIP_SHARE);
}

function nearestNode(positions: Float64Array, point: readonly [number, number, number]): [number, number, number] {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < positions.length; n += 3) {
    const distanceSquared =
      square(positions[n] - point[0]) + square(positions[n + 1] - point[1]) + square(positions[n + 2] - point[2]);
    if (distanceSquared >= least) continue;
    least = distanceSquared;
    best = n;
  }
  return [positions[best], positions[best + 1], positions[best + 2]];
}

export function describeBounds(positions: Float64Array): string {
  const { min, max } = pointBounds(positions);
  const rounded = (corner: readonly number[]) => `[${corner.map((value) => Number(value.toPrecision(4))).join(', ')}]`;
  return `${rounded(min)} to ${rounded(max)}`;
}
