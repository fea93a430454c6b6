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

  it('fades to nothing, until something new is set', () => {
    const force = new ClientForce();
    force.setField(field);
    force.fade(100, 20);
    force.fade(115, 20);
    force.evaluate(out, [0.1, 0, 0], 110);
    expect([...out]).toEqual([0.5, 1, 1.5, 0, 0, 0]);
    expect(force.evaluate(out, [0.1, 0, 0], 120)).toBe(false);
    expect(force.holdsField).toBe(false);
    force.setField(field);
    expect(force.evaluate(out, [0.1, 0, 0], 121)).toBe(true);
    expect(force.holdsField).toBe(true);
  });

  it('ends while its client is blind; what that sets counts when it sees again', () => {
    const force = new ClientForce();
    force.setField(field);
    force.setBlind(true, 100);
    expect(force.evaluate(out, [0.1, 0, 0], 110)).toBe(true);
    force.setField({ ...field, force: [7, 0, 0] });
    expect(force.evaluate(out, [0.1, 0, 0], 120)).toBe(false);
    force.setBlind(false, 200);
    force.evaluate(out, [0.1, 0, 0], 200);
    expect(out[0]).toBe(7);

    force.setBlind(true, 300);
    expect(force.evaluate(out, [0.1, 0, 0], 330)).toBe(false);
    force.setBlind(false, 400);
    expect(force.evaluate(out, [0.1, 0, 0], 400)).toBe(false);
  });

  it('is not the wrench of a blind client, however often it is renewed', () => {
    const force = new ClientForce();
    const wrench = Float64Array.of(0, 0, 1, 0, 0, 0);
    force.setWrench(wrench, 100);
    force.setBlind(true, 100);
    force.setWrench(wrench, 120);
    expect(force.evaluate(out, [0, 0, 0], 120)).toBe(false);
    force.setBlind(false, 130);
    force.setWrench(wrench, 131);
    expect(force.evaluate(out, [0, 0, 0], 131)).toBe(true);
  });
});
