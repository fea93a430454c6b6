import { describe, expect, it } from 'vitest';
import { createRandom } from '../../base/random.js';
import { buildField } from '../../field/build-field.js';
import { sampleGradient, sampleInGrid } from '../../field/sample-field.js';
import { createPose } from '../../math/pose.js';
import { createBox, createSphere } from '../../mesh/shapes.js';
import { subdivideMesh } from '../../mesh/subdivide.js';
import { findFieldProximity } from './find-field-proximity.js';
import { contactsOf, movedBy, placed, randomPose } from './proximity-rig.fixture.js';
import { createProximitySet, VERTEX_FIELD } from './proximity-set.js';
import { createProximitySurface, moveSurface, refitSurface } from './proximity-surface.js';

const MM = 0.001;
const field = await buildField(createSphere(20 * MM, 16), { resolution: 64 });

describe('a surface near a distance field', () => {
  it('has its vertices within the alarm distance and in reach of the depth, seed 7', () => {
    const pose = randomPose(createRandom(7), 0.1);
    const rest = movedBy(subdivideMesh(createBox(40 * MM, 40 * MM, MM), 2000), 0, 0, 20.3 * MM);
    const plate = placed(rest, pose);
    const surface = createProximitySurface(plate);
    const set = createProximitySet(1000);
    expect(findFieldProximity(set, surface, field, pose, 0.5 * MM)).toBe(0);
    const contacts = contactsOf(set);
    expect(contacts.length).toBeGreaterThan(10);
    for (const { kind, a, b, normal, gap, pointA, pointB } of contacts) {
      expect(kind).toBe(VERTEX_FIELD);
      expect(b).toEqual([-1, -1, -1]);
      expect(pointA).toEqual([...plate.positions.subarray(3 * a[0], 3 * a[0] + 3)]);
      const radius = Math.hypot(...pointA.map((x, axis) => x - pose[axis]));
      expect(Math.abs(gap - (radius - 20 * MM))).toBeLessThan(0.06 * MM);
      expect(normal.reduce((sum, n, axis) => sum + (n * (pointA[axis] - pose[axis])) / radius, 0)).toBeGreaterThan(
        0.99,
      );
      expect(normal.reduce((sum, n, axis) => sum + n * (pointA[axis] - pointB[axis]), 0)).toBeCloseTo(gap, 12);
      expect(gap).toBeLessThanOrEqual(0.5 * MM);
    }
    // The plate's lower face is 0.2 mm inside the sphere; its upper one, in reach as well, faces away.
    expect(Math.min(...contacts.map(({ gap }) => gap))).toBeLessThan(-0.1 * MM);
    const lowerFace = new Set(contacts.map(({ a }) => a[0]));
    for (const v of lowerFace) expect(rest.positions[3 * v + 2]).toBeLessThan(20 * MM);
  });

  it('needs no boxes: a surface that was moved without them has the same contacts, also none where it is not finite', () => {
    const pose = createPose();
    const plate = movedBy(subdivideMesh(createBox(40 * MM, 40 * MM, MM), 2000), 0, 0, 20.3 * MM);
    const [moved, refitted] = [createProximitySurface(plate), createProximitySurface(plate)];
    for (const surface of [moved, refitted]) {
      for (let k = 2; k < surface.positions.length; k += 3) surface.positions[k] -= 0.2 * MM;
    }
    moveSurface(moved);
    refitSurface(refitted);
    const [set, reference] = [createProximitySet(1000), createProximitySet(1000)];
    findFieldProximity(set, moved, field, pose, 0.5 * MM);
    findFieldProximity(reference, refitted, field, pose, 0.5 * MM);
    expect(set.count).toBeGreaterThan(10);
    expect(contactsOf(set)).toEqual(contactsOf(reference));
    moved.positions[7] = Number.NaN;
    moveSurface(moved);
    expect(findFieldProximity(set, moved, field, pose, 0.5 * MM)).toBe(8);
  });

  it('says when a pose is not finite', () => {
    const set = createProximitySet(10);
    const surface = createProximitySurface(createBox(1, 1, 1));
    expect(findFieldProximity(set, surface, field, createPose(Number.NaN), 1)).toBe(8);
    expect(set.count).toBe(0);
  });

  it('reads the same distance and gradient as every other reader of fields, seed 8', () => {
    const random = createRandom(8);
    const out = new Float64Array(4);
    const gradient = new Float64Array(3);
    for (let i = 0; i < 2000; i++) {
      const point = Float64Array.from({ length: 3 }, () => 42 * MM * (random() - 0.5));
      expect(sampleInGrid(out, field, point)).toBe(true);
      const distance = sampleGradient(gradient, field, point[0], point[1], point[2]);
      expect(Math.abs(out[3] - distance)).toBeLessThan(1e-15);
      for (let axis = 0; axis < 3; axis++) expect(Math.abs(out[axis] - gradient[axis])).toBeLessThan(1e-12);
    }
    expect(sampleInGrid(out, field, Float64Array.of(1, 0, 0))).toBe(false);
    expect(sampleInGrid(out, field, Float64Array.of(Number.NaN, 0, 0))).toBe(false);
  });
});
