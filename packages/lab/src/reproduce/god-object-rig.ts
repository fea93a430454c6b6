import { type PlotSeries, percentile } from '@palpable/cli/internal';
import {
  type ConstraintKind,
  createMethodOutput,
  createSceneMethod,
  type GodObjectMethod,
  type Method,
  type MethodOutput,
  PENALTY_DEPTH,
  PENALTY_MARGIN,
  type Pose,
  type Scene,
  type SceneMethod,
  STAGE_CONTACT,
  STAGE_METHOD,
  STAGE_TOTAL,
  sceneWithMethod,
} from '@palpable/engine';
import type { LoadedScene } from './study.js';

/** A scene with a god object, or with penalties beside it, as something that can be led along a motion. */
export interface GodObjectRig {
  readonly scene: Scene;
  readonly method: Method;
  /** Null for penalties. */
  readonly godObject: GodObjectMethod | null;
  /** Of the finest field that takes part, m. */
  readonly voxel: number;
  /** What touches: shells and fields. */
  readonly pairs: SceneMethod['pairs'];
}

export interface GodObjectRigChanges {
  readonly kind?: 'god-object' | 'penalty';
  readonly constraint?: ConstraintKind;
  readonly filter?: boolean;
  readonly friction?: Partial<Scene['friction']>;
  /** The only body besides the tool; all unless given. */
  readonly environment?: string;
}

export const CONSTRAINTS: readonly ConstraintKind[] = ['heuristic', 'manifold'];

export function createGodObjectRig({ scene, bodies }: LoadedScene, changes: GodObjectRigChanges = {}): GodObjectRig {
  const { kind = 'god-object', constraint, filter, friction, environment } = changes;
  const given = { ...(constraint && { constraint }), ...(filter !== undefined && { filter }) };
  const wanted = ([name]: readonly [string, unknown]) => name === environment || scene.tool.includes(name);
  const changed: Scene = {
    ...(kind === 'penalty' ? sceneWithMethod(scene, kind) : sceneWithMethod(scene, kind, given)),
    friction: { ...scene.friction, ...friction },
    ...(environment !== undefined && { bodies: Object.fromEntries(Object.entries(scene.bodies).filter(wanted)) }),
  };
  const { method, pairs } = createSceneMethod(changed, bodies, { clock: () => performance.now() });
  const voxel = pairs.reduce((least, { query }) => Math.min(least, query.field.voxelSize), Number.POSITIVE_INFINITY);
  const godObject = kind === 'god-object' ? (method as GodObjectMethod) : null;
  return { scene: changed, method, godObject, voxel, pairs };
}

const COLUMNS = [
  'time',
  'tool_x',
  'tool_y',
  'tool_z',
  /** Of what the hand feels. */
  'force_x',
  'force_z',
  'force',
  'torque',
  'contacts',
  'state',
  /** The deepest point at any look of the cycle, 0 without any. */
  'penetration',
  /** p = p_d − d of the last look; below 0 outside. */
  'signed_penetration',
  'us_contact',
  'us_method',
  'us_total',
] as const;
type GodObjectColumn = (typeof COLUMNS)[number];
const TIMES = ['us_contact', 'us_method', 'us_total'] as const;

/** One number per cycle and column. */
export interface GodObjectRecording {
  readonly cycles: number;
  readonly column: Readonly<Record<GodObjectColumn, Float64Array>>;
  /** Cycles in which a cap on contacts or iterations was met. */
  readonly capped: number;
}

export interface FollowOptions {
  /** Lead the device so often along the same motion and keep each cycle's least times; once unless given. */
  readonly repeats?: number;
  readonly observe?: (output: MethodOutput, cycle: number) => void;
}

