import { createBox, createMesh, createSphere } from '@palpable/engine';
import { describe, expect, it } from 'vitest';
import { isShaded, shadeMesh } from './creased-normals.js';

const rows = (values: Float32Array) =>
  Array.from({ length: values.length / 3 }, (_, row) => [...values.subarray(3 * row, 3 * row + 3)]);

describe('shadeMesh', () => {
  it('keeps the edges of a box sharp', () => {
    const { cornerNormals } = shadeMesh(createBox(0.01, 0.02, 0.03));
    for (const normal of rows(cornerNormals)) {
      expect(normal.map(Math.abs).sort((a, b) => a - b)).toEqual([0, 0, 1]);
    }
  });

  it('lets a sphere look round, however small it is', () => {
    for (const radius of [1e-4, 1, 1e3]) {
      const shaded = shadeMesh(createSphere(radius, 32));
      rows(shaded.cornerNormals).forEach(([x, y, z], corner) => {
        const at = 3 * shaded.triangles[corner]!;
        const [px, py, pz] = shaded.positions.subarray(at, at + 3);
        expect((x! * px! + y! * py! + z! * pz!) / radius).toBeGreaterThan(0.99);
      });
      expect(isShaded(shaded)).toBe(true);
    }
  });

  it('bears triangles without area and tips of many triangles', () => {
    const flat = createMesh(Float64Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0), Uint32Array.of(0, 1, 2));
    expect([...shadeMesh(flat).cornerNormals]).toEqual(Array(9).fill(0));
    const ring = Array.from({ length: 500 }, (_, k) => [Math.cos(k / 80), Math.sin(k / 80), 0]);
    const fan = createMesh(
      Float64Array.from([[0, 0, 1], ...ring].flat()),
      Uint32Array.from(ring.slice(1).flatMap((_, k) => [0, k + 1, k + 2])),
    );
    for (const normal of rows(shadeMesh(fan).cornerNormals)) expect(Math.hypot(...normal)).toBeCloseTo(1, 5);
  });
});
