import type { PreparedBody } from '../asset/prepared-body.js';
import { PalpableError } from '../base/errors.js';
import type { SlewLimits } from '../coupling/limit-wrench.js';
import type { PassivityOptions } from '../coupling/passivity.js';
import type { Device } from '../device/device.js';
import type { Pose } from '../math/pose.js';
import type { Clock } from '../method/method.js';
import { checkSceneValue } from '../scene/check-scene.js';
import { bodyPose, createSceneMethod, type QueryCache, type SceneMethod } from '../scene/create-scene-method.js';
import type { Scene } from '../scene/scene-description.js';
import { changeMethod, createServo, pauseServo, resumeServo, type Servo, stepServo } from '../servo/servo.js';
import type { LiveCommand } from './command-mailbox.js';
import { changedScene } from './scene-change.js';
import { warmUpScene } from './warm-up.js';

/**
 * A scene that is felt: one servo per tool that has a device, and commands between cycles. It reads no clock of its own
 * (one only measures the stages), so that the same samples and commands give the same bits.
 */
export interface LiveSession {
  /** What the scene file held, and the same checked. Commands change both. */
  value: unknown;
  scene: Scene;
  readonly hands: readonly LiveHand[];
  readonly bodies: ReadonlyMap<string, PreparedBody>;
  readonly queries: QueryCache;
  /** Where the tools are, for the other hands. */
  readonly places: ReadonlyMap<string, Pose>;
  readonly clock: Clock | null;
  /** Cycles done, and those missed among them. */
  cycles: number;
  missed: number;
  /** Changes that wait until the last one is blended in; only the newest counts. */
  pending: boolean;
}

export interface LiveHand {
  readonly tool: string;
  readonly servo: Servo;
  method: SceneMethod;
}

/** A device and the tool that it moves. */
export interface HandDevice {
  readonly tool: string;
  readonly device: Device;
  /** Metres in the world for one of the hand; 1 unless given. */
  readonly workspaceScale?: number;
}

export interface LiveOptions {
  /** For the times of the stages. */
  readonly clock?: Clock;
  /** Null turns passivity control off. */
  readonly passivity?: Partial<PassivityOptions> | null;
  readonly rampIn?: number;
  /** As of a servo. */
  readonly stall?: number;
}

/** A slider that is moved makes many; those in use are held by their methods. */
const MAX_QUERIES = 64;

/** What a command did, for the record. */
export interface LiveEvent {
  /** The first cycle that was run under it. */
  readonly cycle: number;
  readonly command: LiveCommand;
  /** Why it was refused. */
  readonly problem?: string;
}

/** `value` is what the scene file holds; it must be without problems. */
export function createLiveSession(
  value: unknown,
  bodies: ReadonlyMap<string, PreparedBody>,
  devices: readonly HandDevice[],
  options: LiveOptions = {},
): LiveSession {
  const { scene, problems } = checkSceneValue(value);
  if (!scene) throw new PalpableError('option-invalid', problems.map(({ message }) => message).join('\n'), 'scene');
  const { clock = null } = options;
  const queries: QueryCache = new Map();
  const tools = devices.map(({ tool }) => tool);
  warmUpScene(scene, bodies, tools, queries);
  const places = new Map(tools.map((tool) => [tool, bodyPose(scene.bodies[tool])]));
  const hands = devices.map((hand) => createHand(scene, bodies, { queries, places }, hand, options));
  return { value, scene, hands, bodies, queries, places, clock, cycles: 0, missed: 0, pending: false };
}

/** One cycle of all hands. */
export function stepLive(session: LiveSession, missed: number): void {
  const { hands } = session;
  for (let h = 0; h < hands.length; h += 1) stepServo(hands[h].servo, missed);
  placeTools(session);
  if (session.pending) changeMethods(session);
  session.cycles += 1;
  session.missed += missed;
}

/** When the last cycle was due, counted from the first, s: those that were missed have passed as well. */
export function liveTime({ cycles, missed, scene }: LiveSession): number {
  return (cycles - 1 + missed) * scene.timeStep;
}

/** Between two cycles. A command that cannot be carried out changes nothing. */
export function commandLive(session: LiveSession, command: LiveCommand): LiveEvent {
  const problem = carryOut(session, command);
  return { cycle: session.cycles, command, ...(problem !== null && { problem }) };
}

function carryOut(session: LiveSession, command: LiveCommand): string | null {
  if (command.kind === 'pause') for (const { servo } of session.hands) pauseServo(servo);
  if (command.kind === 'resume') for (const { servo } of session.hands) resumeServo(servo);
  if (command.kind !== 'set') return null;
  const changed = changedScene(session.value, command.path, command.value);
  if (typeof changed === 'string') return changed;
  session.value = changed.value;
  session.scene = changed.scene;
  session.pending = true;
  changeMethods(session);
  return null;
}

/** All hands at once, as soon as none is still blending. */
function changeMethods(session: LiveSession): void {
  const { hands, scene, bodies, queries, places, clock } = session;
  for (let h = 0; h < hands.length; h += 1) if (hands[h].servo.leaving) return;
  session.pending = false;
  if (queries.size > MAX_QUERIES) queries.clear();
  for (const hand of hands) {
    hand.method = createSceneMethod(scene, bodies, { tool: hand.tool, queries, places, ...(clock && { clock }) });
    changeMethod(hand.servo, hand.method.method, feltWeight(scene, hand.method));
    // What the stiffer spring held before still counts while it is blended out.
    const { passivity, device } = hand.servo;
    passivity.stored = Math.max(passivity.stored, storedEnergy(scene, device));
  }
}

function createHand(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  shared: Pick<LiveSession, 'queries' | 'places'>,
  { tool, device, workspaceScale = 1 }: HandDevice,
  { clock, passivity = {}, rampIn, stall }: LiveOptions,
): LiveHand {
  const method = createSceneMethod(scene, bodies, { tool, ...shared, ...(clock && { clock }) });
  const { centre, length } = method.toolBody;
  const servo = createServo(device, method.method, {
    timeStep: scene.timeStep,
    limits: statedLimits(scene),
    toolCentre: centre,
    weight: feltWeight(scene, method),
    workspaceScale,
    passivity: passivity && { length, stored: storedEnergy(scene, device), ...passivity },
    ...(rampIn !== undefined && { rampIn }),
    ...(stall !== undefined && { stall }),
  });
  return { tool, servo, method };
}

/** A tool that is where the device is has no weight: nothing carries it. */
function feltWeight({ gravity, method: { kind } }: Scene, { toolBody }: SceneMethod): number[] {
  return gravity.map((g) => (kind === 'penalty' ? 0 : toolBody.mass * g));
}

function statedLimits({ limits }: Scene): SlewLimits {
  return Object.fromEntries(Object.entries(limits ?? {}).filter(([, value]) => value !== null));
}

/**
 * The most that the springs between hand and world can hold when they pull with all that the device can give: twice the
 * ½ F²/k of the coupling, since contacts hold some as well.
 */
function storedEnergy({ coupling, contact, method }: Scene, { limits }: Device): number {
  const stiffness = method.kind === 'penalty' ? contact.stiffness : coupling.stiffness;
  return (limits.force * limits.force) / stiffness + (limits.torque * limits.torque) / coupling.torsionalStiffness;
}

/** For each hand the tools of the others are where they now are. */
function placeTools({ hands, places }: LiveSession): void {
  for (let h = 0; h < hands.length; h += 1) {
    const { tool, servo } = hands[h];
    if (servo.isPlaced) places.get(tool)!.set(servo.output.toolPose);
  }
}
