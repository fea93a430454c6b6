import { GrowableUint32 } from '../mesh/growable.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';

/*
 * Stand-in for the spoon of Otaduy and Lin, sections VII-B and VII-C, of which the length, 20 cm, and the number of
 * triangles, 1,344, are printed: rings of points along the spoon, closed by a point at each end.
 *
 * Body frame: x along the spoon, the tip of its bowl at +0.1 m and the end of its handle at −0.1 m; z out of the bowl.
 */

const HALF_LENGTH = 0.1;
const RINGS = 42;
const SEGMENTS = 16;
const THICKNESS = 0.0022;

const BOWL_CENTRE = 0.066;
const BOWL_LENGTH = HALF_LENGTH - BOWL_CENTRE;
const BOWL_WIDTH = 0.02;
const BOWL_DEPTH = 0.008;
const NECK_WIDTH = 0.0035;
const END_WIDTH = 0.007;
/** Length of the rounding at the end of the handle. */
const END_ROUNDING = 0.008;

export function createSpoon(): TriangleMesh {
  const positions = new Float64Array(3 * (SEGMENTS * RINGS + 2));
  const circle = unitCircle();
  for (let ring = 0; ring < RINGS; ring += 1) {
    const x = ringPlace(ring);
    const width = halfWidth(x);
    const depth = bowlDepth(x);
    const rise = handleRise(x);
    for (let segment = 0; segment < SEGMENTS; segment += 1) {
      const [across, up] = circle[segment];
      const hollow = depth * (1 - across * across);
      // Thinner at the rim, but never a blade.
      const z = rise - hollow + 0.5 * THICKNESS * up * endFactor(x);
      positions.set([x, width * across, z], 3 * (SEGMENTS * ring + segment));
    }
  }
  const tail = SEGMENTS * RINGS;
  positions.set([-HALF_LENGTH, 0, handleRise(-HALF_LENGTH)], 3 * tail);
  positions.set([HALF_LENGTH, 0, 0], 3 * (tail + 1));
  return { positions, triangles: triangles(tail) };
}

/** Sixteen points, by square roots alone: every engine computes the same bits. */
function unitCircle(): (readonly [number, number])[] {
  const [c, s] = [Math.sqrt(2 + Math.SQRT2) / 2, Math.sqrt(2 - Math.SQRT2) / 2];
  const quarter = [
    [1, 0],
    [c, s],
    [Math.SQRT1_2, Math.SQRT1_2],
    [s, c],
  ] as const;
  return [
    ...quarter,
    ...quarter.map(([x, y]) => [-y, x] as const),
    ...quarter.map(([x, y]) => [-x, -y] as const),
    ...quarter.map(([x, y]) => [y, -x] as const),
  ];
}

/** Rings lie closer together towards both ends, where the outline is round. */
function ringPlace(ring: number): number {
  const s = (2 * (ring + 1)) / (RINGS + 1) - 1;
  return HALF_LENGTH * (0.5 * s * (3 - s * s));
}

/** Of the outline. */
function halfWidth(x: number): number {
  const handle = NECK_WIDTH + (END_WIDTH - NECK_WIDTH) * square(Math.max(0, -x) / HALF_LENGTH);
  const blade = x < BOWL_CENTRE ? handle : 0;
  return Math.max(blade, BOWL_WIDTH * bowlOutline(x)) * endFactor(x);
}

/** 1 in the middle of the bowl, 0 at its ends. */
function bowlOutline(x: number): number {
  const along = (x - BOWL_CENTRE) / BOWL_LENGTH;
  return Math.sqrt(Math.max(0, 1 - along * along));
}

function bowlDepth(x: number): number {
  return BOWL_DEPTH * square(bowlOutline(x));
}

/** The handle comes up a little from the plane of the bowl's rim. */
function handleRise(x: number): number {
  return 0.015 * square(Math.max(0, BOWL_CENTRE - BOWL_LENGTH - x) / (2 * HALF_LENGTH));
}

/** Rounds the end of the handle and thins the tip of the bowl. */
function endFactor(x: number): number {
  const fromEnd = Math.min(1, (x + HALF_LENGTH) / END_ROUNDING);
  const fromTip = Math.min(1, (HALF_LENGTH - x) / (0.25 * END_ROUNDING));
  return Math.sqrt(1 - square(1 - fromEnd)) * Math.sqrt(1 - square(1 - fromTip));
}

function square(value: number): number {
  return value * value;
}

function triangles(tail: number): Uint32Array {
  const list = new GrowableUint32();
  for (let segment = 0; segment < SEGMENTS; segment += 1) {
    const next = (segment + 1) % SEGMENTS;
    list.push3(tail, next, segment);
    for (let ring = 0; ring + 1 < RINGS; ring += 1) {
      const [a, b] = [SEGMENTS * ring + segment, SEGMENTS * ring + next];
      list.push3(a, b, b + SEGMENTS);
      list.push3(a, b + SEGMENTS, a + SEGMENTS);
    }
    const last = SEGMENTS * (RINGS - 1);
    list.push3(tail + 1, last + segment, last + next);
  }
  return list.take();
}
