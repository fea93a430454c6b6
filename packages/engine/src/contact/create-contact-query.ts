import { PalpableError } from '../base/errors.js';
import { BRICK_CELLS, type DistanceField } from '../field/distance-field.js';
import { QUANTA_PER_VOXEL } from '../field/pack-values.js';
import { length3 } from '../math/portable.js';
import { createPose } from '../math/pose.js';
import { flatFaces } from '../shell/flat-faces.js';
import type { PointShell } from '../shell/point-shell.js';
import type { ContactQuery, ContactQueryOptions, QueryGrid } from './contact-query.js';
import { createContactSet } from './contact-set.js';
import { createFacePairs, withFacePoints } from './face-pairs.js';
import { queryContacts } from './query-contacts.js';

const HALF_DIAGONAL = Math.sqrt(3) / 2;
/** Across the rim of an opening the field can change by up to two voxels more than the way between two points. */
const OPEN_RIM_VOXELS = 2;

/**
 * Checks the options and makes room for everything a query needs, so that `queryContacts` does not allocate. Throws
 * `option-invalid`.
 */
export function createContactQuery(
  shell: PointShell,
  field: DistanceField,
  options: ContactQueryOptions,
): ContactQuery {
  const margin = options.margin ?? 0;
  if (!(margin >= 0 && Number.isFinite(margin))) {
    throw new PalpableError(
      'option-invalid',
      `The contact margin is ${margin}, but must be 0 or more (metres).`,
      'margin',
    );
  }
  // Made twice on purpose: see `warmUp`.
  makeQuery(shell, field, options, margin);
  const query = makeQuery(shell, field, options, margin);
  warmUp(query);
  return query;
}

function makeQuery(
  ownShell: PointShell,
  field: DistanceField,
  options: ContactQueryOptions,
  margin: number,
): ContactQuery {
  // Trilinear interpolation of a function that changes by no more than the way errs by at most half a cell's diagonal, and
  // by what its values are rounded.
  const brickError = (HALF_DIAGONAL + 0.5 / QUANTA_PER_VOXEL) * field.voxelSize;
  const coarseError = BRICK_CELLS * brickError;
  const rim = field.closed ? 0 : OPEN_RIM_VOXELS * field.voxelSize;
  const { mirror } = options;
  const faces = flatFaces(ownShell);
  const shell = mirror ? withFacePoints(ownShell) : ownShell;
  const faceOf = new Int16Array(shell.count).fill(-1);
  faceOf.set(faces.faceOf);
  const query = {
    shell,
    field,
    facePairs: mirror ? createFacePairs(shell, faces, flatFaces(mirror.shell), mirror) : null,
    faceOf,
    replaced: new Uint8Array(faces.faces.length),
    shellOn: options.shellOn,
    // The compiler takes a field that first holds 0 for one of whole numbers, and starts again when it meets another.
    margin: A_FRACTION,
    within: A_FRACTION,
    maxContacts: checkedCap(options.maxContacts, shell.count, 'maxContacts'),
    maxVisited: checkedCap(options.maxVisited, shell.count, 'maxVisited'),
    counters: { visited: 0, culled: 0, capped: 0, badPose: 0 },
    brickError,
    isCautious: options.isCautious ?? false,
    doubtsEdges: options.doubtsEdges ?? false,
    // Voxels with a node outside the band are the only ones that do not hold exact nodes alone.
    contactError: (margin < field.band - 2 * brickError ? brickError : coarseError) + rim,
    grid: gridNumbers(field),
    workspace: {
      replacedCount: 0,
      relative: new Float64Array(7),
      relativeRotation: new Float64Array(9),
      toCells: new Float64Array(12),
      shellRotation: new Float64Array(9),
      fieldRotation: new Float64Array(9),
      nextCount: 0,
      next: new Uint32Array(shell.count),
      nextBound: new Float64Array(shell.count),
      activeCount: 0,
      active: new Uint32Array(shell.count),
      foundCount: 0,
      found: new Uint32Array(shell.count),
      foundDistance: new Float64Array(shell.count),
      edge: new Float64Array(3),
      gradient: new Float64Array(3 * shell.count),
      nearAfter: new Float64Array(shell.count).fill(Number.NEGATIVE_INFINITY),
      lowestAfter: new Float64Array(shell.count),
      voxelOf: new Float64Array(shell.count).fill(-1),
      corners: new Float32Array(8 * shell.count),
      travel: new Float64Array(2),
      isWalk: 0,
      listCount: 0,
      list: new Uint32Array(shell.count),
      listLevels: 0,
      listEnds: new Uint32Array(shell.levelEnds.length),
      close: new Uint32Array(shell.count),
      closeEnds: new Uint32Array(shell.levelEnds.length),
      listed: Float64Array.of(Number.NEGATIVE_INFINITY, 0, 0, Number.NEGATIVE_INFINITY, 0, 0, 0, 0),
      middle: middleOf(shell),
      lastMiddle: new Float64Array(3),
      lastRelative: new Float64Array(7),
    },
  };
  query.margin = margin;
  query.within = margin;
  return query;
}

