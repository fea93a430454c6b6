/** Where a slice lies: across the environment, square to an axis of the world. */
import { type Box3, type Matrix4, Vector3 } from 'three';
import type { SlicePlane } from '../threads/body-client.js';

type AxisName = 'x' | 'y' | 'z';

export interface WorldRectangle {
  readonly corner: Vector3;
  readonly along: Vector3;
  readonly up: Vector3;
}

/** How far the slice reaches beyond the body, metres. */
export const SLICE_MARGIN = 0.08;
/** Distance between samples, metres. Finer than this is not seen at the usual distance. */
const SAMPLE_SPACING = 0.003;
const MOST_SAMPLES_A_SIDE = 512;

/** The two axes that span a slice, chosen so that up is up where there is an up. */
const SPAN: Readonly<Record<AxisName, readonly [AxisName, AxisName]>> = {
  x: ['y', 'z'],
  y: ['x', 'z'],
  z: ['x', 'y'],
};

/** What the slice may cover: the body and a margin, but nothing below the floor. */
export function sliceBounds(body: Box3, floor = 0): Box3 {
  const bounds = body.clone().expandByScalar(SLICE_MARGIN);
  bounds.min.z = Math.max(bounds.min.z, floor);
  return bounds;
}

export function sliceRectangle(bounds: Box3, axis: AxisName, position: number): WorldRectangle {
  const size = bounds.getSize(new Vector3());
  const [across, upward] = SPAN[axis];
  const corner = bounds.min.clone();
  corner[axis] = position;
  const along = new Vector3();
  along[across] = size[across];
  const up = new Vector3();
  up[upward] = size[upward];
  return { corner, along, up };
}

/** The same rectangle in the frame of the body, with the number of samples that it deserves. */
export function toBodyPlane(rectangle: WorldRectangle, worldToBody: Matrix4): SlicePlane {
  const samples = (side: Vector3) => Math.min(MOST_SAMPLES_A_SIDE, Math.ceil(side.length() / SAMPLE_SPACING));
  const direction = (side: Vector3) => {
    const start = rectangle.corner.clone().applyMatrix4(worldToBody);
    return rectangle.corner.clone().add(side).applyMatrix4(worldToBody).sub(start).toArray();
  };
  return {
    corner: rectangle.corner.clone().applyMatrix4(worldToBody).toArray(),
    along: direction(rectangle.along),
    up: direction(rectangle.up),
    columns: samples(rectangle.along),
    rows: samples(rectangle.up),
  };
}
