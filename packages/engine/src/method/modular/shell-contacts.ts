import { type ContactSet, moveContact } from '../../contact/contact-set.js';
import { writeCornerWeights } from '../../contact/contact-stiffness.js';
import { appendContacts } from '../../contact/query-contacts.js';
import type { Pose } from '../../math/pose.js';
import type { ContactPair } from '../tool-contacts.js';
import type { ModularContacts } from './contact-side.js';

/**
 * Contacts of shells against fields. A point round the corner of the face that touches, whose normal lies in the other
 * surface, would push sideways: the less it faces that surface the less deep it is taken to be, down to the margin, where it
 * pushes no more. The queries' margin is the tolerance d: give both the same. The environment's poses
 * are those of the pairs, which may change; with `moving` the pose of that pair is the one that the haptic side sends.
 */
export function createShellContacts(pairs: readonly ContactPair[], moving = -1): ModularContacts {
  let capacity = 0;
  for (const { query } of pairs) capacity += query.maxContacts;
  const coefficients = new Float64Array(2 * capacity);
  const source = {
    capacity,
    coefficients,
    capped: 0,
    ...(moving >= 0 && { environmentPose: pairs[moving].environmentPose }),
    find(set: ContactSet, toolPose: Pose, centre: Float64Array): void {
      set.count = 0;
      source.capped = 0;
      for (let p = 0; p < pairs.length; p += 1) {
        const { query, environmentPose } = pairs[p];
        const first = set.count;
        if (query.shellOn === 'tool') appendContacts(query, set, toolPose, environmentPose, centre);
        else appendContacts(query, set, environmentPose, toolPose, centre);
        raiseCorners(set, first, query);
        if (query.shellOn !== 'tool') moveToTool(set, first);
        source.capped |= query.counters.capped;
        writeCoefficients(coefficients, set, first, pairs[p]);
      }
    },
  };
  return source;
}

/** Takes points round the corner out, by and by. */
function raiseCorners(set: ContactSet, first: number, { margin }: ContactPair['query']): void {
  const { depth, stiffness: weight } = set;
  writeCornerWeights(weight, set, first);
  let count = first;
  for (let c = first; c < set.count; c += 1) {
    if (!(weight[c] > 0)) continue;
    if (weight[c] < 1) depth[c] = weight[c] * (depth[c] + margin) - margin;
    if (count < c) moveContact(set, c, count);
    count += 1;
  }
  set.count = count;
}

/** From the shell's point on the environment to the tool's surface. */
function moveToTool(set: ContactSet, first: number): void {
  for (let c = first; c < set.count; c += 1) {
    for (let i = 0; i < 3; i += 1) set.position[3 * c + i] -= set.depth[c] * set.normal[3 * c + i];
  }
}

function writeCoefficients(
  coefficients: Float64Array,
  { count, point }: ContactSet,
  first: number,
  { staticCoefficient, kineticCoefficient, dynamicPoints }: ContactPair,
): void {
  for (let c = first; c < count; c += 1) {
    const dynamic = dynamicPoints !== null && dynamicPoints[point[c]] === 1;
    coefficients[2 * c] = dynamic ? kineticCoefficient : staticCoefficient;
    coefficients[2 * c + 1] = kineticCoefficient;
  }
}
