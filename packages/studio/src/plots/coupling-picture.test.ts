import { describe, expect, it } from 'vitest';
import type { Rgb } from '../stage/colours.js';
import { formatCoupling, orderByCoupling, paintCouplings, strongestCouplings } from './coupling-picture.js';

/** Contacts on the legs of a table: those on one leg hang together, others hardly. */
function table(legs: readonly number[]) {
  const couplings = new Float32Array(3 * legs.length ** 2);
  legs.forEach((a, row) => {
    legs.forEach((b, column) => {
      const at = 3 * (row * legs.length + column);
      couplings.set(a === b ? [1, 0.5, 0.1] : [0.02, 0, 0], at);
      if (row === column) couplings.set([1.2, 0.6, 0.2], at);
    });
  });
  return { counts: Int32Array.of(legs.length, legs.length), couplings };
}

const BLACK: Rgb = [0, 0, 0];
const LIGHTS = {
  ground: BLACK,
  colours: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ] as readonly Rgb[],
  shown: [true, true, true],
};

describe('the picture of the Delassus operator', () => {
  it('puts contacts of one leg side by side', () => {
    const legs = [0, 1, 2, 3, 0, 1, 2, 3, 3, 1];
    const order = orderByCoupling(table(legs)).map((contact) => legs[contact]!);
    const changes = order.filter((leg, k) => k > 0 && leg !== order[k - 1]).length;
    expect(changes).toBe(3);
    expect([...order].sort()).toEqual([...legs].sort());
  });

  it('has the direction as colour and the strength as its amount', () => {
    const pixels = paintCouplings(table([0, 1]), LIGHTS);
    // Each contact moves itself most, along every direction.
    expect([...pixels.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
    expect(pixels[4]).toBeGreaterThan(0);
    expect(pixels[4]).toBeLessThan(100);
    expect([...pixels.subarray(5, 8)]).toEqual([0, 0, 255]);
  });

  it('leaves out directions that are not wanted', () => {
    const pixels = paintCouplings(table([0]), { ...LIGHTS, shown: [false, true, false] });
    expect(pixels[0]).toBe(0);
    expect(pixels[1]).toBeGreaterThan(0);
  });

  it('tells how strong the strongest are', () => {
    const strongest = strongestCouplings(table([0, 0, 1]));
    [1.2, 0.6, 0.2].forEach((value, k) => {
      expect(strongest[k]).toBeCloseTo(value);
    });
    expect(formatCoupling(1.25e-5)).toBe('12.5 µm/N');
    expect(formatCoupling(0.00234)).toBe('2.34 mm/N');
    expect(formatCoupling(0)).toBe('0 µm/N');
  });

  it('is empty without contacts and stands numbers that are none', () => {
    expect(paintCouplings(table([]), LIGHTS)).toHaveLength(0);
    const broken = table([0, 0, 1]);
    broken.couplings.fill(Number.NaN);
    expect(orderByCoupling(broken)).toHaveLength(3);
    expect(paintCouplings(broken, LIGHTS)[0]).toBe(0);
  });
});
