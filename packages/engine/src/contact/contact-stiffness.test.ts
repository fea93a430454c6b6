import { describe, expect, test } from 'vitest';
import { createRandom, type RandomSource } from '../base/random.js';
import { type ContactSet, createContactSet } from './contact-set.js';
import { createContactStiffness, setContactStiffness } from './contact-stiffness.js';

const SEED = 20261115;
const STIFFNESS = 5000;

type Vector = readonly [number, number, number];

/** Contacts whose gradient lies along the normal, so that none counts as round the corner. */
function contactsOf(normals: readonly Vector[], depths: readonly number[]): ContactSet {
  const set = createContactSet(normals.length);
  set.count = normals.length;
  normals.forEach((normal, c) => {
    set.normal.set(normal, 3 * c);
    set.gradient.set(normal, 3 * c);
    set.depth[c] = depths[c];
  });
  return set;
}

function stiffen(set: ContactSet, settings: { adaptive?: boolean; cornerWeighting?: boolean } = {}): number[] {
  const law = createContactStiffness(set.capacity, {
    stiffness: STIFFNESS,
    adaptive: true,
    cornerWeighting: true,
    ...settings,
  });
  setContactStiffness(law, set);
  return [...set.stiffness.subarray(0, set.count)];
}

function randomUnit(random: RandomSource): Vector {
  for (;;) {
    const [x, y, z] = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
    const size = Math.hypot(x, y, z);
    if (size > 0.1 && size < 1) return [x / size, y / size, z / size];
  }
}

const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** k_n / max(1, ρ) by the double sum over all pairs. */
function byPairs(normals: readonly Vector[], depths: readonly number[]): number[] {
  return normals.map((normal) => {
    let sum = 0;
    let square = 0;
    normals.forEach((other, j) => {
      const c = dot(normal, other);
      const kernel = 0.25 * c * c * (1 + c) ** 2;
      sum += depths[j] * kernel;
      square += depths[j] ** 2 * kernel;
    });
    return STIFFNESS / Math.max(1, sum ** 2 / square);
  });
}

/** Σ k d N. */
function totalForce(set: ContactSet): number[] {
  const force = [0, 0, 0];
  for (let c = 0; c < set.count; c += 1) {
    for (let axis = 0; axis < 3; axis += 1) {
      force[axis] += set.stiffness[c] * set.depth[c] * set.normal[3 * c + axis];
    }
  }
  return force;
}

const UP: Vector = [0, 0, 1];

describe('adaptive stiffness', () => {
  test.each([1, 2, 17, 200])('equals the double sum over all pairs, %i contacts of random normals', (count) => {
    const random = createRandom(SEED);
    for (let round = 0; round < 10; round += 1) {
      const normals = Array.from({ length: count }, () => randomUnit(random));
      const depths = normals.map(() => 1e-3 * (0.01 + random()));
      const expected = byPairs(normals, depths);
      stiffen(contactsOf(normals, depths)).forEach((stiffness, c) => {
        expect(Math.abs(stiffness / expected[c] - 1), `seed ${SEED}, contact ${c}`).toBeLessThan(1e-12);
      });
    }
  });

  test.each([1, 2, 10, 60])('does so too for %i directions that contacts share, in any order', (directions) => {
    const random = createRandom(SEED);
    const all = Array.from({ length: directions }, () => randomUnit(random));
    const law = createContactStiffness(200, { stiffness: STIFFNESS, adaptive: true, cornerWeighting: true });
    for (let round = 0; round < 10; round += 1) {
      const normals = Array.from({ length: 200 }, () => all[Math.floor(directions * random())]);
      const depths = normals.map(() => 1e-3 * (0.01 + random()));
      const expected = byPairs(normals, depths);
      const set = contactsOf(normals, depths);
      setContactStiffness(law, set);
      for (let c = 0; c < set.count; c += 1) {
        expect(Math.abs(set.stiffness[c] / expected[c] - 1), `seed ${SEED}, contact ${c}`).toBeLessThan(1e-12);
      }
      expect(law.groups.count).toBe(new Set(normals).size);
    }
  });

  test.each([1, 3, 100])('%i equal contacts of one direction add up to the stiffness of one', (count) => {
    const tilted: Vector = [0.48, 0.6, 0.64];
    const set = contactsOf(Array(count).fill(tilted), Array(count).fill(2e-4));
    const sum = stiffen(set).reduce((a, b) => a + b);
    expect(Math.abs(sum / STIFFNESS - 1)).toBeLessThan(1e-12);
  });

  test('faces at right angles and opposite faces take nothing from each other', () => {
    const directions: Vector[] = [
      [1, 0, 0],
      [-1, 0, 0],
      [0, 1, 0],
      [0, -1, 0],
      [0, 0, 1],
      [0, 0, -1],
    ];
    const normals = directions.flatMap((direction, i) => Array<Vector>(i + 1).fill(direction));
    const set = contactsOf(normals, Array(normals.length).fill(1e-3));
    stiffen(set).forEach((stiffness, c) => {
      const sharing = directions.indexOf(normals[c]) + 1;
      expect(Math.abs((stiffness * sharing) / STIFFNESS - 1)).toBeLessThan(1e-12);
    });
  });

  test('a flat face pushes with k_n Σd²/Σd, its mean depth when all are equally deep', () => {
    const random = createRandom(SEED);
    const depths = Array.from({ length: 60 }, () => 1e-3 * random());
    const set = contactsOf(Array(60).fill(UP), depths);
    stiffen(set);
    const sum = depths.reduce((a, b) => a + b);
    const squares = depths.reduce((a, b) => a + b * b, 0);
    expect(totalForce(set)[2] / ((STIFFNESS * squares) / sum)).toBeCloseTo(1, 12);
  });

  test('a contact that comes in changes the force by no more than its depth allows', () => {
    const random = createRandom(SEED);
    const normals = Array.from({ length: 30 }, () => randomUnit(random));
    const depths = normals.map(() => 1e-3 * (0.1 + random()));
    const before = contactsOf(normals, depths);
    stiffen(before);
    const forceBefore = totalForce(before);
    for (const depth of [1e-5, 1e-7, 1e-9]) {
      const after = contactsOf([...normals, normals[3]], [...depths, depth]);
      stiffen(after);
      const change = Math.hypot(...totalForce(after).map((component, axis) => component - forceBefore[axis]));
      expect(change, `depth ${depth}`).toBeLessThan(5 * STIFFNESS * depth);
    }
  });

  test('contacts above the surface get nothing and take nothing', () => {
    const set = contactsOf([UP, UP, UP], [1e-3, -1e-3, 0]);
    expect(stiffen(set)).toEqual([STIFFNESS, 0, 0]);
  });

  test('without it every contact has the full stiffness', () => {
    const set = contactsOf([UP, UP], [1e-3, 1e-4]);
    expect(stiffen(set, { adaptive: false })).toEqual([STIFFNESS, STIFFNESS]);
  });
});

