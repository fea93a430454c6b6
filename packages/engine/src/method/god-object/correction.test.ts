import { describe, expect, test } from 'vitest';
import { createRandom } from '../../base/random.js';
import { createPose, rotationMatrix } from '../../math/pose.js';
import {
  CORRECTION_LAMBDA,
  CORRECTION_LEVER,
  CORRECTION_THETA,
  type CorrectionRule,
  createCorrection,
  findCorrection,
} from './correction.js';
import { PENALTY_DEPTH, PENALTY_MARGIN, PENALTY_SIZE, PENALTY_TOTAL } from './penalty-sum.js';

const MARGIN = 0.003;
const ROTATION = rotationMatrix(new Float64Array(9), createPose());

/** Inertia of a ball or a box of 1 kg. */
const SPHERE = { mass: 1, length: 1, inertia: Float64Array.of(0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4) };
const CUBE = { mass: 1, length: 0.866, inertia: Float64Array.of(1 / 6, 0, 0, 0, 1 / 6, 0, 0, 0, 1 / 6) };
const SLAB = { mass: 2, length: 1.5, inertia: Float64Array.of(0.7, 0.05, 0, 0.05, 0.4, 0.1, 0, 0.1, 0.9) };

function penaltyOf(force: number[], torque: number[], p: number, total = 0): Float64Array {
  const penalty = new Float64Array(PENALTY_SIZE);
  penalty.set([...force, ...torque]);
  penalty[PENALTY_DEPTH] = p + MARGIN;
  penalty[PENALTY_MARGIN] = MARGIN;
  penalty[PENALTY_TOTAL] = total;
  return penalty;
}

const cross = (a: number[], b: number[]) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

describe('the correction', () => {
  test('resolves the overlap to first order for any lever, on any body', () => {
    const random = createRandom(7);
    for (let round = 0; round < 200; round += 1) {
      const tool = [SPHERE, CUBE, SLAB][round % 3];
      const correction = createCorrection('least-energy', tool);
      const force = [random() - 0.5, random() - 0.5, random() - 0.5];
      const arm = [random() - 0.5, random() - 0.5, random() - 0.5];
      const p = 1e-3 * (random() - 0.3);
      findCorrection(correction, penaltyOf(force, cross(arm, force), p), ROTATION);
      const { step } = correction;
      const velocity = cross([...step.subarray(3)], arm).map((value, i) => value + step[i]);
      const size = Math.hypot(...force);
      expect(Math.abs(dot(velocity, force) / size - p), `round ${round}`).toBeLessThan(1e-12);
    }
  });

  test('is the twist of least energy among those that do', () => {
    const correction = createCorrection('least-energy', SLAB);
    const force = [0.2, -0.1, 0.7];
    const arm = [0.4, 0.3, -0.5];
    findCorrection(correction, penaltyOf(force, cross(arm, force), 1e-3), ROTATION);
    // M⁻¹J up to a factor: translation along the force per mass, rotation along I⁻¹ of the torque.
    const { step } = correction;
    const turn = step.subarray(3);
    const momentum = [0, 1, 2].map((i) => dot(SLAB.inertia.subarray(3 * i), turn));
    const scale = (SLAB.mass * dot(step, force)) / dot(force, force);
    const torque = cross(arm, force);
    const along = dot(torque, force) / dot(force, force);
    torque.forEach((value, i) => {
      expect(momentum[i] / scale).toBeCloseTo(value - along * force[i], 9);
    });
  });

  test('head-on it only translates, by a torque along the force it is not misled', () => {
    const correction = createCorrection('least-energy', SPHERE);
    for (const twist of [0, 0.4]) {
      findCorrection(correction, penaltyOf([0, 0, 2], [0, 0, twist], 1e-3), ROTATION);
      expect(correction.values[CORRECTION_LAMBDA]).toBe(1);
      expect([...correction.step]).toEqual([0, 0, 1e-3, 0, 0, 0]);
    }
  });

  test('a couple is turned back, without a translation', () => {
    const correction = createCorrection('least-energy', CUBE);
    // Two contacts, half a side to the left and right, that push up and down.
    findCorrection(correction, penaltyOf([0, 0, 0], [0, 2 * 0.5 * 0.004, 0], 1e-3, 2 * 0.004), ROTATION);
    expect(correction.squeezed).toBe(true);
    expect(correction.values[CORRECTION_LEVER]).toBeCloseTo(0.5, 12);
    expect([...correction.step].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([0, 0, 0, 0, 2e-3, 0]);
  });

  test('as printed it resolves a part that grows with the lever, and nothing head-on', () => {
    const resolved = (lever: number, rule: CorrectionRule) => {
      const correction = createCorrection(rule, SPHERE);
      findCorrection(correction, penaltyOf([0, 0, 1], [lever, 0, 0], 1e-3), ROTATION);
      const { values } = correction;
      return values[CORRECTION_LAMBDA] + (values[CORRECTION_THETA] * lever) / 1e-3;
    };
    const printed = [0.1, 0.5, 0.8, 1].map((lever) => Math.round(100 * resolved(lever, 'printed')));
    expect(printed).toEqual([1, 32, 71, 100]);
    for (const lever of [0, 0.1, 0.5, 0.8, 1]) expect(resolved(lever, 'least-energy')).toBeCloseTo(1, 9);
  });

  test('keeps the last direction while the contacts cancel', () => {
    const correction = createCorrection('least-energy', CUBE);
    findCorrection(correction, penaltyOf([0, 0, 1], [0, 0, 0], 1e-3, 1), ROTATION);
    findCorrection(correction, penaltyOf([1e-4, 0, 0], [0, 0, 0], 1e-3, 1), ROTATION);
    expect(correction.squeezed).toBe(true);
    expect([...correction.ux]).toEqual([0, 0, 1]);
    expect([...correction.step]).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
