import { describe, expect, it } from 'vitest';
import { createRandom } from '../../base/random.js';
import { type ContactSet, createContactSet } from '../../contact/contact-set.js';
import { type ContactClusters, clusterContacts, createContactClusters } from './cluster-contacts.js';

const D = 0.001;

interface Spot {
  readonly at: readonly [number, number, number];
  readonly depth: number;
  /** The way the tool is pushed. */
  readonly normal?: readonly [number, number, number];
}

function contactsAt(spots: readonly Spot[]): ContactSet {
  const set = createContactSet(Math.max(1, spots.length));
  set.count = spots.length;
  spots.forEach(({ at, depth, normal = [0, 0, 1] }, c) => {
    set.position.set(at, 3 * c);
    set.normal.set(normal, 3 * c);
    set.depth[c] = depth;
  });
  return set;
}

function cluster(clusters: ContactClusters, spots: readonly Spot[], shift = 0): void {
  const set = contactsAt(spots.map((spot) => ({ ...spot, at: [spot.at[0] + shift, spot.at[1], spot.at[2]] })));
  clusterContacts(clusters, set, new Float64Array(2 * spots.length).fill(0.4));
}

/** Three heaps far from each other. */
function heaps(seed: number): Spot[] {
  const random = createRandom(seed);
  const spots: Spot[] = [];
  for (let n = 0; n < 30; n += 1) {
    const centre = [0, 0.1, 0.2][n % 3];
    spots.push({ at: [centre + 0.01 * random(), 0.01 * random(), 0], depth: 0.001 * random() });
  }
  return spots;
}

describe('clustering', () => {
  it('makes as many clusters as contacts when there are fewer than K, none of none', () => {
    const clusters = createContactClusters(5, D, 10);
    cluster(clusters, heaps(1).slice(0, 3));
    expect(clusters.count).toBe(3);
    cluster(clusters, []);
    expect(clusters.count).toBe(0);
  });

  it('puts a single contact where it is', () => {
    const clusters = createContactClusters(5, D, 10);
    cluster(clusters, [{ at: [0.1, 0.2, 0.3], depth: 0.0004, normal: [0, 0.6, 0.8] }]);
    expect([...clusters.position.subarray(0, 3)]).toEqual([0.1, 0.2, 0.3]);
    expect([...clusters.normal.subarray(0, 3)].map((n) => n.toFixed(12))).toEqual(
      [0, -0.6, -0.8].map((n) => n.toFixed(12)),
    );
    expect(clusters.depth[0]).toBeCloseTo(0.0004, 15);
    expect(clusters.coefficient[0]).toBeCloseTo(0.4, 12);
  });

  it('finds heaps that are apart, weighted by depth (Eq. 29, 30)', () => {
    const clusters = createContactClusters(3, D, 30);
    const spots = heaps(2);
    cluster(clusters, spots);
    expect(clusters.count).toBe(3);
    for (let k = 0; k < 3; k += 1) {
      const own = spots.filter(({ at }) => Math.abs(at[0] - clusters.position[3 * k]) < 0.03);
      const weight = own.reduce((sum, { depth }) => sum + depth + D, 0);
      const x = own.reduce((sum, { at, depth }) => sum + (depth + D) * at[0], 0) / weight;
      const depth = own.reduce((sum, spot) => sum + (spot.depth + D) * spot.depth, 0) / weight;
      expect(own).toHaveLength(10);
      expect(clusters.position[3 * k]).toBeCloseTo(x, 12);
      expect(clusters.depth[k]).toBeCloseTo(depth, 12);
    }
    expect([...clusters.depth]).toEqual([...clusters.depth].sort((a, b) => b - a));
  });

  it('keeps the slots of clusters from one update to the next, whatever their order', () => {
    const clusters = createContactClusters(3, D, 30);
    const slots = new Map<number, number>();
    const heapOf = (k: number) => Math.round(clusters.position[3 * k] / 0.1);
    cluster(clusters, heaps(3));
    for (let k = 0; k < 3; k += 1) slots.set(heapOf(k), clusters.slot[k]);
    for (let n = 1; n < 20; n += 1) {
      cluster(clusters, heaps(3 + n), 0.0002 * n);
      for (let k = 0; k < 3; k += 1) expect(clusters.slot[k]).toBe(slots.get(heapOf(k)));
    }
  });

  it('drops the shallowest cluster when contacts get fewer, and gives its slot to a new one', () => {
    const clusters = createContactClusters(3, D, 30);
    cluster(clusters, [
      { at: [0, 0, 0], depth: 0.003 },
      { at: [0.1, 0, 0], depth: 0.001 },
      { at: [0.2, 0, 0], depth: 0.002 },
    ]);
    const shallowest = clusters.slot[2];
    cluster(clusters, [
      { at: [0, 0, 0], depth: 0.003 },
      { at: [0.2, 0, 0], depth: 0.002 },
    ]);
    expect(clusters.count).toBe(2);
    expect([...clusters.slot.subarray(0, 2)]).not.toContain(shallowest);
    cluster(clusters, [
      { at: [0, 0, 0], depth: 0.003 },
      { at: [0.2, 0, 0], depth: 0.002 },
      { at: [0.4, 0, 0], depth: 0.001 },
    ]);
    expect([...clusters.slot].sort()).toEqual([0, 1, 2]);
  });

  it('leaves out a cluster whose normals cancel, and takes contacts that lie on each other', () => {
    const clusters = createContactClusters(1, D, 30);
    cluster(clusters, [
      { at: [0, 0, 0], depth: 0.001, normal: [0, 0, 1] },
      { at: [0.001, 0, 0], depth: 0.001, normal: [0, 0, -1] },
    ]);
    expect(clusters.count).toBe(0);
    const same = createContactClusters(4, D, 30);
    cluster(same, new Array(6).fill({ at: [0.1, 0, 0], depth: -D }));
    expect(same.count).toBe(1);
    expect(same.position[0]).toBeCloseTo(0.1, 12);
  });

  it.each([2, 3, 5])('never mixes the normals of two walls that meet, with %i clusters', (most) => {
    const clusters = createContactClusters(most, D, 200);
    for (let n = 0; n < 20; n += 1) {
      const random = createRandom(n + 1);
      const spots = Array.from({ length: 80 }, (_, c): Spot => {
        const side = c % 2 === 0 ? 1 : -1;
        const out = 0.04 * random();
        const normal = [-side * Math.SQRT1_2, 0, Math.SQRT1_2] as const;
        return { at: [side * out, 0.06 * random(), out], depth: 0.001 * random(), normal };
      });
      cluster(clusters, spots);
      expect(clusters.count).toBe(most);
      for (let k = 0; k < most; k += 1) expect(clusters.normal[3 * k + 2]).toBeCloseTo(-Math.SQRT1_2, 12);
    }
  });

  it('ends after few iterations on what it saw before', () => {
    const clusters = createContactClusters(3, D, 30);
    cluster(clusters, heaps(5));
    cluster(clusters, heaps(5), 0.0001);
    expect(clusters.iterations).toBeLessThanOrEqual(3);
  });
});
