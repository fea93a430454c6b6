/**
 * The room of a headset and the world of the scene. WebXR: right-handed, x right, y up, −z ahead, origin on the floor.
 * World: right-handed, x right, y ahead, z up. The scene's ground lies at the height of a table, an arm's length ahead.
 */
import { Quaternion, Vector3 } from 'three';

const TABLE_HEIGHT = 0.75;
const DISTANCE = 0.75;

/** A quarter of a rotation about x takes y up to z up. */
export const XR_ROTATION: Readonly<Quaternion> = new Quaternion(Math.SQRT1_2, 0, 0, Math.SQRT1_2);
/** Where the room's origin lies in the world. */
export const XR_ORIGIN: Readonly<Vector3> = new Vector3(0, -DISTANCE, -TABLE_HEIGHT);

/** A pose of the room in the world. */
export function readXrPose(position: Vector3, rotation: Quaternion, { transform }: Pick<XRPose, 'transform'>): void {
  const { position: p, orientation: q } = transform;
  position
    .set(p.x, p.y, p.z)
    .applyQuaternion(XR_ROTATION as Quaternion)
    .add(XR_ORIGIN as Vector3);
  rotation.set(q.x, q.y, q.z, q.w).premultiply(XR_ROTATION as Quaternion);
}
