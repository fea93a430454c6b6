import { LIVE_COLUMNS } from './live-row.js';

/**
 * What Foxglove's 3D view draws by itself, a few times a second: poses as `foxglove.PoseInFrame`, force and torque as
 * arrows of a `foxglove.SceneUpdate`. As JSON, not as protobuf: versions of PlotJuggler read a protobuf field of the
 * name `timestamp` as a number, and would fail on the structure that Foxglove wants there.
 */
export const VIEW_RATE_HZ = 50;
export const POSE_SCHEMA = 'foxglove.PoseInFrame';
export const SCENE_SCHEMA = 'foxglove.SceneUpdate';

const FRAME = 'world';
/** Lengths of the arrows: 1 N is a centimetre, 1 N m is ten. */
const METRES_PER_NEWTON = 0.01;
const METRES_PER_NEWTON_METRE = 0.1;
const SHAFT_DIAMETER = 0.002;
const HEAD_LENGTH = 0.008;
const HEAD_DIAMETER = 0.005;
const FORCE_COLOUR = { r: 0.9, g: 0.3, b: 0.1, a: 1 };
const TORQUE_COLOUR = { r: 0.2, g: 0.4, b: 0.9, a: 1 };

const DEVICE = LIVE_COLUMNS.indexOf('dpx');
const TOOL = LIVE_COLUMNS.indexOf('tpx');
const FORCE = LIVE_COLUMNS.indexOf('fx');
const TORQUE = LIVE_COLUMNS.indexOf('tx');

/** As JSON has it: seconds and nanoseconds since 1970. */
interface Stamp {
  readonly sec: number;
  readonly nsec: number;
}

function stampOf(nanoseconds: bigint): Stamp {
  return { sec: Number(nanoseconds / 1_000_000_000n), nsec: Number(nanoseconds % 1_000_000_000n) };
}

function poseAt(row: Float64Array, at: number) {
  const [px, py, pz, x, y, z, w] = row.subarray(at, at + 7);
  return { position: { x: px, y: py, z: pz }, orientation: { x, y, z, w } };
}

export function devicePoseMessage(row: Float64Array, nanoseconds: bigint) {
  return { timestamp: stampOf(nanoseconds), frame_id: FRAME, pose: poseAt(row, DEVICE) };
}

export function toolPoseMessage(row: Float64Array, nanoseconds: bigint) {
  return { timestamp: stampOf(nanoseconds), frame_id: FRAME, pose: poseAt(row, TOOL) };
}

/** Both arrows begin at the origin of the tool's body frame. */
export function wrenchMessage(row: Float64Array, nanoseconds: bigint) {
  const arrows = [
    arrow(row, FORCE, METRES_PER_NEWTON, FORCE_COLOUR),
    arrow(row, TORQUE, METRES_PER_NEWTON_METRE, TORQUE_COLOUR),
  ];
  const entity = {
    timestamp: stampOf(nanoseconds),
    frame_id: FRAME,
    id: 'wrench',
    lifetime: { sec: 0, nsec: 0 },
    frame_locked: false,
    metadata: [],
    arrows: arrows.filter((one) => one.shaft_length > 0),
    cubes: [],
    spheres: [],
    cylinders: [],
    lines: [],
    triangles: [],
    texts: [],
    models: [],
  };
  return { deletions: [], entities: [entity] };
}

function arrow(row: Float64Array, at: number, scale: number, color: typeof FORCE_COLOUR) {
  const [x, y, z] = row.subarray(at, at + 3) as unknown as [number, number, number];
  const length = Math.sqrt(x * x + y * y + z * z);
  return {
    pose: { position: poseAt(row, TOOL).position, orientation: turnFromX(x, y, z, length) },
    shaft_length: length * scale,
    shaft_diameter: SHAFT_DIAMETER,
    head_length: HEAD_LENGTH,
    head_diameter: HEAD_DIAMETER,
    color,
  };
}

/** The rotation that takes +x, where an arrow points by itself, to the given direction: (1 + u·x, x × u) scaled to 1. */
function turnFromX(x: number, y: number, z: number, length: number) {
  const w = length + x;
  const norm = Math.sqrt(w * w + y * y + z * z);
  // Against +x every axis across it will do; so it will for no direction at all.
  if (!(norm > 1e-9 * length)) return { x: 0, y: 0, z: x < 0 ? 1 : 0, w: x < 0 ? 0 : 1 };
  return { x: 0, y: -z / norm, z: y / norm, w: w / norm };
}

const number = { type: 'number' } as const;
const string = { type: 'string' } as const;
const stamp = (title: 'time' | 'duration') => object(title, { sec: { type: 'integer' }, nsec: { type: 'integer' } });
const vector = object('foxglove.Vector3', { x: number, y: number, z: number });
const quaternion = object('foxglove.Quaternion', { x: number, y: number, z: number, w: number });
const pose = object('foxglove.Pose', { position: vector, orientation: quaternion });
const listOf = (items: object) => ({ type: 'array', items });

function object(title: string, properties: Readonly<Record<string, object>>) {
  return { title, type: 'object', properties };
}

export const poseJsonSchema = object(POSE_SCHEMA, { timestamp: stamp('time'), frame_id: string, pose });

const arrowSchema = object('foxglove.ArrowPrimitive', {
  pose,
  shaft_length: number,
  shaft_diameter: number,
  head_length: number,
  head_diameter: number,
  color: object('foxglove.Color', { r: number, g: number, b: number, a: number }),
});

const unused = (kind: string) => listOf(object(`foxglove.${kind}`, {}));

export const sceneUpdateJsonSchema = object(SCENE_SCHEMA, {
  deletions: unused('SceneEntityDeletion'),
  entities: listOf(
    object('foxglove.SceneEntity', {
      timestamp: stamp('time'),
      frame_id: string,
      id: string,
      lifetime: stamp('duration'),
      frame_locked: { type: 'boolean' },
      metadata: unused('KeyValuePair'),
      arrows: listOf(arrowSchema),
      cubes: unused('CubePrimitive'),
      spheres: unused('SpherePrimitive'),
      cylinders: unused('CylinderPrimitive'),
      lines: unused('LinePrimitive'),
      triangles: unused('TriangleListPrimitive'),
      texts: unused('TextPrimitive'),
      models: unused('ModelPrimitive'),
    }),
  ),
});
