import { beforeAll, describe, expect, test } from 'vitest';
import { createRandom, type RandomSource } from '../base/random.js';
import { buildField } from '../field/build-field.js';
import type { DistanceField } from '../field/distance-field.js';
import { sampleGradient } from '../field/sample-field.js';
import { createPose, normalizePose, type Pose, relativePose, rotationMatrix, transformPoint } from '../math/pose.js';
import { createBox, createSphere, createTorus } from '../mesh/shapes.js';
import { buildShell } from '../shell/build-shell.js';
import type { PointShell } from '../shell/point-shell.js';
import { bruteForceContacts } from './brute-force.js';
import { CAPPED_CONTACTS, CAPPED_VISITED } from './contact-query.js';
import { createContactSet } from './contact-set.js';
import { createContactQuery } from './create-contact-query.js';
import { queryContacts } from './query-contacts.js';

const SEED = 20261115;
const CENTRE = Float64Array.of(0.01, 0.02, 0.03);

let torusField: DistanceField;
let boxField: DistanceField;
let boxShell: PointShell;
let sphereShell: PointShell;

beforeAll(async () => {
  torusField = await buildField(createTorus(0.1, 0.04), { resolution: 64 });
  boxField = await buildField(createBox(0.2, 0.2, 0.1), { resolution: 64 });
  boxShell = buildShell(createBox(0.08, 0.06, 0.05), { count: 1500 });
  sphereShell = buildShell(createSphere(0.05), { count: 800 });
});

function randomPose(random: RandomSource, reach: number): Pose {
  const pose = createPose(
    reach * (2 * random() - 1),
    reach * (2 * random() - 1),
    reach * (2 * random() - 1),
    random() - 0.5,
    random() - 0.5,
    random() - 0.5,
    random() - 0.5,
  );
  normalizePose(pose);
  return pose;
}

describe('without caps', () => {
  test.each([0, 0.002, 0.012, 0.05])('finds the points that brute force finds, margin %f m', (margin) => {
    const random = createRandom(SEED);
    const query = createContactQuery(boxShell, torusField, { shellOn: 'tool', margin });
    const set = createContactSet(boxShell.count);
    const found = new Uint32Array(boxShell.count);
    let touching = 0;
    for (let n = 0; n < 800; n += 1) {
      const shellPose = randomPose(random, 0.2);
      const fieldPose = randomPose(random, 0.02);
      queryContacts(query, set, shellPose, fieldPose, CENTRE);
      const count = bruteForceContacts(found, query, shellPose, fieldPose);
      expect(
        [...set.point.slice(0, set.count)].sort((a, b) => a - b),
        `seed ${SEED}, pose ${n}`,
      ).toEqual([...found.slice(0, count)]);
      expect(query.counters.visited + query.counters.culled).toBe(boxShell.count);
      if (count > 0) touching += 1;
    }
    expect(touching).toBeGreaterThan(100);
  });

  test.each([0.0001, 0.003, 0.02])('finds them too on a walk in steps of %f m, where most were seen before', (step) => {
    const random = createRandom(SEED);
    const query = createContactQuery(boxShell, torusField, { shellOn: 'tool', margin: 0.003 });
    const set = createContactSet(boxShell.count);
    const found = new Uint32Array(boxShell.count);
    const shellPose = randomPose(random, 0.02);
    shellPose[2] += 0.07;
    const fieldPose = createPose();
    let touching = 0;
    for (let n = 0; n < 1500; n += 1) {
      for (let k = 0; k < 3; k += 1) shellPose[k] = 0.999 * shellPose[k] + step * (random() - 0.5);
      for (let k = 3; k < 7; k += 1) shellPose[k] += 10 * step * (random() - 0.5);
      normalizePose(shellPose);
      queryContacts(query, set, shellPose, fieldPose, CENTRE);
      const count = bruteForceContacts(found, query, shellPose, fieldPose);
      expect(
        [...set.point.slice(0, set.count)].sort((a, b) => a - b),
        `seed ${SEED}, step ${n}`,
      ).toEqual([...found.slice(0, count)]);
      if (count > 0) touching += 1;
    }
    expect(touching).toBeGreaterThan(300);
  });

  test('finds them too when it looks less far and further again', () => {
    const random = createRandom(SEED + 3);
    const options = { shellOn: 'tool', margin: 0.003 } as const;
    const query = createContactQuery(boxShell, torusField, options);
    const set = createContactSet(boxShell.count);
    const fresh = createContactSet(boxShell.count);
    const shellPose = createPose(0.06, 0, 0.062);
    let touching = 0;
    for (let n = 0; n < 400; n += 1) {
      for (let k = 0; k < 3; k += 1) shellPose[k] += 1e-4 * (random() - 0.5);
      query.within = 0.003 * random() ** 2;
      const once = createContactQuery(boxShell, torusField, options);
      once.within = query.within;
      queryContacts(query, set, shellPose, createPose(), CENTRE);
      queryContacts(once, fresh, shellPose, createPose(), CENTRE);
      expect([...set.point.slice(0, set.count)], `seed ${SEED + 3}, step ${n}`).toEqual([
        ...fresh.point.slice(0, fresh.count),
      ]);
      expect([...set.depth.slice(0, set.count)]).toEqual([...fresh.depth.slice(0, fresh.count)]);
      if (set.count > 0) touching += 1;
    }
    expect(touching).toBeGreaterThan(100);
  });

  test('visits few points when far away', () => {
    const query = createContactQuery(boxShell, torusField, { shellOn: 'tool' });
    queryContacts(query, createContactSet(10), createPose(1, 0, 0), createPose(), CENTRE);
    expect(query.counters.visited).toBe(boxShell.rootCount);
  });
});

