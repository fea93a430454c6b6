import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../base/random.js';
import { readObj } from '../../mesh/read-obj.js';
import { createBox, createSphere, createTorus } from '../../mesh/shapes.js';
import { simplifyMesh } from '../../mesh/simplify.js';
import { subdivideMesh } from '../../mesh/subdivide.js';
import { createMesh, meshBounds } from '../../mesh/triangle-mesh.js';
import { buildModel } from '../../model/models.js';
import {
  bruteForceDistance,
  contactsOf,
  cross,
  movedBy,
  placed,
  proximityOf,
  randomPose,
  roughened,
} from './proximity-rig.fixture.js';
import { EDGE_EDGE, FACE_VERTEX, type ProximitySet, VERTEX_FACE } from './proximity-set.js';
import { createProximitySurface, refitSurface } from './proximity-surface.js';
import type { SurfaceTree } from './surface-tree.js';

const MM = 0.001;

function expectConsistent(
  set: ProximitySet,
  a: Float64Array,
  b: Float64Array,
  limits: readonly [number, number],
): void {
  const keys = new Set<string>();
  for (const [i, contact] of contactsOf(set).entries()) {
    const { normal, pointA, pointB, gap } = contact;
    expect(Math.hypot(...normal)).toBeCloseTo(1, 12);
    expect(gap).toBeLessThanOrEqual(limits[0]);
    expect(gap).toBeGreaterThanOrEqual(-limits[1]);
    expect(normal.reduce((sum, n, k) => sum + n * (pointA[k] - pointB[k]), 0)).toBeCloseTo(gap, 12);
    for (const [vertices, weights, positions, point] of [
      [contact.a, set.weightA, a, pointA],
      [contact.b, set.weightB, b, pointB],
    ] as const) {
      const own = [...weights.subarray(3 * i, 3 * i + 3)];
      expect(own.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 12);
      for (let axis = 0; axis < 3; axis++) {
        const at = vertices.reduce((sum, v, k) => sum + (v < 0 ? 0 : own[k] * positions[3 * v + axis]), 0);
        expect(at).toBeCloseTo(point[axis], 12);
      }
    }
    keys.add(contact.key);
  }
  expect(keys.size).toBe(set.count);
}

function oneLeaf(tree: SurfaceTree): SurfaceTree {
  const { length } = tree.order;
  return {
    ...tree,
    nodeCount: 1,
    skip: Int32Array.of(1),
    first: Int32Array.of(0),
    count: Int32Array.of(length),
    lastMet: new Int32Array(1),
  };
}

describe('two bodies apart', () => {
  it.each([1, 2, 3, 4, 5, 6])('have their nearest pair among the contacts, tori, seed %i', (seed) => {
    const random = createRandom(seed);
    const torus = createTorus(0.03, 0.01, 14, 8);
    let seen = 0;
    for (let trial = 0; trial < 6; trial++) {
      const a = createProximitySurface(placed(roughened(torus, 0.002, seed), randomPose(random, 0.01)));
      const b = createProximitySurface(placed(roughened(torus, 0.002, seed + 100), randomPose(random, 0.05)));
      const exact = bruteForceDistance(a, b);
      if (cross(a, b)) continue;
      seen++;
      const set = proximityOf(a, b, exact * 1.2 + 0.001, 0);
      expectConsistent(set, a.positions, b.positions, [exact * 1.2 + 0.001, 0]);
      const least = Math.min(...set.gap.subarray(0, set.count));
      expect(least, `seed ${seed}, trial ${trial}`).toBeCloseTo(exact, 12);
      expect(set.flags).toBe(0);
    }
    expect(seen).toBeGreaterThan(0);
  });

  it.each([11, 12, 13])('have their nearest pair among the contacts, sharp boxes, seed %i', (seed) => {
    const random = createRandom(seed);
    let seen = 0;
    for (let trial = 0; trial < 60; trial++) {
      const a = createProximitySurface(placed(createBox(0.05, 0.002, 0.02), randomPose(random, 0.01)));
      const b = createProximitySurface(placed(createBox(0.03, 0.03, 0.01), randomPose(random, 0.06)));
      if (cross(a, b)) continue;
      seen++;
      const exact = bruteForceDistance(a, b);
      const set = proximityOf(a, b, exact * 1.2 + 0.001, 0);
      expectConsistent(set, a.positions, b.positions, [exact * 1.2 + 0.001, 0]);
      const least = Math.min(...set.gap.subarray(0, set.count));
      expect(least, `seed ${seed}, trial ${trial}`).toBeCloseTo(exact, 12);
    }
    expect(seen).toBeGreaterThan(20);
  });

  it('have their nearest pair among the contacts, two bunnies in five poses, seed 21', () => {
    const random = createRandom(21);
    const mesh = readObj(readFileSync(new URL('../../../../../scenes/meshes/bunny.obj', import.meta.url)));
    const bunny = simplifyMesh(mesh, { triangles: 400 });
    const { min, max } = meshBounds(bunny);
    const size = max[0] - min[0];
    let seen = 0;
    for (let trial = 0; trial < 12 && seen < 5; trial++) {
      const a = createProximitySurface(placed(bunny, randomPose(random, 0)));
      const b = createProximitySurface(placed(bunny, randomPose(random, 1.2 * size)));
      if (cross(a, b)) continue;
      seen++;
      const exact = bruteForceDistance(a, b);
      const set = proximityOf(a, b, 1.05 * exact, 0);
      const least = Math.min(...set.gap.subarray(0, set.count));
      expect(Math.abs(least - exact), `trial ${trial}`).toBeLessThan(1e-9 * exact);
    }
    expect(seen).toBe(5);
  });

  it('have no contacts beyond the alarm distance', () => {
    const set = proximityOf(createBox(1, 1, 1), movedBy(createBox(1, 1, 1), 0, 0, 1.1), 0.09);
    expect(set.count).toBe(0);
  });
});

