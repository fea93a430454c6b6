import {
  createMethodOutput,
  createPose,
  createSceneMethod,
  type MethodOutput,
  PalpableError,
  type Pose,
  type Scene,
  type SettingsOf,
  STAGE_CONTACT,
  STAGE_FRICTION,
  STAGE_METHOD,
  STAGE_TOTAL,
  type StaticFrictionMethod,
  sceneWithMethod,
} from '@palpable/engine';
import type { LoadedScene } from './study.js';

/** A scene with some of its values changed, as something that can be stepped. */
export interface Rig {
  readonly scene: Scene;
  readonly method: StaticFrictionMethod;
}

export interface RigChanges {
  readonly friction?: Partial<Scene['friction']>;
  readonly method?: Partial<Omit<SettingsOf<'static-friction'>, 'kind'>>;
}

export function createRig({ scene, bodies }: LoadedScene, changes: RigChanges = {}): Rig {
  if (scene.method.kind !== 'static-friction') {
    throw new PalpableError(
      'option-invalid',
      `The scene's method.kind is "${scene.method.kind}", but this experiment needs "static-friction".`,
      'method.kind',
    );
  }
  const changed: Scene = {
    ...sceneWithMethod(scene, 'static-friction', changes.method),
    friction: { ...scene.friction, ...changes.friction },
  };
  const { method } = createSceneMethod(changed, bodies, { clock: () => performance.now() });
  return { scene: changed, method: method as StaticFrictionMethod };
}

/** Writes where the device is in a cycle. It is asked for cycle 0, 1, 2 …, and may look at what the last cycle gave. */
export type Hand = (devicePose: Pose, cycle: number, last: MethodOutput) => void;

/** One number per cycle and column. */
export interface Recording {
  readonly cycles: number;
  readonly column: Readonly<Record<Column, Float64Array>>;
  /** Where the tool is in the end. */
  readonly finalPose: Pose;
  /** Cycles in which a cap on contacts or iterations was met. */
  readonly capped: number;
}

export const COLUMNS = [
  'time',
  'device_x',
  'device_y',
  'device_z',
  'tool_x',
  'tool_y',
  'tool_z',
  /** Of what the hand feels. */
  'force',
  'torque',
  /** Length of the sum of the normal forces, and of the sum of the friction forces. */
  'normal_force',
  'friction_force',
  /** Lengths of the normal forces, summed. */
  'normal_sum',
  'contacts',
  'state',
  'us_contact',
  'us_friction',
  'us_method',
  'us_total',
] as const;
export type Column = (typeof COLUMNS)[number];

const TIMES: readonly (readonly [Column, number])[] = [
  ['us_contact', STAGE_CONTACT],
  ['us_friction', STAGE_FRICTION],
  ['us_method', STAGE_METHOD],
  ['us_total', STAGE_TOTAL],
];

export interface PlayOptions {
  /** Tool and device are placed here. */
  readonly start: Pose;
  readonly hand: Hand;
  /** At most. */
  readonly cycles: number;
  /** Play the same cycles so often and keep each cycle's least times: what the machine does beside us only adds. */
  readonly repeats?: number;
  /** Looks on after every cycle; `rig.method` holds its contacts and forces. */
  readonly observe?: (output: MethodOutput, cycle: number) => void;
  /** Ends the run after this cycle. */
  readonly isOver?: (output: MethodOutput, cycle: number) => boolean;
}

export function play(rig: Rig, options: PlayOptions): Recording {
  let recording = playOnce(rig, options);
  for (let n = 1; n < (options.repeats ?? 1); n += 1) {
    const again = playOnce(rig, options);
    for (const [column] of TIMES) {
      const least = recording.column[column].map((us, cycle) => Math.min(us, again.column[column][cycle]!));
      recording = { ...recording, column: { ...recording.column, [column]: least } };
    }
  }
  return recording;
}

function playOnce({ scene, method }: Rig, { start, hand, cycles, observe, isOver }: PlayOptions): Recording {
  const column = Object.fromEntries(COLUMNS.map((name) => [name, new Float64Array(cycles)])) as Record<
    Column,
    Float64Array
  >;
  const output = createMethodOutput();
  const devicePose = createPose();
  devicePose.set(start);
  output.toolPose.set(start);
  method.reset(start);
  let capped = 0;
  let cycle = 0;
  while (cycle < cycles) {
    hand(devicePose, cycle, output);
    method.step(output, devicePose);
    writeCycle(column, cycle, cycle * scene.timeStep, devicePose, output, method);
    if (output.capped !== 0) capped += 1;
    observe?.(output, cycle);
    cycle += 1;
    if (isOver?.(output, cycle - 1)) break;
  }
  for (const name of COLUMNS) column[name] = column[name].subarray(0, cycle);
  return { cycles: cycle, column, finalPose: output.toolPose, capped };
}

function writeCycle(
  column: Record<Column, Float64Array>,
  cycle: number,
  time: number,
  device: Pose,
  output: MethodOutput,
  method: StaticFrictionMethod,
): void {
  const { toolPose, wrench } = output;
  column.time[cycle] = time;
  column.device_x[cycle] = device[0]!;
  column.device_y[cycle] = device[1]!;
  column.device_z[cycle] = device[2]!;
  column.tool_x[cycle] = toolPose[0]!;
  column.tool_y[cycle] = toolPose[1]!;
  column.tool_z[cycle] = toolPose[2]!;
  column.force[cycle] = Math.hypot(wrench[0]!, wrench[1]!, wrench[2]!);
  column.torque[cycle] = Math.hypot(wrench[3]!, wrench[4]!, wrench[5]!);
  column.contacts[cycle] = output.contacts;
  column.state[cycle] = output.frictionState;
  for (const [name, stage] of TIMES) column[name][cycle] = output.stageUs[stage]!;
  writeForces(column, cycle, method);
}

function writeForces(column: Record<Column, Float64Array>, cycle: number, method: StaticFrictionMethod): void {
  const { problem, result } = method;
  const normal = [0, 0, 0];
  const friction = [0, 0, 0];
  let sum = 0;
  for (let c = 0; c < problem.count; c += 1) {
    const force = problem.normalForce[c]!;
    sum += force;
    for (let axis = 0; axis < 3; axis += 1) {
      normal[axis] += force * problem.normal[3 * c + axis]!;
      friction[axis] +=
        result.force[2 * c]! * problem.tangent[6 * c + axis]! +
        result.force[2 * c + 1]! * problem.tangent[6 * c + 3 + axis]!;
    }
  }
  column.normal_force[cycle] = Math.hypot(...normal);
  column.friction_force[cycle] = Math.hypot(...friction);
  column.normal_sum[cycle] = sum;
}
