import { describe, expect, it } from 'vitest';
import { takeSmoothNormals } from './contact-normal.js';
import { type ContactSet, createContactSet } from './contact-set.js';

const TILT = [Math.sin(0.02), 0, Math.cos(0.02)];

function contact(gradient: readonly number[], normal: readonly number[] = TILT): ContactSet {
  const set = createContactSet(1);
  set.count = 1;
  set.normal.set(normal);
  set.gradient.set(gradient);
  takeSmoothNormals(set, 0, 1);
  return set;
}

describe('the normal of a contact', () => {
  it('is the gradient where that is smooth, however the body with the shell tilts', () => {
    expect([...contact([0, 0, 1]).normal]).toEqual([0, 0, 1]);
    expect([...contact([0, 0, 1.001]).normal]).toEqual([0, 0, 1]);
  });

  it("is the shell's at edges of the field, and past the middle of something thin", () => {
    expect([...contact([0, 0, 0.98]).normal]).toEqual(TILT);
    expect([...contact([0, 0, 1.02]).normal]).toEqual(TILT);
    expect([...contact([0, 0, -1]).normal]).toEqual(TILT);
    expect([...contact([0, 0, 0]).normal]).toEqual(TILT);
  });

  it('goes from one to the other without a jump, and stays a unit vector', () => {
    let last = contact([0, 0, 1]).normal[0]!;
    for (let length = 1; length > 0.985; length -= 1e-4) {
      const { normal } = contact([0, 0, length]);
      expect(Math.hypot(...normal)).toBeCloseTo(1, 14);
      expect(Math.abs(normal[0]! - last)).toBeLessThan(5e-4);
      last = normal[0]!;
    }
    expect(last).toBe(TILT[0]);
  });
});
