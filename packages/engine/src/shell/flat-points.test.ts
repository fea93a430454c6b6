import { expect, test } from 'vitest';
import { createBox, createCylinder, createSphere, createTorus } from '../mesh/shapes.js';
import { buildShell } from './build-shell.js';
import { flatPoints } from './flat-points.js';

test('the faces of a box are flat up to its edges, which are not', () => {
  const shell = buildShell(createBox(0.06, 0.06, 0.03), { count: 600 });
  const flat = flatPoints(shell);
  for (let point = 0; point < shell.count; point += 1) expect(flat[point]).toBe(shell.cone[point] === 1 ? 1 : 0);
});

test('a cylinder is flat at its ends only', () => {
  const shell = buildShell(createCylinder(0.02, 0.05), { count: 2000 });
  const flat = flatPoints(shell);
  for (let point = 0; point < shell.count; point += 1) {
    const isEnd = shell.cone[point] === 1 && Math.abs(shell.normals[3 * point + 2]) > 0.9;
    expect(flat[point]).toBe(isEnd ? 1 : 0);
  }
});

test.each([
  ['ball', createSphere(0.02)],
  ['ring of 32 facets', createTorus(0.06, 0.02, 64, 32)],
])('a %s is flat nowhere', (_, mesh) => {
  const flat = flatPoints(buildShell(mesh, { count: 3000 }));
  expect(flat.every((is) => is === 0)).toBe(true);
});
