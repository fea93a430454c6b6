import { expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { createBox, createCylinder } from '../mesh/shapes.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildField } from './build-field.js';
import { closeWithLids } from './lids.js';
import { keepOuterLids } from './outer-lids.js';
import { sampleDistance } from './sample-field.js';
import { createTreeWorkspace, windingNumber } from './tree-query.js';
import { buildTriangleTree } from './triangle-tree.js';

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

/** Tetrahedra of three faces, all over a cube of one metre. */
function openTetrahedra(count: number): TriangleMesh {
  const random = createRandom(2);
  const positions = new Float64Array(12 * count);
  const triangles = new Uint32Array(9 * count);
  for (let n = 0; n < count; n += 1) {
    const centre = [random(), random(), random()];
    for (let k = 0; k < 12; k += 1) positions[12 * n + k] = centre[k % 3] + (k > 2 && k % 4 === 3 ? 0.03 : 0);
    triangles.set(
      [0, 2, 1, 0, 1, 3, 1, 2, 3].map((vertex) => 4 * n + vertex),
      9 * n,
    );
  }
  return { positions, triangles };
}

it('lids that pass through other parts take no more than three winding numbers for a piece', () => {
  const mesh = openTetrahedra(1500);
  const lidded = closeWithLids(mesh);
  expect(lidded.lidTriangles).toBe(4500);
  const winding = buildTriangleTree(lidded.mesh);
  const workspace = createTreeWorkspace(winding);
  const [pieces, took] = timed(
    () => (keepOuterLids(mesh, lidded.mesh, winding, 0.01).triangles.length - mesh.triangles.length) / 3,
  );
  const random = createRandom(3);
  const [, control] = timed(() => {
    for (let n = 0; n < pieces / 10; n += 1) windingNumber(winding, workspace, random(), random(), random());
  });
  expect(took).toBeLessThan(30 * control);
});

function timed<T>(work: () => T): [T, number] {
  const started = performance.now();
  const result = work();
  return [result, performance.now() - started];
}