/** Places tool and device at the first pose and leads the device along all of them, one a cycle. */
export function follow(rig: GodObjectRig, motion: readonly Pose[], options: FollowOptions = {}): GodObjectRecording {
  const recording = followOnce(rig, motion, options);
  for (let n = 1; n < (options.repeats ?? 1); n += 1) {
    const again = followOnce(rig, motion, {});
    for (const name of TIMES) {
      const [least, times] = [recording.column[name], again.column[name]];
      for (let cycle = 0; cycle < least.length; cycle += 1) least[cycle] = Math.min(least[cycle]!, times[cycle]!);
    }
  }
  return recording;
}

function followOnce(rig: GodObjectRig, motion: readonly Pose[], { observe }: FollowOptions): GodObjectRecording {
  const { method, scene } = rig;
  const column = Object.fromEntries(COLUMNS.map((name) => [name, new Float64Array(motion.length)])) as Record<
    GodObjectColumn,
    Float64Array
  >;
  const output = createMethodOutput();
  let capped = 0;
  method.reset(motion[0]!);
  for (const [cycle, devicePose] of motion.entries()) {
    method.step(output, devicePose);
    column.time[cycle] = cycle * scene.timeStep;
    writeCycle(column, cycle, output, rig.godObject);
    if (output.capped !== 0) capped += 1;
    observe?.(output, cycle);
  }
  return { cycles: motion.length, column, capped };
}

function writeCycle(
  column: Record<GodObjectColumn, Float64Array>,
  cycle: number,
  { toolPose, wrench, contacts, frictionState, maxPenetration, stageUs }: MethodOutput,
  godObject: GodObjectMethod | null,
): void {
  column.tool_x[cycle] = toolPose[0]!;
  column.tool_y[cycle] = toolPose[1]!;
  column.tool_z[cycle] = toolPose[2]!;
  column.force_x[cycle] = wrench[0]!;
  column.force_z[cycle] = wrench[2]!;
  column.force[cycle] = Math.hypot(wrench[0]!, wrench[1]!, wrench[2]!);
  column.torque[cycle] = Math.hypot(wrench[3]!, wrench[4]!, wrench[5]!);
  column.contacts[cycle] = contacts;
  column.state[cycle] = frictionState;
  column.penetration[cycle] = maxPenetration;
  const values = godObject?.penalty.values;
  column.signed_penetration[cycle] = values ? values[PENALTY_DEPTH]! - values[PENALTY_MARGIN]! : maxPenetration;
  column.us_contact[cycle] = stageUs[STAGE_CONTACT]!;
  column.us_method[cycle] = stageUs[STAGE_METHOD]!;
  column.us_total[cycle] = stageUs[STAGE_TOTAL]!;
}

/** The cycles from `from` to before `to`. */
export function part({ column, capped }: GodObjectRecording, from: number, to: number): GodObjectRecording {
  const cut = Object.fromEntries(COLUMNS.map((name) => [name, column[name].subarray(from, to)]));
  return { cycles: to - from, column: cut as GodObjectRecording['column'], capped };
}

/** Values of a column in the cycles with contacts. */
function inContact({ column }: GodObjectRecording, name: GodObjectColumn): Float64Array {
  return column[name].filter((_, cycle) => column.contacts[cycle]! > 0);
}

export function largest(recording: GodObjectRecording, name: GodObjectColumn): number {
  return recording.column[name].reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
}

/** Percentile over the cycles with contacts; NaN without any. */
export function whileTouching(recording: GodObjectRecording, name: GodObjectColumn, p: number): number {
  return percentile(inContact(recording, name), p);
}

/** Lines of plots have no more points than this. */
const MAX_POINTS = 400;

/** A column over time. Of the cycles that share a point the largest value counts, so that no peak is lost. */
export function peaksOverTime(
  name: string,
  { column, cycles }: GodObjectRecording,
  from: GodObjectColumn,
  factor = 1,
): PlotSeries {
  const stride = Math.max(1, Math.ceil(cycles / MAX_POINTS));
  const points: (readonly [number, number])[] = [];
  for (let c = 0; c < cycles; c += stride) {
    const most = column[from].subarray(c, c + stride).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    points.push([column.time[c]!, factor * most]);
  }
  return { name, points };
}
