import { expect, it } from 'vitest';
import { createBox, createCylinder } from '../mesh/shapes.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildField } from './build-field.js';
import { sampleDistance } from './sample-field.js';

/** A closed box, and a tube without ends that begins within it and ends 0.5 above its lid. */
function boxWithTube(): TriangleMesh {
  const box = createBox(2, 2, 1);
  const tube = createCylinder(0.3, 1, 48);
  const sides = [...tube.triangles].filter((_, n) => {
    const t = 3 * Math.floor(n / 3);
    const heights = [0, 1, 2].map((k) => tube.positions[3 * tube.triangles[t + k] + 2]);
    return Math.max(...heights) !== Math.min(...heights);
  });
  const positions = new Float64Array(box.positions.length + tube.positions.length);
  positions.set(box.positions);
  tube.positions.forEach((value, n) => {
    positions[box.positions.length + n] = value + (n % 3 === 2 ? 0.5 : 0);
  });
  const first = box.positions.length / 3;
  return { positions, triangles: Uint32Array.from([...box.triangles, ...sides.map((vertex) => vertex + first)]) };
}

it('a lid within another part is no wall, a lid in the open is one', async () => {
  const field = await buildField(boxWithTube(), { resolution: 80 });
  expect(field.closed).toBe(true);
  // The tube's lower end is at z = 0, in the middle of the box: the nearest real surface there is the tube's wall.
  expect(sampleDistance(field, 0, 0, 0)).toBeCloseTo(-0.3, 1);
  // Its upper end at z = 1 is a lid: just above is outside, just below inside.
  expect(sampleDistance(field, 0, 0, 1.1)).toBeCloseTo(0.1, 2);
  expect(sampleDistance(field, 0, 0, 0.9)).toBeCloseTo(-0.1, 2);
});
