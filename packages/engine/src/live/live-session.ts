import type { PreparedBody } from '../asset/prepared-body.js';
import { PalpableError } from '../base/errors.js';
import type { SlewLimits } from '../coupling/limit-wrench.js';
import type { PassivityOptions } from '../coupling/passivity.js';
import type { Device } from '../device/device.js';
import type { Pose } from '../math/pose.js';
import type { Clock, Method } from '../method/method.js';
import { createMethodCaches, type MethodCaches } from '../method/method-caches.js';
import { methodOf } from '../method/methods.js';
import { bodyPose } from '../method/scene-pairs.js';
import { checkSceneValue } from '../scene/check-scene.js';
import { createSceneMethod, type SceneMethod } from '../scene/create-scene-method.js';
import { missingPart } from '../scene/plan-preparation.js';
import type { Scene } from '../scene/scene-description.js';
import { sceneRestingDepth } from '../scene/start-overlap.js';
import {
  changeMethod,
  createServo,
  hitStop,
  pauseServo,
  releaseStop,
  resumeServo,
  type Servo,
  stepServo,
} from '../servo/servo.js';
import type { LiveCommand } from './command-mailbox.js';
import {
  type ContactLinks,
  changeContactSettings,
  contactSettingsProblem,
  createThreadLink,
  followContactThread,
  openContactLinks,
  type ThreadLink,
} from './contact-links.js';
import { type ContactPace, createContactPace, notePace } from './contact-pace.js';
import type { ContactThreadMemory } from './contact-thread-memory.js';
import { changedScene } from './scene-change.js';
import { warmUpScene } from './warm-up.js';

/**
 * A running scene: one servo per tool that has a device, and commands between cycles. It reads no clock of its own
 * (one only measures the stages), so that the same samples and commands give the same bits.
 */
export interface LiveSession {
  /** What the scene file held, as commands have changed it. */
  value: unknown;
  /** The same, checked and with all defaults. */
  scene: Scene;
  /** In the order of the devices; each has its servo, with the output of the last cycle. */
  readonly hands: readonly LiveHand[];
  /** By name. */
  readonly bodies: ReadonlyMap<string, PreparedBody>;
  /** What methods made for these bodies. */
  readonly caches: MethodCaches;
  /** Where the tools are, for the other hands. */
  readonly places: ReadonlyMap<string, Pose>;
  /** For the times of the stages. */
  readonly clock: Clock | null;
  /** To the thread that finds the contacts of methods with a contact side; null when they are found in this one. */
  readonly contacts: ContactLinks | null;
  /** Cycles done. */
  cycles: number;
  /** Cycles that were left out, because the loop came late. */
  missed: number;
  /**
   * Changes that wait until the last one is blended in, and until the contact thread has followed; only the newest
   * counts.
   */
  pending: boolean;
}

export interface LiveHand {
  readonly tool: string;
  readonly servo: Servo;
  /** Of the contact side, for the row. */
  readonly pace: ContactPace;
  method: SceneMethod;
  /** Of the method to the contact thread, if it has one. */
  link: ThreadLink | null;
}

/** A device and the tool that it moves. */
export interface HandDevice {
  /** Name of the body in the scene. */
  readonly tool: string;
  /** Its poses are of the world: see `mapDevice`. */
  readonly device: Device;
  /** Metres in the world for one of the hand; 1 unless given. */
  readonly workspaceScale?: number;
  /** The device's button, from 0, that is an emergency stop for all hands; none unless given. */
  readonly stopButton?: number;
}

/** How a live session runs, beyond what its scene says. */
export interface LiveOptions {
  /** For the times of the stages. */
  readonly clock?: Clock;
  /** Null switches passivity control off. */
  readonly passivity?: Partial<PassivityOptions> | null;
  /** From no force to all of it, at the start and after every fault, s; 0.2 unless given. */
  readonly rampIn?: number;
  /** Seconds of missed cycles after which the force ramps in again; 0.008 unless given. */
  readonly stall?: number;
  /** Shared with a thread that runs `serveContactSide`: methods with a contact side have their contacts from there. */
  readonly contacts?: ContactThreadMemory;
}

/** A slider that is moved makes many; those in use are held by their methods. */
const MAX_QUERIES = 64;

/** What a command did, for the record. */
export interface LiveEvent {
  /** The first cycle that was run under it. */
  readonly cycle: number;
  /** As it was given. */
  readonly command: LiveCommand;
  /** Why it was refused. */
  readonly problem?: string;
}

/**
 * Makes a scene ready to run. `value` is what the scene file holds; it must be without problems. With a contact
 * thread the same samples no longer give the same bits: it depends on the machine which model a cycle finds.
 *
 * @example
 * ```ts
 * import { commandLive, createLiveSession, createSimulatedHand, type PreparedBody, stepLive } from '@palpable/engine';
 *
 * declare const value: unknown; // of a scene file, as `JSON.parse` gives it
 * declare const bodies: Map<string, PreparedBody>;
 *
 * const session = createLiveSession(value, bodies, [{ tool: 'peg', device: createSimulatedHand() }]);
 * for (let cycle = 0; cycle < 1000; cycle += 1) stepLive(session, 0);
 * const { problem } = commandLive(session, { kind: 'set', path: 'contact.stiffness', value: 3000 });
 * console.log(problem, session.hands[0]?.servo.output.wrench);
 * ```
 */
