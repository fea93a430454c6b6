import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { createSphere } from './shapes.js';
import { weldMesh } from './weld.js';

describe('welding', () => {
  it('joins equal positions, −0 with 0, and drops unused vertices', () => {
    const positions = Float64Array.of(0, 0, 0, 1, 0, 0, 7, 7, 7, 0, 1, 0, -0, 0, -0, 1, 0, 0, 0, 0, 1);
    const welded = weldMesh({ positions, triangles: Uint32Array.of(0, 1, 3, 4, 5, 6) });
    expect(Array.from(welded.positions)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    expect(Array.from(welded.triangles)).toEqual([0, 1, 2, 0, 1, 3]);
  });

  it('joins nothing that differs in the last bit unless a tolerance says so', () => {
    const positions = Float64Array.of(1, 0, 0, 1 + Number.EPSILON, 0, 0, 0, 1, 0);
    const mesh = { positions, triangles: Uint32Array.of(0, 1, 2) };
    expect(weldMesh(mesh).positions).toHaveLength(9);
    expect(weldMesh(mesh, 1e-12).positions).toHaveLength(6);
  });

  it('finds every partner across the cells of its grid (seed 6)', () => {
    const random = createRandom(6);
    const sphere = createSphere(1, 10);
    const shaken = (amount: number) => sphere.positions.map((value) => value + (random() - 0.5) * amount);
    const count = sphere.positions.length / 3;
    const twice = {
      positions: Float64Array.from([...shaken(1e-4), ...shaken(1e-4)]),
      triangles: Uint32Array.from([...sphere.triangles, ...sphere.triangles.map((vertex) => vertex + count)]),
    };
    expect(weldMesh(twice, 2e-4).positions).toHaveLength(sphere.positions.length);
  });

  it.each([-1, Number.NaN, Infinity])('refuses the tolerance %s', (tolerance) => {
    expect(() => weldMesh(createSphere(1, 1), tolerance)).toThrow(`The welding tolerance is ${tolerance}`);
  });
});
