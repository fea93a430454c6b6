import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  copyPose,
  createPose,
  normalizePose,
  type Pose,
  relativePose,
  rotationMatrix,
  transformPoint,
} from './pose.js';

fc.configureGlobal({ seed: 1, numRuns: 300 });

const coordinate = fc.double({ min: -100, max: 100, noNaN: true });
const point = fc.tuple(coordinate, coordinate, coordinate);
const part = fc.double({ min: -1, max: 1, noNaN: true });

const pose = fc
  .tuple(coordinate, coordinate, coordinate, part, part, part, part)
  .filter(([, , , x, y, z, w]) => Math.hypot(x, y, z, w) > 0.01)
  .map((numbers) => {
    const made = createPose(...numbers);
    normalizePose(made);
    return made;
  });

/** Results are up to a few hundred in size, so this is some thousand roundings. */
const CLOSE = 1e-10;

function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>, within = CLOSE): void {
  expect(found.length).toBe(expected.length);
  const worst = Math.max(...Array.from(found, (value, n) => Math.abs(value - expected[n])));
  expect(worst, `${Array.from(found)} instead of ${Array.from(expected)}`).toBeLessThan(within);
}

function transformed(by: Pose, [x, y, z]: readonly number[]): number[] {
  return [...transformPoint(new Float64Array(3), by, x, y, z)];
}

describe('a pose', () => {
  it('is the identity unless told otherwise', () => {
    expect([...createPose()]).toEqual([0, 0, 0, 0, 0, 0, 1]);
    expect(transformed(createPose(), [1, 2, 3])).toEqual([1, 2, 3]);
  });

  it('turns by the right-hand rule', () => {
    const quarterAboutZ = createPose(10, 20, 30, 0, 0, Math.SQRT1_2, Math.SQRT1_2);
    expectClose(transformed(quarterAboutZ, [1, 0, 0]), [10, 21, 30]);
    const quarterAboutX = createPose(0, 0, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2);
    expectClose(transformed(quarterAboutX, [0, 1, 0]), [0, 0, 1]);
    expectClose(rotationMatrix(new Float64Array(9), quarterAboutZ), [0, -1, 0, 1, 0, 0, 0, 0, 1]);
  });

  it('moves a point as its matrix does', () => {
    fc.assert(
      fc.property(pose, point, (by, [x, y, z]) => {
        const m = rotationMatrix(new Float64Array(9), by);
        const expected = [0, 3, 6].map((row, axis) => by[axis] + m[row] * x + m[row + 1] * y + m[row + 2] * z);
        expectClose(transformed(by, [x, y, z]), expected);
      }),
    );
  });

  it('has a rotation for a matrix: orthonormal, determinant 1', () => {
    fc.assert(
      fc.property(pose, (by) => {
        const [a, b, c, d, e, f, g, h, i] = rotationMatrix(new Float64Array(9), by);
        const rows = [
          [a, b, c],
          [d, e, f],
          [g, h, i],
        ];
        const products = rows.flatMap((p) => rows.map((q) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2]));
        expectClose(products, [1, 0, 0, 0, 1, 0, 0, 0, 1], 1e-14);
        expectClose([a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)], [1], 1e-14);
      }),
    );
  });

  it('seen from another frame puts points where that frame sees them', () => {
    fc.assert(
      fc.property(pose, pose, point, (frame, body, p) => {
        const relative = relativePose(createPose(), frame, body);
        expectClose(transformed(frame, transformed(relative, p)), transformed(body, p));
      }),
    );
  });

  it('seen from itself is the identity', () => {
    fc.assert(
      fc.property(pose, (body) => {
        expectClose(relativePose(createPose(), body, body), createPose(), 1e-14);
      }),
    );
  });

  it('may be overwritten by what is computed from it', () => {
    fc.assert(
      fc.property(pose, pose, (frame, body) => {
        const expected = [...relativePose(createPose(), frame, body)];
        const overBody = body.slice();
        const overFrame = frame.slice();
        expect([...relativePose(overBody, frame, overBody)]).toEqual(expected);
        expect([...relativePose(overFrame, overFrame, body)]).toEqual(expected);
      }),
    );
  });

  it('gets a unit quaternion of the same direction', () => {
    fc.assert(
      fc.property(fc.tuple(part, part, part, part), fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (q, scale) => {
        const size = Math.hypot(...q);
        fc.pre(size > 0.01);
        const made = createPose(1, 2, 3, ...(q.map((value) => value * scale) as [number, number, number, number]));
        expect(normalizePose(made)).toBe(true);
        expectClose(made, [1, 2, 3, ...q.map((value) => value / size)], 1e-14);
      }),
    );
  });

  it.each([
    [0, 0, 0, 0],
    [Number.NaN, 0, 0, 1],
    [Number.POSITIVE_INFINITY, 0, 0, 1],
    [1e-200, 0, 0, 0],
  ])('keeps a quaternion without direction, and says so: %j, %j, %j, %j', (x, y, z, w) => {
    const made = createPose(1, 2, 3, x, y, z, w);
    expect(normalizePose(made)).toBe(false);
    expect([...made]).toEqual([1, 2, 3, x, y, z, w]);
  });
});

describe('copyPose', () => {
  it('copies seven numbers from one place to another', () => {
    const out = new Float64Array(9);
    copyPose(
      out,
      1,
      Float64Array.from({ length: 10 }, (_, i) => i),
      2,
    );
    expect([...out]).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 0]);
  });
});