export function createLiveSession(
  value: unknown,
  bodies: ReadonlyMap<string, PreparedBody>,
  devices: readonly HandDevice[],
  options: LiveOptions = {},
): LiveSession {
  const { scene: given, problems } = checkSceneValue(value);
  if (!given) throw new PalpableError('option-invalid', problems.map(({ message }) => message).join('\n'), 'scene');
  const scene = withSaturation(
    given,
    devices.map(({ device }) => device),
  );
  const { clock = null } = options;
  const caches = createMethodCaches();
  const tools = devices.map(({ tool }) => tool);
  warmUpScene(value, scene, bodies, tools, caches);
  const places = new Map(tools.map((tool) => [tool, bodyPose(scene.bodies[tool])]));
  const contacts = options.contacts ? openContactLinks(options.contacts) : null;
  const hands: LiveHand[] = [];
  const shared = { scene, hands, bodies, caches, places, clock, contacts };
  devices.forEach((device, hand) => {
    hands.push(createHand(shared, hand, device, options));
  });
  return { ...shared, value, cycles: 0, missed: 0, pending: false };
}

/**
 * One cycle of all hands. `missed` is the number of cycles that were left out since the last call because the loop came
 * late.
 */
export function stepLive(session: LiveSession, missed: number): void {
  const { hands, contacts } = session;
  for (let h = 0; h < hands.length; h += 1) {
    const { servo, method, pace } = hands[h];
    stepServo(servo, missed);
    notePace(pace, method.method.contactModel, servo.elapsed);
    if (servo.isStopped) stopAll(session);
  }
  placeTools(session);
  const followed = contacts === null || followContactThread(contacts);
  if (session.pending && (followed || !methodOf(session.scene.method.kind).contactSide)) changeMethods(session);
  session.cycles += 1;
  session.missed += missed;
}

/** Whoever hits the stop means everything that moves. */
function stopAll({ hands }: LiveSession): void {
  for (let h = 0; h < hands.length; h += 1) hitStop(hands[h].servo);
}

/** When the last cycle was due, counted from the first, s: those that were missed have passed as well. */
export function liveTime({ cycles, missed, scene }: LiveSession): number {
  return (cycles - 1 + missed) * scene.timeStep;
}

/** Carries out a command between two cycles. One that cannot be carried out changes nothing, and the event says why. */
export function commandLive(session: LiveSession, command: LiveCommand): LiveEvent {
  const problem = carryOut(session, command);
  return { cycle: session.cycles, command, ...(problem !== null && { problem }) };
}

function carryOut(session: LiveSession, command: LiveCommand): string | null {
  if (command.kind === 'pause') for (const { servo } of session.hands) pauseServo(servo);
  if (command.kind === 'resume') for (const { servo } of session.hands) resumeServo(servo);
  if (command.kind === 'halt') for (const { servo } of session.hands) hitStop(servo);
  if (command.kind === 'release') for (const { servo } of session.hands) releaseStop(servo);
  if (command.kind !== 'set') return null;
  const changed = changedScene(session.value, command.path, command.value);
  if (typeof changed === 'string') return changed;
  const problem = findProblem(session, changed.value, changed.scene);
  if (problem !== null) return problem;
  session.value = changed.value;
  session.scene = withSaturation(
    changed.scene,
    session.hands.map(({ servo }) => servo.device),
  );
  session.pending = true;
  if (session.contacts) changeContactSettings(session.contacts, session.value);
  // The contact thread has yet to hear of it.
  if (!session.contacts || !methodOf(session.scene.method.kind).contactSide) changeMethods(session);
  return null;
}

/** What stands against a scene that is valid in itself. */
function findProblem({ bodies, hands, contacts, caches }: LiveSession, value: unknown, scene: Scene): string | null {
  const problem = methodOf(scene.method.kind).changeProblem?.(caches);
  if (problem) return problem;
  for (const { tool } of hands) {
    const missing = missingPart(scene, bodies, tool);
    if (missing !== null) return missing;
  }
  return contacts && contactSettingsProblem(value);
}

/** All hands at once, as soon as none is still blending. */
function changeMethods(session: LiveSession): void {
  const { hands, scene, caches } = session;
  for (let h = 0; h < hands.length; h += 1) if (hands[h].servo.leaving) return;
  session.pending = false;
  if (caches.queries.size > MAX_QUERIES) caches.queries.clear();
  const before = hands.map((hand) => hand.method.method);
  hands.forEach((hand, h) => {
    hand.link?.leave();
    const { method, link } = createMethod(session, h, hand.tool);
    hand.method = method;
    hand.link = link;
    changeMethod(hand.servo, steppedMethod(method, link), feltWeight(scene, method));
    // What the stiffer spring held before still counts while it is blended out.
    const { passivity, device } = hand.servo;
    passivity.stored = Math.max(passivity.stored, storedEnergy(scene, device));
  });
  hands.forEach((hand, h) => {
    hand.method.method.takeOver?.(before[h]);
  });
}

