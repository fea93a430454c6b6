import { createRandom } from '../../base/random.js';
import { length4 } from '../../math/portable.js';
import { type Pose, transformPoint } from '../../math/pose.js';
import { createMesh, type TriangleMesh } from '../../mesh/triangle-mesh.js';
import { closestOnEdges, closestOnTriangle, segmentCrosses } from './closest-features.js';
import { findProximity } from './find-proximity.js';
import { createProximitySet, type ProximitySet } from './proximity-set.js';
import { createProximitySurface, type ProximitySurface, refitSurface } from './proximity-surface.js';

/** What the tests of proximity share. */

export function placed(mesh: TriangleMesh, pose: Pose): TriangleMesh {
  const positions = mesh.positions.slice();
  const point = new Float64Array(3);
  for (let i = 0; i < positions.length; i += 3) {
    transformPoint(point, pose, positions[i], positions[i + 1], positions[i + 2]);
    positions.set(point, i);
  }
  return createMesh(positions, mesh.triangles);
}

export function movedBy(mesh: TriangleMesh, x: number, y: number, z: number): TriangleMesh {
  return placed(mesh, Float64Array.of(x, y, z, 0, 0, 0, 1));
}

export function randomPose(random: () => number, reach: number): Float64Array {
  const pose = Float64Array.from({ length: 7 }, () => 2 * random() - 1);
  const length = length4(pose[3], pose[4], pose[5], pose[6]);
  for (let i = 0; i < 7; i++) pose[i] = i < 3 ? pose[i] * reach : pose[i] / length;
  return pose;
}

/** Seeded bumps on every vertex, so that faces are curved and no two edges parallel. */
export function roughened(mesh: TriangleMesh, size: number, seed: number): TriangleMesh {
  const random = createRandom(seed);
  return createMesh(
    mesh.positions.map((x) => x + size * (random() - 0.5)),
    mesh.triangles,
  );
}

export function proximityOf(
  a: TriangleMesh | ProximitySurface,
  b: TriangleMesh | ProximitySurface,
  alarm: number,
  maxDepth = alarm,
  capacity = 4096,
): ProximitySet {
  const set = createProximitySet(capacity);
  findProximity(set, asSurface(a), asSurface(b), alarm, maxDepth);
  return set;
}

function asSurface(surface: TriangleMesh | ProximitySurface): ProximitySurface {
  if (!('tree' in surface)) return createProximitySurface(surface);
  refitSurface(surface);
  return surface;
}

export interface Contact {
  readonly kind: number;
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly normal: readonly number[];
  readonly gap: number;
  readonly pointA: readonly number[];
  readonly pointB: readonly number[];
  readonly key: string;
}

export function contactsOf(set: ProximitySet): Contact[] {
  const three = (array: Float64Array | Int32Array, i: number) => [...array.subarray(3 * i, 3 * i + 3)];
  return Array.from({ length: set.count }, (_, i) => ({
    kind: set.kind[i],
    a: three(set.a, i),
    b: three(set.b, i),
    normal: three(set.normal, i),
    gap: set.gap[i],
    pointA: three(set.pointA, i),
    pointB: three(set.pointB, i),
    key: `${set.key[2 * i]},${set.key[2 * i + 1]}`,
  }));
}

/** Smallest distance of all pairs of a vertex and a face and of two edges, without any tree. */
export function bruteForceDistance(a: ProximitySurface, b: ProximitySurface): number {
  const closest = new Float64Array(4);
  let least = Infinity;
  for (const [own, other] of [
    [a, b],
    [b, a],
  ] as const) {
    for (let v = 0; v < own.positions.length; v += 3) {
      for (let t = 0; t < other.triangles.length / 3; t++) {
        closestOnTriangle(closest, other.positions, other.triangles, t, own.positions.subarray(v, v + 3));
        least = Math.min(least, closest[3]);
      }
    }
  }
  for (let i = 0; i < a.edges.length; i += 2) {
    for (let j = 0; j < b.edges.length; j += 2) {
      const [a0, a1, b0, b1] = [a.edges[i], a.edges[i + 1], b.edges[j], b.edges[j + 1]];
      if (closestOnEdges(closest, a.positions, a0, a1, b.positions, b0, b1)) least = Math.min(least, closest[2]);
    }
  }
  return Math.sqrt(least);
}

/** Whether an edge of one surface goes through a face of the other. */
export function cross(a: ProximitySurface, b: ProximitySurface): boolean {
  const segment = new Float64Array(6);
  for (const [own, other] of [
    [a, b],
    [b, a],
  ] as const) {
    for (let i = 0; i < own.edges.length; i += 2) {
      segment.set(own.positions.subarray(3 * own.edges[i], 3 * own.edges[i] + 3), 0);
      segment.set(own.positions.subarray(3 * own.edges[i + 1], 3 * own.edges[i + 1] + 3), 3);
      for (let t = 0; t < other.triangles.length / 3; t++) {
        if (segmentCrosses(other.positions, other.triangles, t, segment)) return true;
      }
    }
  }
  return false;
}