describe('what is said of a contact', () => {
  test('edges push across themselves, whatever they touch', () => {
    const random = createRandom(SEED + 7);
    const query = createContactQuery(boxShell, boxField, { shellOn: 'tool', margin: 0.003 });
    const set = createContactSet(boxShell.count);
    const rotation = new Float64Array(9);
    const edge = new Float64Array(3);
    let edges = 0;
    for (let n = 0; n < 200; n += 1) {
      const pose = randomPose(random, 0.1);
      queryContacts(query, set, pose, createPose(), CENTRE);
      rotationMatrix(rotation, pose);
      for (let c = 0; c < set.count; c += 1) {
        const along = boxShell.along.subarray(3 * set.point[c], 3 * set.point[c] + 3);
        if (along.every((part) => part === 0)) continue;
        for (let i = 0; i < 3; i += 1) edge[i] = [0, 1, 2].reduce((sum, k) => sum + rotation[3 * i + k] * along[k], 0);
        const pushed = [0, 1, 2].reduce((sum, i) => sum + edge[i] * set.normal[3 * c + i], 0);
        expect(Math.abs(pushed), `seed ${SEED + 7}, pose ${n}`).toBeLessThan(1e-12);
        edges += 1;
      }
    }
    expect(edges).toBeGreaterThan(500);
  });

  test('position, arm, depth and gradient are those of the field, in the world', () => {
    const random = createRandom(SEED + 1);
    const query = createContactQuery(sphereShell, torusField, { shellOn: 'tool', margin: 0.004 });
    const set = createContactSet(sphereShell.count);
    const point = new Float64Array(3);
    const local = new Float64Array(3);
    const gradient = new Float64Array(3);
    const rotation = new Float64Array(9);
    let seen = 0;
    for (let n = 0; n < 60; n += 1) {
      const shellPose = randomPose(random, 0.12);
      const fieldPose = randomPose(random, 0.03);
      queryContacts(query, set, shellPose, fieldPose, CENTRE);
      rotationMatrix(rotation, fieldPose);
      const relative = relativePose(createPose(), fieldPose, shellPose);
      for (let c = 0; c < set.count; c += 1) {
        seen += 1;
        const p = 3 * set.point[c];
        const [x, y, z] = sphereShell.points.slice(p, p + 3);
        transformPoint(point, shellPose, x, y, z);
        transformPoint(local, relative, x, y, z);
        const value = sampleGradient(gradient, torusField, local[0], local[1], local[2]);
        expect(set.depth[c]).toBeCloseTo(-value, 12);
        for (let axis = 0; axis < 3; axis += 1) {
          const inWorld =
            rotation[3 * axis] * gradient[0] +
            rotation[3 * axis + 1] * gradient[1] +
            rotation[3 * axis + 2] * gradient[2];
          expect(set.position[3 * c + axis]).toBeCloseTo(point[axis], 12);
          expect(set.arm[3 * c + axis]).toBeCloseTo(point[axis] - CENTRE[axis], 12);
          expect(set.gradient[3 * c + axis]).toBeCloseTo(inWorld, 9);
        }
      }
    }
    expect(seen).toBeGreaterThan(500);
  });

  test('a sphere on a plate is pushed up, whichever of the two carries the shell', () => {
    // The ball's lowest point is 2 mm below the plate's upper face.
    const ballPose = createPose(0, 0, 0.05 + 0.05 - 0.002);
    const onTool = createContactQuery(sphereShell, boxField, { shellOn: 'tool' });
    const set = createContactSet(2000);
    queryContacts(onTool, set, ballPose, createPose(), CENTRE);
    expect(set.count).toBeGreaterThan(5);
    for (let c = 0; c < set.count; c += 1) {
      expect(set.normal[3 * c + 2]).toBeGreaterThan(0.9);
      expect(set.gradient[3 * c + 2]).toBeGreaterThan(0.9);
    }
  });

  test('a plate with the shell pushes a tool with the field up', async () => {
    const plate = buildShell(createBox(0.2, 0.2, 0.1), { count: 6000 });
    const ball = await buildField(createSphere(0.05), { resolution: 48 });
    const query = createContactQuery(plate, ball, { shellOn: 'environment' });
    const set = createContactSet(2000);
    queryContacts(query, set, createPose(), createPose(0, 0, 0.05 + 0.05 - 0.002), CENTRE);
    expect(set.count).toBeGreaterThan(3);
    for (let c = 0; c < set.count; c += 1) {
      expect(set.normal[3 * c + 2]).toBeCloseTo(1, 6);
      expect(set.gradient[3 * c + 2]).toBeGreaterThan(0.9);
    }
  });
});