describe('points round the corner', () => {
  /** One contact whose gradient has the cosine `along` with its normal, beside one of a side wall that is as deep. */
  function weightAt(along: number, cornerWeighting = true): number {
    const set = contactsOf([UP, [0, 1, 0]], [1e-3, 1e-3]);
    set.gradient.set([Math.sqrt(1 - along * along), 0, along]);
    return stiffen(set, { cornerWeighting })[0] / STIFFNESS;
  }

  test('count fully above 0.7, not at all below 0.5, with a smooth step between', () => {
    expect([0, 0.3, 0.499].map((along) => weightAt(along))).toEqual([0, 0, 0]);
    expect([0.701, 0.9, 1].map((along) => weightAt(along))).toEqual([1, 1, 1]);
    expect(weightAt(0.6)).toBeCloseTo(0.5, 12);
    for (let along = 0.5; along < 0.7; along += 1e-3) {
      expect(Math.abs(weightAt(along + 1e-3) - weightAt(along))).toBeLessThan(0.01);
    }
  });

  test('of an acute edge do not count, while contacts past the middle of a sheet do', () => {
    // The back of an edge of 45° faces away from the surface that the edge is pressed on.
    expect([-Math.SQRT1_2, -0.799].map((along) => weightAt(along))).toEqual([0, 0]);
    expect([-0.951, -1].map((along) => weightAt(along))).toEqual([1, 1]);
    for (let along = -0.95; along < -0.8; along += 1e-3) {
      expect(Math.abs(weightAt(along + 1e-3) - weightAt(along))).toBeLessThan(0.011);
    }
  });

  test('past the middle of a thin sheet the gradient turns round, and contacts stay', () => {
    expect(weightAt(-1)).toBe(1);
  });

  test('count as any other without the weighting', () => {
    expect(weightAt(0.1, false)).toBe(1);
  });

  test('take no part of the stiffness of their direction', () => {
    const set = contactsOf([UP, UP], [1e-3, 1e-3]);
    set.gradient.set([1, 0, 0], 3);
    expect(stiffen(set)).toEqual([STIFFNESS, 0]);
  });

  test('deeper than all that face a surface are pushed out along the gradient, by what they are deeper', () => {
    const set = contactsOf([UP, [0, 1, 0]], [4e-3, 1e-3]);
    set.gradient.set([0.8, 0, 0.6]);
    set.normal.set([-0.6, 0, 0.8]);
    expect(stiffen(set)[0] * set.depth[0]).toBeCloseTo(STIFFNESS * 3e-3, 9);
    expect(Array.from(set.normal.subarray(0, 3), (part) => Math.round(1e9 * part) / 1e9)).toEqual([0.8, 0, 0.6]);
  });

  test('alone and deep, change neither force nor direction in a jump as they come to face the surface', () => {
    let last: number[] | undefined;
    for (let along = 0.02; along < 1; along += 1e-3) {
      const set = contactsOf([UP], [1e-3]);
      set.gradient.set([Math.sqrt(1 - along * along), 0, along]);
      const [stiffness] = stiffen(set);
      const push = Array.from(set.normal.subarray(0, 3), (part) => part * stiffness);
      if (last)
        expect(Math.hypot(...push.map((part, i) => part - (last as number[])[i]))).toBeLessThan(0.02 * STIFFNESS);
      last = push;
    }
  });
});
