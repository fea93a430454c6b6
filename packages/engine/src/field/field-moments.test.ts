import { describe, expect, it } from 'vitest';
import { createPose, normalizePose, transformPoint } from '../math/pose.js';
import { massProperties, massPropertiesFromMoments } from '../mesh/mass-properties.js';
import { createBox, createSphere, createTorus } from '../mesh/shapes.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildField } from './build-field.js';
import { fieldMoments } from './field-moments.js';

/** Turned about no axis of the grid, and away from the origin. */
function turned(mesh: TriangleMesh): TriangleMesh {
  const pose = createPose(0.3, -0.2, 0.7, 0.3, -0.5, 0.2, 0.7);
  normalizePose(pose);
  const positions = new Float64Array(mesh.positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    transformPoint(positions.subarray(i), pose, mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]);
  }
  return { positions, triangles: mesh.triangles };
}

/** Errors of volume, of the centre in parts of the size, and of the inertia in parts of its largest entry. */
async function errorsOf(mesh: TriangleMesh, resolution: number) {
  const exact = massProperties(mesh, 1);
  const found = massPropertiesFromMoments(fieldMoments(await buildField(mesh, { resolution })), 1);
  const largest = Math.max(...exact.inertia.map(Math.abs));
  return {
    volume: Math.abs(found.volume / exact.volume - 1),
    centre: Math.hypot(...found.centre.map((value, axis) => value - exact.centre[axis])),
    inertia: Math.max(...found.inertia.map((value, n) => Math.abs(value - exact.inertia[n]))) / largest,
  };
}

describe('the moments of a field', () => {
  it.each([
    ['box', createBox(0.7, 0.5, 1)],
    ['turned box', turned(createBox(0.7, 0.5, 1))],
    ['sphere', createSphere(0.5, 12)],
    ['torus', createTorus(0.35, 0.15, 48, 24)],
    ['turned torus', turned(createTorus(0.35, 0.15, 48, 24))],
  ])('are those of the mesh: %s', async (_, mesh) => {
    const coarse = await errorsOf(mesh, 24);
    const fine = await errorsOf(mesh, 64);
    expect(fine.volume).toBeLessThan(2e-3);
    expect(fine.centre).toBeLessThan(1e-4);
    expect(fine.inertia).toBeLessThan(3e-3);
    // Second order would be a factor of 7.
    expect(fine.volume).toBeLessThan(coarse.volume / 3 + 1e-5);
    expect(fine.inertia).toBeLessThan(coarse.inertia / 3 + 1e-5);
  });

  it('are those of the offset surface', async () => {
    const offset = 0.05;
    const { volume } = fieldMoments(await buildField(createSphere(0.5, 16), { resolution: 40, offset }));
    expect(volume / ((4 / 3) * Math.PI * (0.5 + offset) ** 3)).toBeCloseTo(1, 2);
  });

  it('are zero for a sheet, and those of a plate when it is offset', async () => {
    const sheet = {
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0),
      triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
    };
    expect(fieldMoments(await buildField(sheet, { resolution: 24 })).volume).toBe(0);
    const [h, offset] = [1 / 24, 0.1];
    const { volume } = fieldMoments(await buildField(sheet, { resolution: 24, offset }));
    // Steiner: 2 δ A + π δ² P / 2 + 4π δ³ / 3.
    const exact = 2 * offset + 2 * Math.PI * offset ** 2 + (4 / 3) * Math.PI * offset ** 3;
    expect(Math.abs(volume - exact)).toBeLessThan(2 * h * h);
  });
});