describe('boxes', () => {
  const small = createBox(10 * MM, 10 * MM, 10 * MM);
  const large = createBox(40 * MM, 40 * MM, 10 * MM);

  it.each([0.1 * MM, 1e-9, 0, -1e-9, -0.1 * MM])('face to face with a gap of %d m touch at the four corners', (gap) => {
    const a = movedBy(small, 0, 0, 10 * MM + gap);
    const set = proximityOf(a, large, 0.5 * MM);
    const contacts = contactsOf(set);
    expect(contacts.map(({ kind }) => kind)).toEqual([VERTEX_FACE, VERTEX_FACE, VERTEX_FACE, VERTEX_FACE]);
    for (const contact of contacts) {
      expect(contact.normal[2]).toBeCloseTo(1, 12);
      expect(contact.gap).toBeCloseTo(gap, 12);
    }
    const swapped = contactsOf(proximityOf(large, a, 0.5 * MM));
    expect(swapped.map(({ kind }) => kind)).toEqual([FACE_VERTEX, FACE_VERTEX, FACE_VERTEX, FACE_VERTEX]);
    for (const contact of swapped) expect(contact.normal[2]).toBeCloseTo(-1, 12);
  });

  it.each([0, -1e-15, -1e-13, -1e-11, -1e-9])('keep them however they lie in space, at a gap of %d m', (gap) => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const pose = randomPose(createRandom(seed), 0.1);
      const a = placed(movedBy(small, 3.1 * MM, 2.3 * MM, 10 * MM + gap), pose);
      const contacts = contactsOf(proximityOf(a, placed(large, pose), 2 * MM));
      expect(contacts.filter(({ kind }) => kind === VERTEX_FACE).length, `seed ${seed}`).toBe(4);
    }
  });

  it.each([0.1 * MM, 0, -0.1 * MM])('crossed like two rulers with a gap of %d m touch at four crossings', (gap) => {
    const along = createBox(40 * MM, 10 * MM, 5 * MM);
    const across = movedBy(createBox(8 * MM, 30 * MM, 5 * MM), 0, 0, 5 * MM + gap);
    const contacts = contactsOf(proximityOf(across, along, 0.5 * MM));
    expect(contacts.map(({ kind }) => kind)).toEqual([EDGE_EDGE, EDGE_EDGE, EDGE_EDGE, EDGE_EDGE]);
    const corners = contacts.map(({ pointA }) => `${Math.round(1e4 * pointA[0])},${Math.round(1e4 * pointA[1])}`);
    expect(corners.sort()).toEqual(['-40,-50', '-40,50', '40,-50', '40,50']);
    for (const contact of contacts) {
      expect(contact.normal[2]).toBeCloseTo(1, 12);
      expect(contact.gap).toBeCloseTo(gap, 12);
    }
  });

  it('whose faces are cut into many triangles have contacts at vertices and at the outline only', () => {
    const fine = subdivideMesh(small, 300);
    const set = proximityOf(movedBy(fine, 0.13 * MM, 0.17 * MM, 10.1 * MM), subdivideMesh(large, 800), 0.5 * MM);
    const edgePairs = contactsOf(set).filter(({ kind }) => kind === EDGE_EDGE);
    expect(edgePairs).toEqual([]);
    for (const contact of contactsOf(set)) {
      expect(contact.normal[2]).toBeCloseTo(1, 12);
      expect(contact.gap).toBeCloseTo(0.1 * MM, 12);
    }
    expect(set.count).toBeGreaterThan(30);
  });

  it('that go into each other with a corner are pushed back by the face that is crossed', () => {
    // On its corner, 0.2 mm deep.
    const onEdge = placed(small, randomPose(createRandom(4), 0));
    const lowest = Math.min(...onEdge.positions.filter((_, i) => i % 3 === 2));
    const a = movedBy(onEdge, 0, 0, 5 * MM - lowest - 0.2 * MM);
    const contacts = contactsOf(proximityOf(a, large, 0.5 * MM));

    expect(contacts.length).toBe(1);
    expect(contacts[0].normal).toEqual([0, 0, 1]);
    expect(contacts[0].gap).toBeCloseTo(-0.2 * MM, 12);
  });

  it('edge on edge: one contact, in front and behind', () => {
    const half = Math.SQRT1_2;
    // Two square bars on their edges, crossing at a right angle.
    const turnX = Float64Array.of(0, 0, 0, Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8));
    const turnY = Float64Array.of(0, 0, 0, 0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8));
    const lower = placed(createBox(40 * MM, 10 * MM, 10 * MM), turnX);
    for (const gap of [0.2 * MM, 1e-9, -1e-9, -0.2 * MM]) {
      const upper = movedBy(placed(createBox(10 * MM, 40 * MM, 10 * MM), turnY), 0, 0, 20 * MM * half + gap);
      const contacts = contactsOf(proximityOf(upper, lower, 0.5 * MM));
      expect(contacts.map(({ kind }) => kind)).toEqual([EDGE_EDGE]);
      expect(contacts[0].normal[2]).toBeCloseTo(1, 9);
      expect(contacts[0].gap).toBeCloseTo(gap, 12);
    }
  });
});