const A_FRACTION = 0.5;

/** Of the bounds; then the distance of the point that is furthest from it, m. */
function middleOf({ points, count }: PointShell): Float64Array {
  const middle = new Float64Array(4);
  for (let axis = 0; axis < 3; axis += 1) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let point = 0; point < count; point += 1) {
      low = Math.min(low, points[3 * point + axis]);
      high = Math.max(high, points[3 * point + axis]);
    }
    middle[axis] = count > 0 ? (low + high) / 2 : 0;
  }
  for (let point = 0; point < count; point += 1) {
    const [x, y, z] = points.subarray(3 * point, 3 * point + 3);
    middle[3] = Math.max(middle[3], length3(x - middle[0], y - middle[1], z - middle[2]));
  }
  return middle;
}

/**
 * Asks once along a line from deep inside to far outside, so that the compiler has seen every branch before it optimises
 * the query. Otherwise it may give up on code that meets its first contact late, and in Node 20 one process in four then
 * stays at half the speed.
 *
 * Nor may it give up later. V8 settles the shape of an object when the literal that makes it runs for the second time,
 * throws away what was compiled before, and (Node 20) sometimes never compiles a long loop again. Hence a query is made
 * twice before its code is first run.
 */
function warmUp(query: ContactQuery): void {
  const { bounds } = query.field;
  const set = createContactSet(query.maxContacts);
  const pose = createPose();
  for (let step = 0; step <= WARM_UP_STEPS; step += 1) {
    for (let axis = 0; axis < 3; axis += 1) {
      const size = bounds[3 + axis] - bounds[axis];
      const centre = bounds[axis] + size / 2;
      pose[axis] = centre - query.shell.points[axis] + (3 * step * size) / WARM_UP_STEPS;
    }
    queryContacts(query, set, pose, FIELD_POSE, FIELD_POSE);
  }
  query.counters.visited = 0;
  query.counters.culled = 0;
  query.counters.capped = 0;
  query.facePairs?.mirror.replaced.fill(0);
}

const WARM_UP_STEPS = 12;
const FIELD_POSE = createPose();

function gridNumbers({ cells, voxelSize }: DistanceField): QueryGrid {
  const [nx, ny, nz] = cells;
  const cellSide = BRICK_CELLS * voxelSize;
  return {
    nx,
    ny,
    nz,
    row: nx + 1,
    layer: (nx + 1) * (ny + 1),
    cellSide,
    perCell: 1 / cellSide,
    perVoxel: 1 / voxelSize,
  };
}

function checkedCap(cap: number | undefined, points: number, name: string): number {
  if (cap === undefined) return points;
  if (!(Number.isInteger(cap) && cap > 0)) {
    throw new PalpableError('option-invalid', `${name} is ${cap}, but must be a whole number above 0.`, name);
  }
  return Math.min(cap, points);
}
