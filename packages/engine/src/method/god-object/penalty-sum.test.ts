import { beforeAll, expect, test } from 'vitest';
import { createContactQuery } from '../../contact/create-contact-query.js';
import { createPose, type Pose } from '../../math/pose.js';
import { createBox } from '../../mesh/shapes.js';
import { prepareRigBodies, type RigBodies, turnedPose } from '../rig.fixture.js';
import { createContactPair, createToolContacts, findToolContacts } from '../tool-contacts.js';
import {
  createPenaltySum,
  PENALTY_DEPTH,
  PENALTY_FORCE,
  PENALTY_KINETIC,
  PENALTY_STATIC,
  type PenaltySum,
  sumPenalty,
} from './penalty-sum.js';

const MARGIN = 0.003;
let block: RigBodies;

beforeAll(async () => {
  const tool = createBox(0.06, 0.06, 0.06);
  block = await prepareRigBodies(tool, createBox(0.2, 0.2, 0.02), { shellOn: 'tool', spacing: 0.004 });
}, 90_000);

/** A block that touches plates at those poses, μ = 0.5 and 0.4. */
function sumAt(plates: readonly Pose[], pose: Pose): PenaltySum {
  const { shell, field } = block.query;
  const pairs = plates.map((environmentPose) =>
    createContactPair(createContactQuery(shell, field, { shellOn: 'tool', margin: MARGIN }), {
      ...{ environmentPose, staticCoefficient: 0.5, kineticCoefficient: 0.4 },
    }),
  );
  const contacts = createToolContacts(block.tool, pairs);
  const sum = createPenaltySum(contacts, MARGIN, { sampling: 'field', cornerWeighting: true, oneByOne: false });
  findToolContacts(contacts, pose);
  sumPenalty(sum, pose);
  return sum;
}

test('friction on one plate is that of the pair', () => {
  const { values } = sumAt([createPose(0, 0, -0.04)], createPose());
  expect(values[PENALTY_STATIC]).toBeCloseTo(0.5, 6);
  expect(values[PENALTY_KINETIC]).toBeCloseTo(0.4, 6);
});

test('in a groove it is that of a wedge: μ / sin of the half angle', () => {
  // A block that stands on its edge, between plates of 45°.
  const groove = [turnedPose([0.0283, 0, -0.0283], 1, -Math.PI / 4), turnedPose([-0.0283, 0, -0.0283], 1, Math.PI / 4)];
  const { values } = sumAt(groove, turnedPose([0, 0, 0], 1, Math.PI / 4));
  expect(values[PENALTY_STATIC]! / (0.5 * Math.SQRT2)).toBeCloseTo(1, 2);
  expect(values[PENALTY_KINETIC]! / (0.4 * Math.SQRT2)).toBeCloseTo(1, 2);
});

test('between two walls, where forces cancel, there is no wedge', () => {
  const walls = [turnedPose([0.04, 0, 0], 1, -Math.PI / 2), turnedPose([-0.04, 0, 0], 1, Math.PI / 2)];
  expect(sumAt(walls, createPose()).values[PENALTY_STATIC]).toBeCloseTo(0.5, 6);
});

test('a point round a corner that lies deeper than all others pushes the tool out along the gradient', () => {
  const sum = sumAt([createPose(0, 0, -0.04)], createPose());
  const { set, ends } = sum.contacts;
  set.count = 1;
  ends[0] = 1;
  set.depth[0] = 1e-3;
  set.normal.set([-0.6, 0, 0.8]);
  set.gradient.set([0.8, 0, 0.6]);
  sumPenalty(sum, createPose());
  expect(sum.values[PENALTY_DEPTH]).toBeCloseTo(MARGIN + 1e-3, 12);
  const [x, y, z] = sum.values.subarray(PENALTY_FORCE, PENALTY_FORCE + 3);
  expect([x! / Math.hypot(x!, z!), y, z! / Math.hypot(x!, z!)]).toEqual([
    expect.closeTo(0.8, 9),
    0,
    expect.closeTo(0.6, 9),
  ]);
});