describe('a vertex', () => {
  /** A needle whose tip is at the origin and points towards −z. */
  const needle = createMesh(
    Float64Array.of(0, 0, 0, 2 * MM, 0, 20 * MM, -MM, 1.7 * MM, 20 * MM, -MM, -1.7 * MM, 20 * MM),
    Uint32Array.of(0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3),
  );

  it.each([0.2 * MM, 0, -0.2 * MM])('over a face, at a gap of %d m', (gap) => {
    const contacts = contactsOf(
      proximityOf(movedBy(needle, MM, 2 * MM, gap), movedBy(createBox(0.02, 0.02, 0.01), 0, 0, -0.005), 0.5 * MM),
    );
    expect(contacts.length).toBe(1);
    expect(contacts[0]).toMatchObject({ kind: VERTEX_FACE, a: [0, -1, -1], normal: [0, 0, 1] });
    expect(contacts[0].gap).toBeCloseTo(gap, 12);
  });

  it('keeps its key when it slides from one face to the next', () => {
    const plate = movedBy(subdivideMesh(createBox(0.02, 0.02, 0.01), 300), 0, 0, -0.005);
    const keys = new Set<string>();
    const faces = new Set<string>();
    for (let x = -5; x < 5; x += 0.31) {
      const [contact] = contactsOf(proximityOf(movedBy(needle, x * MM, 0.37 * MM, 0.1 * MM), plate, 0.5 * MM));
      keys.add(contact.key);
      faces.add(contact.b.join());
    }
    expect(keys.size).toBe(1);
    expect(faces.size).toBeGreaterThan(3);
  });

  it('in a groove touches both walls, in a corner three', () => {
    const corner = buildModel('corner');
    const box = createBox(10 * MM, 10 * MM, 10 * MM);
    const contacts = contactsOf(proximityOf(movedBy(box, 5.3 * MM, 5.2 * MM, 5.1 * MM), corner, 0.5 * MM));
    const walls = (x: number, y: number, z: number) =>
      contacts
        .filter(({ pointA }) => Math.hypot(pointA[0] - x * MM, pointA[1] - y * MM, pointA[2] - z * MM) < 1e-9)
        .map(({ normal, gap }) => `${'xyz'[normal.findIndex((n) => n > 0.999)]} ${Math.round(gap * 1e6)}`);
    expect(walls(0.3, 0.2, 0.1)).toEqual(['z 100', 'y 200', 'x 300']);
    expect(walls(10.3, 0.2, 0.1)).toEqual(['z 100', 'y 200']);
    expect(walls(10.3, 10.2, 0.1)).toEqual(['z 100']);
    expect(contacts.length).toBe(12);
  });

  it('in the middle of a floor does not stop an edge that slides towards it', () => {
    const floor = movedBy(subdivideMesh(createBox(0.02, 0.02, 0.01), 300), 0, 0, -0.005);
    const box = createBox(5.3 * MM, 6.1 * MM, 4 * MM);
    for (let x = 0; x < 2; x += 0.07) {
      const contacts = contactsOf(proximityOf(movedBy(box, x * MM, 0.1 * MM, 2.05 * MM), floor, 0.5 * MM));
      expect(contacts.length).toBeGreaterThanOrEqual(4);
      for (const { normal } of contacts) expect(normal[2], `at ${x} mm`).toBeCloseTo(1, 12);
    }
  });
});

