import { PalpableError } from '../base/errors.js';
import { cosOf, lengthOf, sinOf } from '../math/portable.js';
import { GrowableFloat64, GrowableUint32 } from './growable.js';
import { createMesh, type TriangleMesh } from './triangle-mesh.js';
import { weldMesh } from './weld.js';

/*
 * Shapes that scenes name instead of a file. All are closed, face outward, stand about the origin and have z as their
 * axis. Round ones have their vertices on the true surface, so they are slightly smaller than it.
 */

/** A box about the origin; side lengths in metres. */
export function createBox(sizeX: number, sizeY: number, sizeZ: number): TriangleMesh {
  checkSizes('box', sizeX, sizeY, sizeZ);
  const [x, y, z] = [sizeX / 2, sizeY / 2, sizeZ / 2];
  const positions = new Float64Array(24);
  for (let corner = 0; corner < 8; corner++) {
    positions.set([corner & 1 ? x : -x, corner & 2 ? y : -y, corner & 4 ? z : -z], corner * 3);
  }
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ] as const;
  return createMesh(positions, Uint32Array.from(quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])));
}

/**
 * A sphere about the origin; radius in metres. Its triangles are nearly equal: an icosahedron each face of which is cut
 * into `frequency`² triangles.
 */
export function createSphere(radius: number, frequency = 16): TriangleMesh {
  checkSizes('sphere', radius);
  checkSegments('sphere', 1, frequency);
  const positions = new GrowableFloat64();
  const triangles = new GrowableUint32();
  for (const face of ICOSAHEDRON_FACES) addSphereFace(positions, triangles, face, radius, frequency);
  return weldMesh(createMesh(positions.take(), triangles.take()));
}

/** A cylinder about the origin, along z; radius and height in metres. */
export function createCylinder(radius: number, height: number, segments = 64): TriangleMesh {
  checkSizes('cylinder', radius, height);
  checkSegments('cylinder', 3, segments);
  const half = height / 2;
  // biome-ignore format: a profile
  const profile = [[0, -half], [radius, -half], [radius, half], [0, half]] as const;
  return createLathe(profile, segments);
}

/**
 * A cylinder of the given height with a half sphere at both ends, along z: its whole length is height + 2 radius.
 * Metres.
 */
export function createCapsule(radius: number, height: number, segments = 48): TriangleMesh {
  checkSizes('capsule', radius, height);
  checkSegments('capsule', 3, segments);
  const rings = Math.max(2, Math.round(segments / 4));
  const profile: [number, number][] = [];
  for (const end of [-1, 1]) {
    for (let i = 0; i <= rings; i++) {
      const angle = ((end < 0 ? i - rings : i) / rings) * (Math.PI / 2);
      const tip = end < 0 ? i === 0 : i === rings;
      profile.push([tip ? 0 : radius * cosOf(angle), (end * height) / 2 + radius * sinOf(angle)]);
    }
  }
  return createLathe(profile, segments);
}

/** A ring around z: `majorRadius` from the axis to the middle of the tube, `minorRadius` of the tube. Metres. */
export function createTorus(
  majorRadius: number,
  minorRadius: number,
  majorSegments = 96,
  minorSegments = 48,
): TriangleMesh {
  checkSizes('torus', majorRadius, minorRadius);
  checkSegments('torus', 3, majorSegments, minorSegments);
  if (minorRadius >= majorRadius) {
    throw new PalpableError(
      'option-invalid',
      'The tube of a torus must be thinner than its ring; make the second radius smaller.',
    );
  }
  const positions = new GrowableFloat64();
  const triangles = new GrowableUint32();
  for (let i = 0; i < majorSegments; i++) {
    const around = (2 * Math.PI * i) / majorSegments;
    for (let j = 0; j < minorSegments; j++) {
      const along = (2 * Math.PI * j) / minorSegments;
      const distance = majorRadius + minorRadius * cosOf(along);
      positions.push3(distance * cosOf(around), distance * sinOf(around), minorRadius * sinOf(along));
    }
  }
  const vertex = (i: number, j: number) => (i % majorSegments) * minorSegments + (j % minorSegments);
  for (let i = 0; i < majorSegments; i++) {
    for (let j = 0; j < minorSegments; j++) {
      triangles.pushQuad(vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1));
    }
  }
  return createMesh(positions.take(), triangles.take());
}