/** What the methods of all hands are made from. */
type Shared = Pick<LiveSession, 'scene' | 'hands' | 'bodies' | 'caches' | 'places' | 'clock' | 'contacts'>;

function createMethod(shared: Shared, hand: number, tool: string): Pick<LiveHand, 'method' | 'link'> {
  const { scene, bodies, caches, places, clock } = shared;
  const link = createLink(shared, hand);
  const method = createSceneMethod(scene, bodies, {
    tool,
    tools: [...places.keys()],
    caches,
    places,
    ...(clock && { clock }),
    ...(link && { contactLink: link }),
  });
  return { method, link };
}

/** N and N m, of devices that state no limit or have no motors. */
const PLAIN_FORCE = 10;
const PLAIN_TORQUE = 0.5;

/** Nothing pulls a tool harder than the hand can feel: where the scene does not say, than the weakest device can give. */
function withSaturation(scene: Scene, devices: readonly Device[]): Scene {
  const { coupling, limits } = scene;
  const least = (key: 'force' | 'torque', plain: number) => {
    const stated = [limits?.[key], ...devices.map((device) => device.limits[key])];
    const valid = stated.filter((limit) => typeof limit === 'number' && limit > 0 && limit < Number.POSITIVE_INFINITY);
    return valid.length > 0 ? Math.min(...(valid as number[])) : plain;
  };
  const maxForce = coupling.maxForce ?? least('force', PLAIN_FORCE);
  const maxTorque = coupling.maxTorque ?? least('torque', PLAIN_TORQUE);
  return { ...scene, coupling: { ...coupling, maxForce, maxTorque } };
}

/** Hands that share a world share the first one's link: whichever tool is put elsewhere, no model of before counts. */
function createLink({ scene, hands, contacts }: Shared, hand: number): ThreadLink | null {
  const { contactSide } = methodOf(scene.method.kind);
  if (!contacts || !contactSide) return null;
  return contactSide.isShared && hand > 0 ? hands[0].link : createThreadLink(contacts, hand, contactSide);
}

/** Contacts that were found before the tool is put somewhere else do not count there, nor those that are too old. */
function steppedMethod({ method }: SceneMethod, link: ThreadLink | null): Method {
  if (!link) return method;
  const { step, draw } = method;
  return {
    step,
    ...(draw && { draw }),
    reset(pose) {
      link.renew();
      method.reset(pose);
    },
  };
}

function createHand(
  shared: Shared,
  hand: number,
  { tool, device, workspaceScale = 1, stopButton }: HandDevice,
  { passivity = {}, rampIn, stall }: LiveOptions,
): LiveHand {
  const { scene } = shared;
  const { method, link } = createMethod(shared, hand, tool);
  const { centre, length } = method.toolBody;
  const pace = createContactPace();
  const servo = createServo(device, steppedMethod(method, link), {
    timeStep: scene.timeStep,
    limits: statedLimits(scene),
    toolCentre: centre,
    freeDepth: sceneRestingDepth(scene, shared.bodies),
    weight: feltWeight(scene, method),
    workspaceScale,
    ...(stopButton !== undefined && { stopButton }),
    passivity: passivity && { length, stored: storedEnergy(scene, device), ...passivity },
    ...(rampIn !== undefined && { rampIn }),
    ...(stall !== undefined && { stall }),
  });
  return { tool, servo, pace, method, link };
}

function feltWeight({ gravity, method: { kind } }: Scene, { toolBody }: SceneMethod): number[] {
  const { carriesWeight = true } = methodOf(kind);
  return gravity.map((g) => (carriesWeight ? toolBody.mass * g : 0));
}

function statedLimits({ limits }: Scene): SlewLimits {
  return Object.fromEntries(Object.entries(limits ?? {}).filter(([, value]) => value !== null));
}

/**
 * The most that the springs between hand and world can hold when they pull with all that the device can give, J: twice
 * the ½ F²/k of the coupling, since contacts hold some as well, unless the method knows better.
 */
function storedEnergy(scene: Scene, { limits: { force, torque } }: Device): number {
  const { stiffness, torsionalStiffness } = scene.coupling;
  const { storedEnergy: own } = methodOf(scene.method.kind);
  return own ? own(scene, force, torque) : (force * force) / stiffness + (torque * torque) / torsionalStiffness;
}

/** For each hand the tools of the others are where they now are. */
function placeTools({ hands, places }: LiveSession): void {
  for (let h = 0; h < hands.length; h += 1) {
    const { tool, servo } = hands[h];
    if (servo.isPlaced) places.get(tool)!.set(servo.output.toolPose);
  }
}
