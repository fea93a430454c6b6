import { expect, test } from 'vitest';
import { createBox, createSphere, createTorus } from '../mesh/shapes.js';
import { buildModel } from '../model/models.js';
import { buildShell } from './build-shell.js';
import { type FlatFace, flatFaces } from './flat-faces.js';

/** Corners in the body frame, mm. */
function cornersOf({ outline, origin, u, v }: FlatFace): string[] {
  return Array.from({ length: outline.length / 2 }, (_, k) =>
    [0, 1, 2]
      .map((i) => Math.round(1e6 * (origin[i] + outline[2 * k] * u[i] + outline[2 * k + 1] * v[i])) / 1e3 + 0)
      .join(' '),
  ).sort();
}

test('a box has six faces with its corners, whatever the seed', () => {
  for (const seed of [1, 2, 3]) {
    const { faces, faceOf } = flatFaces(buildShell(createBox(0.04, 0.06, 0.02), { count: 1000, seed }));
    expect(faces).toHaveLength(6);
    const top = faces.find(({ normal }) => normal[2] > 0.5)!;
    expect(cornersOf(top)).toEqual(['-20 -30 10', '-20 30 10', '20 -30 10', '20 30 10']);
    expect(top.area).toBeCloseTo(0.0024, 9);
    const points = faceOf.filter((face) => faces[face] === top).length;
    expect(top.density * (top.area - top.strip * 0.2)).toBeCloseTo(points, 6);
  }
});

test('curved bodies have none', () => {
  for (const mesh of [createSphere(0.03), createTorus(0.06, 0.02)]) {
    expect(flatFaces(buildShell(mesh, { count: 1500 })).faces).toHaveLength(0);
  }
});

test('a face with a hole does not count, the walls of the hole do', () => {
  const { faces } = flatFaces(buildShell(buildModel('peg-hole'), { count: 6000 }));
  expect(faces.some(({ normal }) => Math.abs(normal[2]) > 0.5)).toBe(false);
  expect(faces).toHaveLength(8);
});