/** Turns a profile of (distance from z, z), from the lower to the upper point on the axis, about z. */
function createLathe(profile: readonly (readonly [number, number])[], segments: number): TriangleMesh {
  const positions = new GrowableFloat64();
  const triangles = new GrowableUint32();
  const rings = profile.length - 2;
  positions.push3(0, 0, profile[0][1]);
  for (const [distance, z] of profile.slice(1, -1)) {
    for (let i = 0; i < segments; i++) {
      const angle = (2 * Math.PI * i) / segments;
      positions.push3(distance * cosOf(angle), distance * sinOf(angle), z);
    }
  }
  positions.push3(0, 0, profile.at(-1)![1]);
  const vertex = (ring: number, i: number) => 1 + ring * segments + (i % segments);
  const top = 1 + rings * segments;
  for (let i = 0; i < segments; i++) {
    triangles.push3(0, vertex(0, i + 1), vertex(0, i));
    for (let ring = 0; ring + 1 < rings; ring++) {
      triangles.pushQuad(vertex(ring, i), vertex(ring, i + 1), vertex(ring + 1, i + 1), vertex(ring + 1, i));
    }
    triangles.push3(vertex(rings - 1, i), vertex(rings - 1, i + 1), top);
  }
  return createMesh(positions.take(), triangles.take());
}

const GOLDEN = (1 + Math.sqrt(5)) / 2;

// biome-ignore format: a table
const ICOSAHEDRON_VERTICES = [
  [-1, GOLDEN, 0], [1, GOLDEN, 0], [-1, -GOLDEN, 0], [1, -GOLDEN, 0],
  [0, -1, GOLDEN], [0, 1, GOLDEN], [0, -1, -GOLDEN], [0, 1, -GOLDEN],
  [GOLDEN, 0, -1], [GOLDEN, 0, 1], [-GOLDEN, 0, -1], [-GOLDEN, 0, 1],
] as const;

// biome-ignore format: a table
const ICOSAHEDRON_FACES = [
  [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
  [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
] as const;

function addSphereFace(
  positions: GrowableFloat64,
  triangles: GrowableUint32,
  face: readonly [number, number, number],
  radius: number,
  frequency: number,
): void {
  const first = positions.length / 3;
  for (let i = 0; i <= frequency; i++) {
    for (let j = 0; j <= i; j++) addSphereVertex(positions, face, [frequency - i, i - j, j], radius);
  }
  const vertex = (i: number, j: number) => first + (i * (i + 1)) / 2 + j;
  for (let i = 0; i < frequency; i++) {
    for (let j = 0; j <= i; j++) {
      triangles.push3(vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1));
      if (j < i) triangles.push3(vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1));
    }
  }
}

/** Weights are whole numbers and summed in the order of the icosahedron's vertices, so that neighbouring faces agree to the bit. */
function addSphereVertex(
  positions: GrowableFloat64,
  face: readonly [number, number, number],
  weights: readonly [number, number, number],
  radius: number,
): void {
  const order = [0, 1, 2].sort((a, b) => face[a] - face[b]);
  const point = [0, 1, 2].map((axis) =>
    order.reduce((sum, corner) => sum + weights[corner] * ICOSAHEDRON_VERTICES[face[corner]][axis], 0),
  ) as [number, number, number];
  const scale = radius / lengthOf(point);
  positions.push3(point[0] * scale, point[1] * scale, point[2] * scale);
}

function checkSizes(shape: string, ...sizes: number[]): void {
  for (const size of sizes) {
    if (!(size > 0) || !Number.isFinite(size)) {
      throw new PalpableError('option-invalid', `A size of the ${shape} is ${size}; give metres above 0.`);
    }
  }
}

function checkSegments(shape: string, least: number, ...counts: number[]): void {
  for (const count of counts) {
    if (!Number.isInteger(count) || count < least || count > 2000) {
      throw new PalpableError(
        'option-invalid',
        `The ${shape} has ${count} segments; give a whole number from ${least} to 2000.`,
      );
    }
  }
}
