import { createPose, type Pose } from '../math/pose.js';
import { FULL_FORCE } from './scene-pairs.js';
import { deepestContact, findToolContacts, type ToolContacts } from './tool-contacts.js';

/** Places that are looked at, at most. */
const MOST_PLACES = 500;
/** A step is at least this part of a voxel. */
const SHORTEST_STEP = 0.25;

/** How deep a tool may rest in what it touches, m: a voxel, or as far as soft contacts give way under the full force. */
export function restingDepth(voxel: number, stiffness: number | null): number {
  return stiffness === null ? voxel : Math.max(voxel, FULL_FORCE / stiffness);
}

/**
 * Moves a tool that is deeper inside of something than it may rest there to the nearest place outside, along a straight path and
 * without turning it: along one of the axes and diagonals, or where the contacts push. Distances do not grow faster than
 * the tool moves, so the deepest contact says how far it has to go at least; the path that may be shortest is followed
 * first. `stiffness` is that of a direction of contact, N/m, where it is given. Gives back how far it went, m: 0 if it was not inside, or if no path leads out.
 */
export function leadOut(pose: Pose, contacts: ToolContacts, stiffness: number | null = null): number {
  let voxel = Number.POSITIVE_INFINITY;
  for (const { query } of contacts.pairs) voxel = Math.min(voxel, query.field.voxelSize);
  findToolContacts(contacts, pose);
  const start = deepestContact(contacts.set);
  if (!(start > restingDepth(voxel, stiffness))) return 0;
  const directions = [...AXES_AND_DIAGONALS, pushOf(contacts)];
  const gone = directions.map(() => start);
  const place = createPose();
  for (let look = 0; look < MOST_PLACES; look += 1) {
    const nearest = gone.indexOf(Math.min(...gone));
    place.set(pose);
    for (let i = 0; i < 3; i += 1) place[i] += gone[nearest] * directions[nearest][i];
    findToolContacts(contacts, place);
    const deepest = deepestContact(contacts.set);
    if (deepest === 0) {
      pose.set(place);
      return gone[nearest];
    }
    gone[nearest] += Math.max(deepest, SHORTEST_STEP * voxel);
  }
  return 0;
}

const AXES_AND_DIAGONALS = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) => [-1, 0, 1].filter((z) => x || y || z).map((z) => unit([x, y, z]))),
);

/** The direction of all contacts together, by their depth. */
function pushOf({ set }: ToolContacts): number[] {
  const push = [0, 0, 0];
  for (let c = 0; c < set.count; c += 1) {
    if (set.depth[c] > 0) for (let i = 0; i < 3; i += 1) push[i] += set.depth[c] * set.normal[3 * c + i];
  }
  return push.some((part) => part !== 0) ? unit(push) : [0, 0, 1];
}

function unit(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, part) => sum + part * part, 0));
  return vector.map((part) => part / length);
}