describe('with a cap', () => {
  const deep = createPose(0, 0, 0);

  test('on contacts: coarse levels whole, the level that does not fit thinned to its deepest', () => {
    const all = createContactSet(boxShell.count);
    queryContacts(createContactQuery(boxShell, boxField, { shellOn: 'tool' }), all, deep, createPose(), CENTRE);
    expect(all.count).toBe(boxShell.count);
    const query = createContactQuery(boxShell, boxField, { shellOn: 'tool', maxContacts: 100 });
    const set = createContactSet(boxShell.count);
    queryContacts(query, set, deep, createPose(), CENTRE);
    expect(set.count).toBe(100);
    expect(query.counters.capped).toBe(CAPPED_CONTACTS);
    const kept = new Set(set.point.slice(0, set.count));
    const levels = [...boxShell.levelEnds];
    const cut = levels.findIndex((end) => end > 100);
    const whole = cut === 0 ? 0 : levels[cut - 1];
    for (let point = 0; point < whole; point += 1) expect(kept.has(point)).toBe(true);
    const depthOf = new Map([...all.point.slice(0, all.count)].map((point, c) => [point, all.depth[c]]));
    const ofLevel = Array.from({ length: levels[cut] - whole }, (_, n) => whole + n);
    const deepest = ofLevel.sort((a, b) => depthOf.get(b)! - depthOf.get(a)! || a - b).slice(0, 100 - whole);
    expect(deepest.every((point) => kept.has(point))).toBe(true);
  });

  test('on visits: never more, and the contacts are spread over the whole object', () => {
    const query = createContactQuery(boxShell, boxField, { shellOn: 'tool', maxVisited: 200 });
    const set = createContactSet(boxShell.count);
    queryContacts(query, set, deep, createPose(), CENTRE);
    expect(query.counters.visited).toBe(200);
    expect(query.counters.capped & CAPPED_VISITED).toBe(CAPPED_VISITED);
    const octants = new Set<number>();
    for (let c = 0; c < set.count; c += 1) {
      const [x, y, z] = set.position.slice(3 * c, 3 * c + 3);
      octants.add((x > 0 ? 1 : 0) + (y > 0 ? 2 : 0) + (z > 0 ? 4 : 0));
    }
    expect(octants.size).toBe(8);
  });

  test('the capacity of the set is a cap as well', () => {
    const query = createContactQuery(boxShell, boxField, { shellOn: 'tool' });
    const set = createContactSet(17);
    queryContacts(query, set, deep, createPose(), CENTRE);
    expect(set.count).toBe(17);
    expect(query.counters.capped).toBe(CAPPED_CONTACTS);
  });

  test.each([0, -1, 2.5, Number.NaN])('refuses %f as a cap', (cap) => {
    expect(() => createContactQuery(boxShell, boxField, { shellOn: 'tool', maxContacts: cap })).toThrow(/maxContacts/);
    expect(() => createContactQuery(boxShell, boxField, { shellOn: 'tool', maxVisited: cap })).toThrow(/maxVisited/);
  });
});

describe('bad numbers', () => {
  test.each([Number.NaN, Number.POSITIVE_INFINITY])('a pose with %f gives no contacts and says so', (bad) => {
    const query = createContactQuery(boxShell, boxField, { shellOn: 'tool' });
    const set = createContactSet(100);
    for (let index = 0; index < 7; index += 1) {
      const pose = createPose();
      pose[index] = bad;
      queryContacts(query, set, pose, createPose(), CENTRE);
      expect([set.count, query.counters.badPose]).toEqual([0, 1]);
      queryContacts(query, set, createPose(), pose, CENTRE);
      expect([set.count, query.counters.badPose]).toEqual([0, 1]);
    }
    queryContacts(query, set, createPose(), createPose(), CENTRE);
    expect(query.counters.badPose).toBe(0);
    expect(set.count).toBeGreaterThan(0);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a margin of %f', (margin) => {
    expect(() => createContactQuery(boxShell, boxField, { shellOn: 'tool', margin })).toThrow(/margin/);
  });
});
