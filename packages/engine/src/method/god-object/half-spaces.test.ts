import { describe, expect, test } from 'vitest';
import { createRandom, type RandomSource } from '../../base/random.js';
import { solveLinear } from '../../math/linear-algebra.js';
import { createHalfSpaces, type HalfSpaces, projectOnHalfSpaces } from './half-spaces.js';

const SEED = 20261115;

function randomSpaces(random: RandomSource, count: number, spread = 1): HalfSpaces {
  const space = createHalfSpaces(count);
  space.count = count;
  for (let e = 0; e < 6 * count; e += 1) space.columns[e] = 2 * random() - 1;
  // Around the origin, so that there is always something inside.
  for (let c = 0; c < count; c += 1) space.bound[c] = -spread * random();
  return space;
}

function randomPoint(random: RandomSource, size: number): Float64Array {
  return Float64Array.from({ length: 6 }, () => size * (2 * random() - 1));
}

const slackOf = ({ columns, bound }: HalfSpaces, y: Float64Array, c: number) =>
  y.reduce((sum, value, i) => sum + value * columns[6 * c + i], -bound[c]);

const distance = (a: Float64Array, b: Float64Array) => Math.hypot(...a.map((value, i) => value - b[i]));

/** Nearest point by trying every set of up to six half-spaces as the active one. */
function bruteForce(space: HalfSpaces, target: Float64Array): number {
  let best = Number.POSITIVE_INFINITY;
  for (let mask = 0; mask < 1 << space.count; mask += 1) {
    const chosen = Array.from({ length: space.count }, (_, c) => c).filter((c) => (mask >> c) & 1);
    if (chosen.length > 6) continue;
    const y = pointOf(space, target, chosen);
    if (!y) continue;
    if (chosen.length + space.count > 0 && hasViolation(space, y)) continue;
    best = Math.min(best, distance(y, target));
  }
  return best;
}

function hasViolation(space: HalfSpaces, y: Float64Array): boolean {
  for (let c = 0; c < space.count; c += 1) if (slackOf(space, y, c) < -1e-9) return true;
  return false;
}

function pointOf(space: HalfSpaces, target: Float64Array, chosen: readonly number[]): Float64Array | null {
  const n = chosen.length;
  const matrix = new Float64Array(n * n);
  const u = new Float64Array(n);
  chosen.forEach((a, i) => {
    u[i] = -slackOf(space, target, a);
    chosen.forEach((b, j) => {
      for (let k = 0; k < 6; k += 1) matrix[n * i + j] += space.columns[6 * a + k] * space.columns[6 * b + k];
    });
  });
  if (n > 0 && !solveLinear(u, matrix, n)) return null;
  return target.map((value, k) => chosen.reduce((sum, a, i) => sum + u[i] * space.columns[6 * a + k], value));
}

/** Largest breach of the conditions that make y the nearest point. */
function residual(space: HalfSpaces, target: Float64Array): number {
  const { y, active, activeCount, multiplier } = space;
  let worst = 0;
  for (let c = 0; c < space.count; c += 1) worst = Math.max(worst, -slackOf(space, y, c));
  const reached = Float64Array.from(target);
  for (let j = 0; j < activeCount; j += 1) {
    worst = Math.max(worst, -multiplier[j], Math.abs(slackOf(space, y, active[j])));
    for (let i = 0; i < 6; i += 1) reached[i] += multiplier[j] * space.columns[6 * active[j] + i];
  }
  return Math.max(worst, distance(reached, y));
}

describe('projection on half-spaces', () => {
  test('is the point that trying all active sets finds', () => {
    const random = createRandom(SEED);
    for (let round = 0; round < 150; round += 1) {
      const space = randomSpaces(random, 1 + Math.floor(9 * random()), 0.3);
      const target = randomPoint(random, 2);
      projectOnHalfSpaces(space, target);
      expect(space.infeasible || space.capped, `seed ${SEED}, round ${round}`).toBe(false);
      expect(Math.abs(distance(space.y, target) - bruteForce(space, target)), `round ${round}`).toBeLessThan(1e-9);
    }
  });

  test.each([20, 100, 500])('meets the conditions of the nearest point with %i half-spaces', (count) => {
    const random = createRandom(SEED + count);
    for (let round = 0; round < 100; round += 1) {
      const space = randomSpaces(random, count);
      const target = randomPoint(random, 3);
      projectOnHalfSpaces(space, target);
      expect(space.capped, `seed ${SEED}, round ${round}`).toBe(false);
      expect(space.activeCount).toBeLessThanOrEqual(6);
      expect(residual(space, target), `round ${round}`).toBeLessThan(1e-9);
    }
  });

  test('copes with faces: many half-spaces that are parallel or equal', () => {
    const random = createRandom(SEED);
    for (let round = 0; round < 50; round += 1) {
      const space = createHalfSpaces(400);
      space.count = 400;
      for (let c = 0; c < 400; c += 1) {
        // Points of three faces of a box, lifted by nothing or by rounding.
        const axis = c % 3;
        const arm = [0, 1, 2].map((k) => (k === axis ? -1 : 2 * random() - 1));
        const normal = [0, 0, 0];
        normal[axis] = 1;
        space.columns.set(normal, 6 * c);
        space.columns[6 * c + 3] = arm[1] * normal[2] - arm[2] * normal[1];
        space.columns[6 * c + 4] = arm[2] * normal[0] - arm[0] * normal[2];
        space.columns[6 * c + 5] = arm[0] * normal[1] - arm[1] * normal[0];
        space.bound[c] = round % 2 === 0 ? 0 : -1e-13 * random();
      }
      const target = randomPoint(random, 0.01);
      projectOnHalfSpaces(space, target);
      expect(space.capped || space.infeasible, `round ${round}`).toBe(false);
      expect(residual(space, target), `round ${round}`).toBeLessThan(1e-9);
    }
  });

  test('stays at a target that violates nothing, and says when nothing is left', () => {
    const space = createHalfSpaces(2);
    space.count = 1;
    space.columns[0] = 1;
    space.bound[0] = -1;
    const target = Float64Array.of(0.5, 2, 0, 0, 1, 0);
    projectOnHalfSpaces(space, target);
    expect([...space.y]).toEqual([...target]);
    expect(space.activeCount).toBe(0);
    space.count = 2;
    space.columns[6] = -1;
    space.bound.set([1, 1]);
    projectOnHalfSpaces(space, target);
    expect(space.infeasible).toBe(true);
  });
});