describe('a thin plate, ten times thinner than the alarm distance', () => {
  const alarm = 0.5 * MM;
  const plate = subdivideMesh(createBox(30 * MM, 30 * MM, 0.05 * MM), 400);
  const block = createBox(10 * MM, 10 * MM, 10 * MM);

  it.each([0.1 * MM, 0.01 * MM, -0.01 * MM, -0.04 * MM])('touched from above, at a gap of %d m', (gap) => {
    const contacts = contactsOf(proximityOf(movedBy(block, 0, 0, 5.025 * MM + gap), plate, alarm));
    expect(contacts.length).toBeGreaterThanOrEqual(4);
    for (const contact of contacts) {
      expect(contact.normal[2]).toBeCloseTo(1, 12);
      expect(contact.gap).toBeCloseTo(gap, 12);
    }
  });

  it('touched from below', () => {
    const contacts = contactsOf(proximityOf(movedBy(block, 0, 0, -5.125 * MM), plate, alarm));
    expect(contacts.length).toBeGreaterThanOrEqual(4);
    for (const contact of contacts) {
      expect(contact.normal[2]).toBeCloseTo(-1, 12);
      expect(contact.gap).toBeCloseTo(0.1 * MM, 12);
    }
  });

  it('on another thin plate: their far sides do not meet', () => {
    for (const gap of [0.05 * MM, 0, -0.01 * MM]) {
      const other = movedBy(createBox(10 * MM, 40 * MM, 0.05 * MM), MM, 0, 0.05 * MM + gap);
      const contacts = contactsOf(proximityOf(other, plate, alarm));
      expect(contacts.length).toBeGreaterThanOrEqual(4);
      for (const contact of contacts) {
        expect(contact.normal[2]).toBeCloseTo(1, 9);
        expect(contact.gap).toBeCloseTo(gap, 12);
      }
    }
  });
});

describe('round bodies', () => {
  it('a ball in a bowl', () => {
    const ball = createSphere(9.8 * MM, 12);
    const hollow = createSphere(10 * MM, 13);
    // Inside out: the inside of a ball is a bowl all round.
    const bowl = createMesh(hollow.positions, hollow.triangles.slice().reverse());
    const contacts = contactsOf(proximityOf(movedBy(ball, 0, 0, -0.15 * MM), bowl, 0.1 * MM));
    expect(contacts.length).toBeGreaterThan(10);
    for (const { normal, pointA, gap } of contacts) {
      const length = Math.hypot(...pointA);
      expect(normal.reduce((sum, n, k) => sum - (n * pointA[k]) / length, 0)).toBeGreaterThan(0.98);
      expect(pointA[2]).toBeLessThan(0);
      expect(gap).toBeGreaterThan(-0.01 * MM);
    }
  });

  it('the clip on its pipe: all contacts are radial, at the clearance', () => {
    const clip = buildModel('clip');
    const pipe = buildModel('pipe');
    const contacts = contactsOf(proximityOf(clip, pipe, 0.3 * MM));
    expect(contacts.length).toBeGreaterThan(300);
    for (const { normal, pointB, gap } of contacts) {
      const length = Math.hypot(pointB[0], pointB[2]);
      expect((normal[0] * pointB[0] + normal[2] * pointB[2]) / length).toBeGreaterThan(
        pointB[2] > -4 * MM ? 0.998 : 0.9,
      );
      expect(gap).toBeGreaterThan(0.08 * MM);
      // Further down the lips bend away.
      if (pointB[2] > -4 * MM) expect(gap).toBeLessThan(0.12 * MM);
    }
  });
});

