import { beforeAll, describe, expect, test } from 'vitest';
import { prepareBody } from '../asset/prepared-body.js';
import { createRandom } from '../base/random.js';
import { QUANTA_PER_VOXEL } from '../field/pack-values.js';
import { createPose, type Pose } from '../math/pose.js';
import { turnPose } from '../math/rotation.js';
import { createBox } from '../mesh/shapes.js';
import type { ContactQuery } from './contact-query.js';
import { type ContactSet, createContactSet } from './contact-set.js';
import { createContactQuery } from './create-contact-query.js';
import { appendContacts, queryContacts } from './query-contacts.js';

const SEED = 5;
const SIDE = 0.06;
const HEIGHT = 0.03;
const MARGIN = 0.003;
const FIELD_POSE = createPose(0, 0, -0.01);

interface Queries {
  readonly query: ContactQuery;
  readonly mirror: ContactQuery;
  readonly set: ContactSet;
}

/** Of a block on a plate whose top is z = 0. */
let reduced: Queries;
let all: Queries;

beforeAll(async () => {
  const block = await prepareBody(createBox(SIDE, SIDE, HEIGHT), {
    field: { resolution: 64 },
    shell: { count: 1500, seed: 1 },
  });
  const plate = await prepareBody(createBox(0.2, 0.2, 0.02), {
    field: { resolution: 128 },
    shell: { count: 2000, seed: 1 },
  });
  [reduced, all] = [true, false].map((isReduced) => {
    const mirror = createContactQuery(plate.shell!, block.field!, { shellOn: 'environment', margin: MARGIN });
    const query = createContactQuery(block.shell!, plate.field!, {
      shellOn: 'tool',
      margin: MARGIN,
      ...(isReduced && { mirror }),
    });
    return { query, mirror, set: createContactSet(4000) };
  });
});

function find({ query, mirror, set }: Queries, pose: Pose, within: number): ContactSet {
  query.within = within;
  mirror.within = within;
  queryContacts(query, set, pose, FIELD_POSE, pose);
  appendContacts(mirror, set, FIELD_POSE, pose, pose);
  return set;
}

const tilted = (pose: Pose, turn: readonly number[]) => {
  turnPose(pose, Float64Array.from(turn), 0);
  return pose;
};

/** Of the contacts: their shares, and the mean of what `value` says of their places, by share. */
function sumOf({ count, share, position }: ContactSet, value: (x: number, y: number) => number) {
  let total = 0;
  let sum = 0;
  for (let c = 0; c < count; c += 1) {
    total += share[c];
    sum += share[c] * value(position[3 * c], position[3 * c + 1]);
  }
  return { total, mean: sum / total };
}

const deepest = ({ count, depth }: ContactSet) => Math.max(0, ...depth.subarray(0, count));

describe('a block flat on a plate', () => {
  test.each([0, 0.3, 0.785, 1.4])('turned by %f, says with few points what it says with all', (turn) => {
    const pose = tilted(createPose(0.01, -0.02, HEIGHT / 2 - 1e-5), [0, 0, turn]);
    const few = find(reduced, pose, 1e-4);
    const many = find(all, pose, 1e-4);
    expect(many.count).toBeGreaterThan(300);
    expect(few.count).toBeLessThan(0.45 * many.count);
    const [x, y] = pose;
    const square = (a: number, b: number) => (a - x) ** 2 + (b - y) ** 2;
    const arm = (a: number, b: number) => Math.sqrt(square(a, b));
    expect(sumOf(few, (a) => a).mean).toBeCloseTo(x, 3);
    expect(sumOf(few, (_, b) => b).mean).toBeCloseTo(y, 3);
    expect(Math.abs(sumOf(few, square).mean / (SIDE ** 2 / 6) - 1)).toBeLessThan(0.02);
    expect(Math.abs(sumOf(few, arm).mean / (0.38259785823 * SIDE) - 1)).toBeLessThan(0.01);
    expect(Math.abs(deepest(few) - 1e-5)).toBeLessThan((0.5 / QUANTA_PER_VOXEL) * reduced.query.field.voxelSize + 5e-9);
  });

  test('stands by the same points while it comes and goes and slides about', () => {
    const random = createRandom(SEED);
    const pose = createPose(0.02, 0.01, HEIGHT / 2);
    const first = reduced.query.facePairs!.firstPoint;
    const placed = ({ count, point }: ContactSet) => [...point.subarray(0, count)].filter((each) => each >= first);
    pose[2] -= 1e-5;
    const before = placed(find(reduced, pose, 2e-4));
    expect(before).toHaveLength(16);
    for (let cycle = 0; cycle < 1500; cycle += 1) {
      pose[0] += 2e-5 * random();
      pose[2] = HEIGHT / 2 + 1e-4 * random() - 1e-5;
      expect(placed(find(reduced, pose, 2e-4)), `cycle ${cycle}`).toEqual(before);
    }
    // Far away there are none, and all come back at once.
    pose[2] += 0.01;
    expect(find(reduced, pose, 2e-4).count).toBe(0);
    pose[2] = HEIGHT / 2;
    expect(placed(find(reduced, pose, 2e-4))).toEqual(before);
  });
});

test('however it is tilted, the deepest place is found as with all points', () => {
  const random = createRandom(SEED + 1);
  let touching = 0;
  for (let n = 0; n < 400; n += 1) {
    const lean = 0.05 * random() ** 3;
    const pose = tilted(createPose(0.14 * (random() - 0.5), 0.14 * (random() - 0.5), HEIGHT / 2 + 2e-4 * random()), [
      lean * (random() - 0.5),
      lean * (random() - 0.5),
      3 * random(),
    ]);
    const [few, many] = [find(reduced, pose, 1e-3), find(all, pose, 1e-3)];
    if (deepest(many) > 0) touching += 1;
    expect(Math.abs(deepest(few) - deepest(many)), `seed ${SEED + 1}, pose ${n}`).toBeLessThan(2e-5);
  }
  expect(touching).toBeGreaterThan(100);
});

test('what the block bears goes to nothing as it leaves the plate', () => {
  let last = Number.POSITIVE_INFINITY;
  for (let x = 0.0705; x < 0.1299; x += 2e-4) {
    const set = find(reduced, createPose(x, 0, HEIGHT / 2 - 1e-5), 1e-4);
    let placed = 0;
    for (let c = 0; c < set.count; c += 1) {
      if (set.point[c] >= reduced.query.facePairs!.firstPoint) placed += set.share[c];
    }
    expect(placed).toBeLessThanOrEqual(last + 1e-9);
    if (last < Number.POSITIVE_INFINITY) expect(last - placed).toBeLessThan(3);
    last = placed;
  }
  expect(last).toBeLessThan(1);
});
