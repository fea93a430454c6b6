import { expect, it } from 'vitest';
import { auditMesh } from '../mesh/audit.js';
import { createBlocks } from './blocks.js';
import { createPressedSheet, type PlaneFunction } from './pressed-sheet.js';

const low = [-1, -1] as const;
const high = [1, 1] as const;
const ring: PlaneFunction = (x, z) => Math.abs(Math.sqrt(x * x + z * z) - 0.6) - 0.3;

it('makes a closed plate with a hole', () => {
  const mesh = createPressedSheet({ outline: ring, relief: () => 0, thickness: 0.1, low, high, cell: 0.05 });
  const audit = auditMesh(mesh);
  expect(audit).toMatchObject({ closed: true, nonManifoldEdges: 0, misorientedTriangles: 0, components: 1 });
  const volume = 0.1 * Math.PI * (0.81 - 0.09);
  expect(Math.abs(audit.volume / volume - 1)).toBeLessThan(0.01);
  for (let i = 0; i < mesh.positions.length; i += 3) expect(Math.abs(mesh.positions[i + 1])).toBeCloseTo(0.05, 7);
});

it('has its thickness across the sheet, not along y', () => {
  const slope: PlaneFunction = (x) => 0.75 * x;
  const square: PlaneFunction = (x, z) => Math.max(Math.abs(x), Math.abs(z)) - 0.8;
  const audit = auditMesh(createPressedSheet({ outline: square, relief: slope, thickness: 0.1, low, high, cell: 0.1 }));
  expect(audit.closed).toBe(true);
  // The inclined square is 1.25 times as long.
  expect(audit.volume).toBeCloseTo(0.1 * 1.6 * 1.6 * 1.25, 4);
});

it('builds blocks with exact faces', () => {
  const lines = [0, 1, 2, 3];
  const frame = createBlocks([lines, lines, [0, 0.5]], (i, j) => i !== 1 || j !== 1);
  const audit = auditMesh(frame);
  expect(audit).toMatchObject({ closed: true, nonManifoldEdges: 0, misorientedTriangles: 0 });
  expect(audit.volume).toBeCloseTo(4, 12);
  expect(audit.bounds).toEqual({ min: [0, 0, 0], max: [3, 3, 0.5] });
});
