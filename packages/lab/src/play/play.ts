import {
  createSceneMethod,
  type Hand,
  type MethodKind,
  type PlayedScene,
  type Probe,
  playScene,
  type Scene,
  type SceneMethod,
  type Stage,
  sceneWithMethod,
} from '@palpable/engine';
import { STAGE_CONTACT, STAGE_FRICTION, STAGE_METHOD, STAGE_TOTAL } from '@palpable/engine/advanced';
import type { LoadedScene } from './load-scene.js';
import { leastTimes } from './statistics.js';

/** A scene with some of its values changed, as something that can be stepped. */
export interface Rig extends SceneMethod, Stage {
  readonly method: SceneMethod['method'];
  readonly scene: Scene;
}

export interface SceneChanges {
  readonly friction?: Partial<Scene['friction']>;
  /** Another kind, or other settings of the one that the scene has. */
  readonly method?: { readonly kind?: MethodKind } & Readonly<Record<string, unknown>>;
  /** The only body besides the tool; all unless given. */
  readonly environment?: string;
}

/** Its stages are timed. */
export function createRig({ scene, bodies }: LoadedScene, changes: SceneChanges = {}): Rig {
  const { environment, friction, method: { kind = scene.method.kind, ...settings } = {} } = changes;
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const wanted = ([name]: readonly [string, unknown]) => name === environment || scene.tool.includes(name);
  const changed: Scene = {
    ...sceneWithMethod(scene, kind, given),
    friction: { ...scene.friction, ...friction },
    ...(environment !== undefined && { bodies: Object.fromEntries(Object.entries(scene.bodies).filter(wanted)) }),
  };
  const made = createSceneMethod(changed, bodies, { clock: () => performance.now() });
  return { ...made, scene: changed, timeStep: changed.timeStep };
}

const length = (values: Float64Array, at: number) => Math.hypot(values[at]!, values[at + 1]!, values[at + 2]!);

/** What every play reports: m, N, N m, µs. */
const CYCLE_PROBES = {
  time: ({ time }) => time,
  device_x: ({ devicePose }) => devicePose[0]!,
  device_z: ({ devicePose }) => devicePose[2]!,
  tool_x: ({ output }) => output.toolPose[0]!,
  tool_y: ({ output }) => output.toolPose[1]!,
  tool_z: ({ output }) => output.toolPose[2]!,
  /** Of what is rendered to the hand. */
  force: ({ output }) => length(output.wrench, 0),
  force_x: ({ output }) => output.wrench[0]!,
  force_z: ({ output }) => output.wrench[2]!,
  torque: ({ output }) => length(output.wrench, 3),
  contacts: ({ output }) => output.contacts,
  state: ({ output }) => output.frictionState,
  /** The deepest point in any query of the cycle, 0 without any. */
  penetration: ({ output }) => output.maxPenetration,
  /** Bits of the caps that were met. */
  capped: ({ output }) => output.capped,
  us_contact: ({ output }) => output.stageUs[STAGE_CONTACT]!,
  us_friction: ({ output }) => output.stageUs[STAGE_FRICTION]!,
  us_method: ({ output }) => output.stageUs[STAGE_METHOD]!,
  us_total: ({ output }) => output.stageUs[STAGE_TOTAL]!,
} as const satisfies Record<string, Probe>;
export type CycleColumn = keyof typeof CYCLE_PROBES;

/** One number per cycle and column. */
export type Recording<Name extends string = never> = PlayedScene<CycleColumn | Name>;

/** Plays a hand `repeats` times, with more columns if `probes` are given; these must start again with cycle 0. */
export function play<Name extends string = never>(
  stage: Stage,
  hand: Hand,
  { repeats = 1, probes = {} as Record<Name, Probe> }: { repeats?: number; probes?: Record<Name, Probe> } = {},
): Recording<Name> {
  const all: Record<CycleColumn | Name, Probe> = { ...CYCLE_PROBES, ...probes };
  return leastTimes(repeats, () => playScene(stage, hand, all));
}
