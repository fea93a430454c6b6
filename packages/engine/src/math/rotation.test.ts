import { expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import { createPose } from './pose.js';
import { rotationBetween, turnPose } from './rotation.js';

const SEED = 5;

function turned(x: number, y: number, z: number) {
  const pose = createPose();
  turnPose(pose, Float64Array.of(x, y, z), 0);
  return pose;
}

test.each([
  ['none', [0, 0, 0]],
  ['a tiny one', [1e-12, -2e-12, 0]],
  ['a quarter', [0, Math.PI / 2, 0]],
  ['nearly a half', [0, 0, 3.14]],
])('a turn is the quaternion of sine and cosine: %s', (_, [x, y, z]) => {
  const angle = Math.hypot(x, y, z);
  const sine = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
  const expected = [x * sine, y * sine, z * sine, Math.cos(angle / 2)];
  const pose = turned(x, y, z);
  for (let i = 0; i < 4; i += 1) expect(pose[3 + i]).toBeCloseTo(expected[i], 14);
});

test(`the rotation between two poses leads from one to the other (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  const turn = new Float64Array(3);
  for (let n = 0; n < 500; n += 1) {
    const size = [1e-9, 0.01, 1, 2][n % 4];
    const from = turned(4 * random() - 2, 4 * random() - 2, 4 * random() - 2);
    const to = from.slice();
    const by = Float64Array.from({ length: 3 }, () => size * (random() - 0.5));
    turnPose(to, by, 0);
    rotationBetween(turn, from, to);
    for (let i = 0; i < 3; i += 1) expect(turn[i]).toBeCloseTo(by[i], 14);
  }
});

test('of two ways round it takes the short one', () => {
  const turn = new Float64Array(3);
  const to = turned(0, 0, 3);
  for (let i = 3; i < 7; i += 1) to[i] = -to[i];
  rotationBetween(turn, createPose(), to);
  expect(turn[2]).toBeCloseTo(3, 13);
  rotationBetween(turn, createPose(), turned(0, 0, 4));
  expect(turn[2]).toBeCloseTo(4 - 2 * Math.PI, 13);
});
