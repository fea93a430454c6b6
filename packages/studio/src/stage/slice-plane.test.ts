import { Box3, Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { SLICE_MARGIN, sliceBounds, sliceRectangle, toBodyPlane } from './slice-plane.js';

const bounds = new Box3(new Vector3(-0.36, -0.2, 0), new Vector3(0.36, 0.2, 0.3));

describe('slice', () => {
  it('reaches beyond the body but not below the floor', () => {
    const { min, max } = sliceBounds(bounds);
    expect(min.toArray()).toEqual([-0.36 - SLICE_MARGIN, -0.2 - SLICE_MARGIN, 0]);
    expect(max.z).toBeCloseTo(0.3 + SLICE_MARGIN);
  });

  it.each([
    ['x', [0.1, -0.2, 0], [0, 0.4, 0], [0, 0, 0.3]],
    ['y', [-0.36, 0.1, 0], [0.72, 0, 0], [0, 0, 0.3]],
    ['z', [-0.36, -0.2, 0.1], [0.72, 0, 0], [0, 0.4, 0]],
  ] as const)('stands square to %s', (axis, corner, along, up) => {
    const rectangle = sliceRectangle(bounds, axis, 0.1);
    expect(rectangle.corner.toArray()).toEqual(corner);
    expect(rectangle.along.toArray()).toEqual(along);
    expect(rectangle.up.toArray()).toEqual(up);
  });

  it('is the same rectangle in the frame of the body', () => {
    const bodyToWorld = new Matrix4().compose(
      new Vector3(0.1, 0.2, 0.3),
      new Quaternion(Math.SQRT1_2, 0, 0, Math.SQRT1_2),
      new Vector3(1, 1, 1),
    );
    const rectangle = sliceRectangle(bounds, 'y', 0.1);
    const plane = toBodyPlane(rectangle, bodyToWorld.clone().invert());
    const farCorner = new Vector3()
      .fromArray(plane.corner)
      .add(new Vector3().fromArray(plane.along))
      .add(new Vector3().fromArray(plane.up))
      .applyMatrix4(bodyToWorld);
    expect(farCorner.distanceTo(new Vector3(0.36, 0.1, 0.3))).toBeLessThan(1e-12);
    expect([plane.columns, plane.rows]).toEqual([240, 100]);
  });
});