describe('a surface', () => {
  it('is only touched where it may be', () => {
    const mesh = subdivideMesh(createBox(20 * MM, 20 * MM, 20 * MM), 400);
    const touchable = Uint8Array.from({ length: mesh.positions.length / 3 }, (_, v) =>
      mesh.positions[3 * v] > 0 ? 1 : 0,
    );
    const a = createProximitySurface(mesh, { touchable });
    const contacts = contactsOf(proximityOf(a, movedBy(createBox(0.1, 0.1, 0.01), 0, 0, -15.1 * MM), 0.5 * MM));
    expect(contacts.length).toBeGreaterThan(5);
    for (const { a: vertices } of contacts) for (const v of vertices) if (v >= 0) expect(touchable[v]).toBe(1);
    expect(() => createProximitySurface(mesh, { touchable: new Uint8Array(3) })).toThrow(/flags/);
  });

  it('that deforms has the contacts of one made again', () => {
    const torus = createTorus(0.03, 0.01, 24, 12);
    const bent = roughened(torus, 0.004, 5);
    const other = movedBy(torus, 0, 0, 0.021);
    const surface = createProximitySurface(torus);
    surface.positions.set(bent.positions);
    refitSurface(surface);
    const sorted = (set: ProximitySet) =>
      contactsOf(set).sort((x, y) => (`${x.kind} ${x.key}` < `${y.kind} ${y.key}` ? -1 : 1));
    const again = sorted(proximityOf(bent, other, 0.002));
    expect(sorted(proximityOf(surface, other, 0.002))).toEqual(again);
    expect(again.length).toBeGreaterThan(10);
  });

  it.each([31, 32, 33])('has the same contacts without its tree, tori in and out of each other, seed %i', (seed) => {
    const random = createRandom(seed);
    const torus = roughened(createTorus(0.03, 0.01, 14, 8), 0.002, seed);
    let found = 0;
    for (let trial = 0; trial < 10; trial++) {
      const a = createProximitySurface(placed(torus, randomPose(random, 0.02)));
      const b = createProximitySurface(placed(torus, randomPose(random, 0.03)));
      const set = proximityOf(a, b, 0.003);
      const bare = proximityOf({ ...a, tree: oneLeaf(a.tree) }, { ...b, tree: oneLeaf(b.tree) }, 0.003);
      const told = (each: ProximitySet) =>
        contactsOf(each)
          .map(({ kind, a: va, b: vb, gap }) => [kind, ...va, ...vb, gap.toFixed(15)].join())
          .sort();
      expect(told(set), `trial ${trial}`).toEqual(told(bare));
      found += set.count;
    }
    expect(found).toBeGreaterThan(40);
  });

  it('with a number that is not finite has no contacts, and says so', () => {
    const a = createProximitySurface(createBox(1, 1, 1));
    a.positions[4] = Number.NaN;
    const set = proximityOf(a, movedBy(createBox(1, 1, 1), 0, 0, 1.01), 0.1);
    expect(set.count).toBe(0);
    expect(set.flags).toBe(8);
  });
});

describe('a set that is full', () => {
  it('keeps the smallest gaps and says that it was', () => {
    const clip = buildModel('clip');
    const pipe = movedBy(buildModel('pipe'), 0.03 * MM, 0, 0.05 * MM);
    const all = proximityOf(clip, pipe, 0.3 * MM);
    const few = proximityOf(clip, pipe, 0.3 * MM, 0.3 * MM, 50);
    expect(few.count).toBe(50);
    expect(few.flags).toBe(1);
    const sorted = (set: ProximitySet) => [...set.gap.subarray(0, set.count)].sort((x, y) => x - y);
    expect(sorted(few)).toEqual(sorted(all).slice(0, 50));
  });
});
