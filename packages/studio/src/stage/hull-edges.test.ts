import { createBox } from '@palpable/engine';
import { buildConvexHierarchy } from '@palpable/engine/advanced';
import { Color } from 'three';
import { expect, test } from 'vitest';
import { LEVEL_RAMP } from './colours.js';
import { hullEdges } from './hull-edges.js';

test('has every edge of a hull once, in the colour of its level', () => {
  const hierarchy = {
    vertexStart: Int32Array.of(0, 4, 7),
    vertices: Float64Array.from({ length: 21 }, (_, k) => k),
    neighbourStart: Int32Array.of(0, 3, 6, 9, 12, 14, 16, 18),
    neighbours: Int32Array.of(1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2, 1, 2, 0, 2, 0, 1),
    level: Int32Array.of(1, 0),
  };
  const whole = hullEdges(hierarchy, [0]);
  expect(whole.positions).toHaveLength(6 * 6);
  expect([...whole.colours.subarray(0, 3)]).toEqual([...Float32Array.from(new Color(LEVEL_RAMP[1]).toArray())]);
  const leaf = hullEdges(hierarchy, [1]);
  expect(leaf.positions).toHaveLength(3 * 6);
  expect([...leaf.positions.subarray(0, 6)]).toEqual([12, 13, 14, 15, 16, 17]);
  expect([...leaf.colours.subarray(0, 3)]).toEqual([...Float32Array.from(new Color(LEVEL_RAMP[0]).toArray())]);
  expect(hullEdges(hierarchy, []).positions).toHaveLength(0);
});

test('draws what the engine builds', () => {
  const hierarchy = buildConvexHierarchy(createBox(1, 1, 1));
  const { positions } = hullEdges(hierarchy, [0]);
  expect(positions.length).toBeGreaterThanOrEqual(12 * 6);
  for (const coordinate of positions) expect(Math.abs(coordinate)).toBeLessThanOrEqual(0.5 + 1e-6);
});
