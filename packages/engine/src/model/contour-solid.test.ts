import { describe, expect, it } from 'vitest';
import { auditMesh } from '../mesh/audit.js';
import { contourSolid } from './contour-solid.js';
import {
  bounded,
  box,
  capsule,
  cone,
  cylinder,
  halfSpace,
  intersection,
  type Solid,
  smoothUnion,
  subtract,
  torus,
  turn,
  union,
  type Vector,
} from './solids.js';

const low: Vector = [-0.6, -0.6, -0.6];
const high: Vector = [0.6, 0.6, 0.6];

function contour(solid: Solid, cell = 0.06) {
  const mesh = contourSolid(solid, low, high, cell);
  return { mesh, audit: auditMesh(mesh) };
}

const unitBox = box([-0.5, -0.4, -0.3], [0.5, 0.4, 0.3]);

describe('a contoured solid', () => {
  it('keeps the faces and corners of a box', () => {
    const { audit } = contour(unitBox);
    expect(audit).toMatchObject({ closed: true, nonManifoldEdges: 0, components: 1 });
    audit.size.forEach((size, axis) => {
      expect(size).toBeCloseTo([1, 0.8, 0.6][axis], 6);
    });
    expect(audit.volume).toBeCloseTo(0.48, 5);
  });

  it('keeps the edges of a box that is turned against the grid', () => {
    const { audit } = contour(turn(turn(box([-0.4, -0.3, -0.2], [0.4, 0.3, 0.2]), 2, 0.8, 0.6), 0, 0.6, 0.8));
    expect(audit.closed).toBe(true);
    expect(Math.abs(audit.volume - 0.192)).toBeLessThan(0.001);
  });

  const rounded: [string, Solid, number][] = [
    ['a cylinder', cylinder(0, [-0.5, 0, 0], 1, 0.3), Math.PI * 0.09],
    ['a cone', cone(1, [0, -0.5, 0], 1, 0.4, 0.2), (Math.PI * (0.16 + 0.08 + 0.04)) / 3],
    ['a ring', torus(2, [0, 0, 0], 0.4, 0.15), 2 * Math.PI ** 2 * 0.4 * 0.0225],
    ['a capsule', capsule([-0.3, 0, 0], [0.3, 0, 0], 0.25), Math.PI * 0.0625 * (0.6 + 1 / 3)],
  ];
  it.each(rounded)('puts the vertices of %s on its surface', (_, solid, volume) => {
    const { mesh, audit } = contour(solid, 0.04);
    expect(audit).toMatchObject({ closed: true, nonManifoldEdges: 0, components: 1 });
    expect(Math.abs(audit.volume / volume - 1)).toBeLessThan(0.02);
    for (let i = 0; i < mesh.positions.length; i += 3) {
      const distance = solid(mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]);
      // Where a vertex would leave its cell it stays at its border, a small part of a cell off.
      expect(Math.abs(distance)).toBeLessThan(0.05 * 0.04);
    }
  });

  it('stays manifold where two parts nearly touch within a cell', () => {
    const balls = union(capsule([-0.28, 0, 0], [-0.27, 0, 0], 0.25), capsule([0.27, 0, 0], [0.28, 0, 0], 0.25));
    const { audit } = contour(balls, 0.061);
    expect(audit).toMatchObject({ closed: true, nonManifoldEdges: 0, degenerateTriangles: 0 });
  });

  it('cuts, intersects and blends', () => {
    const drilled = subtract(unitBox, cylinder(2, [0, 0, -0.5], 1, 0.2));
    expect(Math.abs(contour(drilled, 0.03).audit.volume - (0.48 - 0.6 * Math.PI * 0.04))).toBeLessThan(0.001);
    const half = intersection(unitBox, halfSpace([0, 0, 0], [1, 1, 0]));
    expect(contour(half, 0.03).audit.volume).toBeCloseTo(0.24, 3);
    const [plain, blended] = [union, (a: Solid, b: Solid) => smoothUnion(0.1, a, b)].map((join) =>
      contour(join(box([-0.5, -0.1, -0.1], [0.5, 0.1, 0.1]), box([-0.1, -0.5, -0.1], [0.1, 0.5, 0.1]))),
    );
    expect(blended.audit.volume).toBeGreaterThan(plain.audit.volume);
  });

  it('is the same with the bounds of a part given', () => {
    const part = cylinder(0, [-0.3, 0, 0], 0.6, 0.2);
    const { mesh } = contour(bounded([-0.3, -0.2, -0.2], [0.3, 0.2, 0.2], part));
    expect(mesh.positions).toEqual(contour(part).mesh.positions);
  });
});
