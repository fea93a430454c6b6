import { describe, expect, it } from 'vitest';
import { auditMesh } from './audit.js';
import { createBox, createCapsule, createCylinder, createSphere, createTorus } from './shapes.js';
import { subdivideMesh } from './subdivide.js';
import { triangleCount } from './triangle-mesh.js';

const shapes = [
  ['box', createBox(1, 2, 3), [1, 2, 3]],
  ['sphere', createSphere(0.5), [1, 1, 1]],
  ['coarsest sphere', createSphere(0.5, 1), undefined],
  ['cylinder', createCylinder(0.5, 3), [1, 1, 3]],
  ['capsule', createCapsule(0.5, 2), [1, 1, 3]],
  ['torus', createTorus(1, 0.25), [2.5, 2.5, 0.5]],
] as const;

describe('built-in shapes', () => {
  it.each(shapes)('%s is closed, faces outward and stands about the origin', (_, mesh, size) => {
    const audit = auditMesh(mesh);
    expect(audit).toMatchObject({
      closed: true,
      components: 1,
      nonManifoldEdges: 0,
      degenerateTriangles: 0,
      duplicateTriangles: 0,
      misorientedTriangles: 0,
    });
    expect(audit.volume).toBeGreaterThan(0);
    audit.bounds.min.forEach((low, axis) => {
      expect(low).toBeCloseTo(-audit.bounds.max[axis], 12);
    });
    size?.forEach((length, axis) => {
      expect(Math.abs(audit.size[axis] - length)).toBeLessThan(0.005 * length);
    });
  });

  it('refuse sizes that are none', () => {
    expect(() => createBox(1, 0, 1)).toThrow('A size of the box is 0; give metres above 0.');
    expect(() => createSphere(Number.NaN)).toThrow('A size of the sphere is NaN');
    expect(() => createTorus(1, 1)).toThrow('must be thinner than its ring');
    expect(() => createCylinder(1, 1, 2)).toThrow('2 segments');
  });
});

describe('refining', () => {
  it.each(shapes)('%s keeps its shape without cracks', (_, mesh) => {
    const before = auditMesh(mesh);
    const wanted = triangleCount(mesh) * 7 + 5;
    const refined = subdivideMesh(mesh, wanted);
    const after = auditMesh(refined);
    expect(triangleCount(refined)).toBeGreaterThanOrEqual(wanted);
    expect(triangleCount(refined)).toBeLessThanOrEqual(wanted + 1);
    expect(after).toMatchObject({ closed: true, degenerateTriangles: 0, misorientedTriangles: 0 });
    expect(after.volume / before.volume).toBeCloseTo(1, 10);
    expect(after.area / before.area).toBeCloseTo(1, 10);
  });

  it('leaves a mesh that is fine enough, and refuses absurd numbers', () => {
    const box = createBox(1, 1, 1);
    expect(subdivideMesh(box, 12)).toBe(box);
    expect(() => subdivideMesh(box, 1e12)).toThrow('give a whole number up to');
  });
});
