import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { massProperties } from '../mesh/mass-properties.js';
import { findOpenEdges } from '../mesh/open-edges.js';
import { createBox, createCylinder, createSphere } from '../mesh/shapes.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { closeWithLids } from './lids.js';

type Point = readonly [number, number, number];

/** The triangles whose middle passes the test. */
function partOf(mesh: TriangleMesh, keep: (middle: Point) => boolean): TriangleMesh {
  const triangles: number[] = [];
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const corners = [...mesh.triangles.subarray(t, t + 3)];
    const middle = [0, 1, 2].map((axis) => corners.reduce((sum, v) => sum + mesh.positions[3 * v + axis] / 3, 0));
    if (keep(middle as unknown as Point)) triangles.push(...corners);
  }
  return { positions: mesh.positions, triangles: Uint32Array.from(triangles) };
}

function shrunkTriangles(mesh: TriangleMesh, shrink: number): TriangleMesh {
  const positions: number[] = [];
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const corners = [0, 1, 2].map((n) => 3 * mesh.triangles[t + n]);
    const middle = [0, 1, 2].map((axis) => corners.reduce((sum, corner) => sum + mesh.positions[corner + axis] / 3, 0));
    for (const corner of corners) {
      positions.push(...middle.map((value, axis) => value + shrink * (mesh.positions[corner + axis] - value)));
    }
  }
  return {
    positions: Float64Array.from(positions),
    triangles: Uint32Array.from({ length: positions.length / 3 }, (_, n) => n),
  };
}

describe('lids', () => {
  it('are not put on what is closed', () => {
    const box = createBox(1, 1, 1);
    expect(closeWithLids(box)).toEqual({ mesh: box, lidTriangles: 0, openEdges: new Uint32Array(0) });
  });

  it('replace a missing side, exactly where it was', () => {
    const open = partOf(createBox(1, 2, 3), ([, , z]) => z < 1.49);
    const { mesh, lidTriangles, openEdges } = closeWithLids(open);
    expect([lidTriangles, openEdges.length]).toEqual([4, 0]);
    expect(findOpenEdges(mesh).length).toBe(0);
    expect(massProperties(mesh, 1).volume).toBeCloseTo(6, 12);
    expect([...mesh.positions.slice(-3)]).toEqual([0, 0, 1.5]);
  });

  it('close both ends of a tube, each by itself', () => {
    const tube = partOf(createCylinder(1, 2, 32), ([, , z]) => Math.abs(z) < 0.99);
    const { mesh, lidTriangles } = closeWithLids(tube);
    expect(lidTriangles).toBe(64);
    expect(findOpenEdges(mesh).length).toBe(0);
    expect(massProperties(mesh, 1).volume).toBeCloseTo(massProperties(createCylinder(1, 2, 32), 1).volume, 10);
  });

  it('close openings of any outline', () => {
    const random = createRandom(1);
    const ragged = partOf(createSphere(1, 12), ([, , z]) => z < 0.6 + 0.2 * random());
    const { mesh, lidTriangles } = closeWithLids(ragged);
    expect(lidTriangles).toBe(findOpenEdges(ragged).length / 2);
    expect(findOpenEdges(mesh).length).toBe(0);
    const { volume } = massProperties(mesh, 1);
    const cap = (height: number) => (Math.PI * height * height * (3 - height)) / 3;
    const whole = (4 / 3) * Math.PI;
    expect(volume).toBeGreaterThan(whole - cap(0.45) - 0.05);
    expect(volume).toBeLessThan(whole - cap(0.15));
  });

  it.each([0.98, 0.9])('are refused for loose pieces: triangles shrunk to %d', (shrink) => {
    const loose = shrunkTriangles(createSphere(1, 8), shrink);
    const { mesh, lidTriangles, openEdges } = closeWithLids(loose);
    expect(mesh === loose).toBe(true);
    expect(lidTriangles).toBe(0);
    expect(openEdges.length).toBe(2 * loose.triangles.length);
  });

  it('are found in a moment for many loose pieces', () => {
    const loose = shrunkTriangles(createSphere(1, 40), 0.98);
    expect(loose.triangles.length / 3).toBe(32_000);
    expect(closeWithLids(loose).openEdges.length).toBe(2 * loose.triangles.length);
  });
});
