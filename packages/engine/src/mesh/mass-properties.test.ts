import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cleanMesh } from './clean.js';
import { type MassProperties, massProperties, massPropertiesFromMoments } from './mass-properties.js';
import { readMesh } from './read-mesh.js';
import { createBox, createCapsule, createCylinder, createSphere, createTorus } from './shapes.js';
import type { TriangleMesh } from './triangle-mesh.js';

const testData = (path: string) => readFileSync(new URL(`../../../../test/data/${path}`, import.meta.url));

function moved(mesh: TriangleMesh, by: readonly number[]): TriangleMesh {
  return { positions: mesh.positions.map((value, i) => value + by[i % 3]), triangles: mesh.triangles };
}

function expectInertia(properties: MassProperties, diagonal: readonly number[], relative: number): void {
  const scale = Math.max(...diagonal);
  properties.inertia.forEach((value, i) => {
    const expected = i % 4 === 0 ? diagonal[i / 4] : 0;
    expect(Math.abs(value - expected) / scale, `entry ${i}: ${value}, expected ${expected}`).toBeLessThan(relative);
  });
}

describe('mass properties', () => {
  it('are exact for a box, also far from the origin', () => {
    const [a, b, c, density] = [0.2, 0.3, 0.5, 800];
    const properties = massProperties(moved(createBox(a, b, c), [10, -20, 30]), density);
    const mass = density * a * b * c;
    expect(properties.mass).toBeCloseTo(mass, 10);
    properties.centre.forEach((value, axis) => {
      expect(value).toBeCloseTo([10, -20, 30][axis], 13);
    });
    expectInertia(
      properties,
      [b * b + c * c, a * a + c * c, a * a + b * b].map((sum) => (mass * sum) / 12),
      1e-12,
    );
  });

  // Vertices lie on the true surface, so the error is that of the chords: (π / segments)² or so.
  it('tend to those of the sphere', () => {
    const properties = massProperties(createSphere(0.1, 60), 1);
    const volume = (4 / 3) * Math.PI * 0.1 ** 3;
    expect(properties.volume / volume).toBeCloseTo(1, 3);
    expectInertia(properties, Array(3).fill(0.4 * volume * 0.1 ** 2), 2e-3);
  });

  it('tend to those of the torus', () => {
    const [R, r] = [1, 0.3];
    const properties = massProperties(createTorus(R, r, 400, 200), 1);
    const volume = 2 * Math.PI ** 2 * R * r * r;
    expect(properties.volume / volume).toBeCloseTo(1, 3);
    const across = volume * (R * R * 0.5 + (5 / 8) * r * r);
    expectInertia(properties, [across, across, volume * (R * R + 0.75 * r * r)], 1e-3);
  });

  it('tend to those of cylinder and capsule', () => {
    const [r, h] = [0.2, 0.7];
    const cylinder = massProperties(createCylinder(r, h, 500), 1);
    expect(cylinder.volume / (Math.PI * r * r * h)).toBeCloseTo(1, 4);
    const side = (cylinder.mass * (3 * r * r + h * h)) / 12;
    expectInertia(cylinder, [side, side, (cylinder.mass * r * r) / 2], 1e-4);
    expect(massProperties(createCapsule(r, h, 400), 1).volume / (Math.PI * r * r * (h + (4 / 3) * r))).toBeCloseTo(
      1,
      3,
    );
  });

  interface Oracle {
    filename: string;
    density: number;
    mass: number;
    center_mass: number[];
    inertia: number[][];
  }
  const oracles: Oracle[] = JSON.parse(testData('oracles/trimesh_mass_properties.json').toString());

  // The oracle is of the CAD part with its true round faces; the triangles miss about a thousandth of them.
  it.each(oracles)('agree with the CAD program on $filename', async (oracle) => {
    const { mesh } = await readMesh(testData(`meshes/${oracle.filename}`));
    const properties = massProperties(cleanMesh(mesh, { weldTolerance: 1e-6 }).mesh, oracle.density);
    expect(properties.mass / oracle.mass).toBeCloseTo(1, 2.5);
    properties.centre.forEach((value, axis) => {
      expect(value).toBeCloseTo(oracle.center_mass[axis], 2.5);
    });
    const scale = Math.max(...oracle.inertia.flat());
    oracle.inertia.flat().forEach((value, i) => {
      expect(Math.abs(properties.inertia[i] - value) / scale, `entry ${i}`).toBeLessThan(2e-3);
    });
  });

  it('refuse what has no volume and a density that is none', () => {
    const box = createBox(1, 1, 1);
    const inverted = { positions: box.positions, triangles: box.triangles.slice().reverse() };
    expect(() => massProperties(inverted, 1)).toThrow('The mesh bounds no volume');
    expect(() => massProperties(box, 0)).toThrow('The density is 0 kg/m³');
  });

  it('come from any integrals', () => {
    const unitCube = {
      origin: [1, 2, 3],
      volume: 1,
      first: [0.5, 0.5, 0.5],
      second: [1 / 3, 1 / 3, 1 / 3, 0.25, 0.25, 0.25],
    } as const;
    const properties = massPropertiesFromMoments(unitCube, 6);
    expect(properties.centre).toEqual([1.5, 2.5, 3.5]);
    expectInertia(properties, [1, 1, 1], 1e-14);
  });
});
