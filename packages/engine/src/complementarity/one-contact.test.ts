import { expect, test } from 'vitest';
import { createRandom, type RandomSource } from '../base/random.js';
import { BLOCK_STRIDE, solveOneContact } from './one-contact.js';

const SEED = 20261115;

/** Symmetric and positive definite; `coupling` 0 leaves normal and tangents apart. */
function randomBlock(random: RandomSource, coupling: number): Float64Array {
  const b = Float64Array.from({ length: 9 }, () => 2 * random() - 1);
  const block = new Float64Array(BLOCK_STRIDE);
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      let sum = row === column ? 0.05 : 0;
      for (let k = 0; k < 3; k += 1) sum += b[3 * row + k] * b[3 * column + k];
      const across = (row === 0) !== (column === 0);
      block[3 * row + column] = across ? coupling * sum : sum;
    }
  }
  return block;
}

function motion(block: Float64Array, gap: Float64Array, force: Float64Array): number[] {
  return [0, 1, 2].map((row) => gap[row] + [0, 1, 2].reduce((sum, c) => sum + block[3 * row + c] * force[c], 0));
}

test.each([
  [0, 0.4],
  [0.3, 0.4],
  [1, 0.9],
  [1, 50],
])('fulfils both laws exactly, coupling %f, μ up to %f', (coupling, most) => {
  const random = createRandom(SEED);
  const seen = { open: 0, stick: 0, slip: 0 };
  for (let n = 0; n < 3000; n += 1) {
    const block = randomBlock(random, coupling);
    const scale = 10 ** (12 * random() - 6);
    const slide = random();
    const gap = Float64Array.from({ length: 3 }, (_, axis) => scale * (axis === 0 ? 1 : slide) * (2 * random() - 1));
    const coefficient = Float64Array.of(most * random());
    const force = new Float64Array(3);
    solveOneContact(force, gap, block, 0, coefficient, 0);
    const [along, u, v] = motion(block, gap, force);
    const where = `seed ${SEED}, contact ${n}`;
    const size = Math.sqrt(force[1] ** 2 + force[2] ** 2);
    const tiny = 1e-9 * scale;
    expect(force[0], where).toBeGreaterThanOrEqual(0);
    expect(size - coefficient[0] * force[0], where).toBeLessThanOrEqual(1e-12 * (size + force[0]));
    if (force[0] === 0) {
      seen.open += 1;
      expect(along, where).toBeGreaterThanOrEqual(0);
      continue;
    }
    expect(Math.abs(along), where).toBeLessThan(tiny);
    const speed = Math.sqrt(u * u + v * v);
    if (speed < tiny) {
      seen.stick += 1;
      continue;
    }
    seen.slip += 1;
    expect(Math.abs(size - coefficient[0] * force[0]), where).toBeLessThan(tiny);
    expect(Math.abs(force[1] * u + force[2] * v + size * speed), where).toBeLessThan(tiny * (size + speed));
  }
  expect(Math.min(seen.open, seen.stick, seen.slip)).toBeGreaterThan(50);
});

test('needs no friction to push, and none to stick where nothing moves', () => {
  const block = Float64Array.of(2, 0, 0, 0, 1, 0, 0, 0, 1);
  const force = new Float64Array(3);
  solveOneContact(force, Float64Array.of(-4, 1, 1), block, 0, Float64Array.of(0), 0);
  expect([...force]).toEqual([2, 0, 0]);
  solveOneContact(force, Float64Array.of(-4, 0, 0), block, 0, Float64Array.of(0.5), 0);
  expect(force.map(Math.abs)).toEqual(Float64Array.of(2, 0, 0));
});

test('stays finite and lawful where W is singular', () => {
  const force = new Float64Array(3);
  const coefficient = Float64Array.of(0.5);
  // No motion along the tangents follows from any force: friction is at its bound, against them.
  const rigid = Float64Array.of(2, 0, 0, 0, 0, 0, 0, 0, 0);
  solveOneContact(force, Float64Array.of(-4, 3, 4), rigid, 0, coefficient, 0);
  expect(force[0]).toBeCloseTo(2, 12);
  expect(force[1]).toBeCloseTo(-0.6, 12);
  expect(force[2]).toBeCloseTo(-0.8, 12);
  // One tangent gives way: along it the contact sticks.
  const ridge = Float64Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0);
  solveOneContact(force, Float64Array.of(-4, 0.3, 0), ridge, 0, coefficient, 0);
  expect(force[0]).toBeCloseTo(2, 12);
  expect(force[1]).toBeCloseTo(-0.3, 9);
  solveOneContact(force, Float64Array.of(-4, 0, 0), rigid, 0, coefficient, 0);
  expect([...force]).toEqual([2, 0, 0]);
  // Nothing that no force could open gets one.
  for (const normal of [0, -1, Number.NaN]) {
    solveOneContact(
      force,
      Float64Array.of(-4, 1, 0),
      Float64Array.of(normal, 0, 0, 0, 1, 0, 0, 0, 1),
      0,
      coefficient,
      0,
    );
    expect([...force]).toEqual([0, 0, 0]);
  }
});
