import { describe, expect, it } from 'vitest';
import { ClientForce, WRENCH_VALID_MS } from './client-force.js';

const field = {
  origin: [0.1, 0, 0],
  force: [1, 2, 3],
  jacobian: [-10, 0, 0, 0, 0, 0, 0, 5, 0],
  radius: 0.5,
};

describe("a client's force", () => {
  const out = new Float64Array(6);

  it('is nothing until it has said something', () => {
    expect(new ClientForce().evaluate(out, [0, 0, 0], 0)).toBe(false);
    expect([...out]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('follows a field inside its radius, and holds without being renewed', () => {
    const force = new ClientForce();
    force.setField(field);
    expect(force.evaluate(out, [0.1, 0, 0], 0)).toBe(true);
    expect([...out]).toEqual([1, 2, 3, 0, 0, 0]);
    force.evaluate(out, [0.3, 0.2, 0], 1e9);
    expect(out[0]).toBeCloseTo(-1, 12);
    expect(out[2]).toBeCloseTo(4, 12);
    expect(force.evaluate(out, [0.7, 0, 0], 0)).toBe(false);
    force.setField({ ...field, radius: 0 });
    expect(force.evaluate(out, [0.1, 0, 0], 0)).toBe(false);
  });

  it('is the wrench of a client that sends both, until it is old', () => {
    const force = new ClientForce();
    force.setField(field);
    force.setWrench(Float64Array.of(0, 0, 1, 0, 0.1, 0), 100);
    expect(force.evaluate(out, [0.1, 0, 0], 100 + WRENCH_VALID_MS)).toBe(true);
    expect([...out]).toEqual([0, 0, 1, 0, 0.1, 0]);
    expect(force.evaluate(out, [0.1, 0, 0], 101 + WRENCH_VALID_MS)).toBe(false);
    expect([...out]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('ends when its client leaves', () => {
    const force = new ClientForce();
    force.setField(field);
    force.clear();
    expect(force.evaluate(out, [0.1, 0, 0], 0)).toBe(false);
  });
});
