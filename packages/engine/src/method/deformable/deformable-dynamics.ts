import type { ConeProblem } from '../../complementarity/cone-problem.js';
import { CAPPED_CONTACTS } from '../../contact/contact-query.js';
import { forgetMotion } from '../../coupling/device-motion.js';
import { FRICTION_NONE, FRICTION_SLIP, FRICTION_STICK } from '../../friction/friction-model.js';
import { applyTransposed } from '../../math/matrices.js';
import { copyPose, createPose, isFinitePose, type Pose } from '../../math/pose.js';
import { type ContactFade, createContactFade, fadeContact } from '../contact-fade.js';
import { MODEL_CAPPED, MODEL_DEPTH } from '../contact-model-header.js';
import type { ContactPicture } from '../contact-picture.js';
import { CAPPED_ITERATIONS, type MethodOutput, STATE_FREE, STATE_SLIP, STATE_STICK } from '../method.js';
import { createWorldContacts, keepForces, takeOverContacts, type WorldContacts } from './contacts.js';
import { checkDeformableOptions, type DeformablePairSetup, type DeformableSetup } from './deformable-setup.js';
import { endElastic, freeElastic, relaxElastic, takeOverElastic } from './elastic-part.js';
import { findMissed, placeContacts, placeMissed } from './place-contacts.js';
import type { ProximityModel } from './proximity-model.js';
import { endRigid, freeRigid, placeRigid } from './rigid-part.js';
import { type ContactSolver, createContactSolver, noteSliding, solveContacts, wholeProblem } from './solve-contacts.js';
import { createWorldBody, forgetTouched, updateRotations, type WorldBody } from './world-body.js';
import { layOutState, type StateLayout, type WorldState, writeBodyState } from './world-state.js';

/**
 * The haptic side of deformable bodies (Duriez et al.): free motion of all bodies, contact forces under Signorini's and
 * Coulomb's laws on the Delassus operator, and the motion that follows from them. All hands are stepped together, since
 * what one holds may press on what another holds. It never waits for the proximity side.
 */
export interface DeformableDynamics {
  readonly layout: StateLayout;
  /** For the proximity side and for drawing. Up to date after every step. */
  readonly state: WorldState;
  readonly contacts: WorldContacts;
  /**
   * W and δ_free of the last group that was solved; of all contacts where they are one group. Completed when it is asked for:
   * a step works out W between contacts that press alone.
   */
  readonly problem: ConeProblem;
  /** Groups, and sweeps of the slowest, in the last step. */
  readonly groups: number;
  readonly sweeps: number;
  /** Seconds since the model last changed. */
  readonly modelAge: number;
  /** Steps that had no finite answer: all bodies then stay where they were, at rest. */
  readonly faults: number;
  /** Where the device of a hand is, for the next step. */
  setDevice(hand: number, pose: Pose): void;
  step(model: ProximityModel): void;
  /** All of `output` but its times. */
  report(output: MethodOutput, hand: number): void;
  /** Puts what a hand holds somewhere, undeformed and at rest. */
  reset(hand: number, pose: Pose): void;
  draw(picture: ContactPicture, hand: number): void;
  /** Goes on where another world of the same bodies is: deformation, forces, speeds. Materials may differ. */
  takeOver(before: DeformableDynamics): void;
}

const worldOf = new WeakMap<DeformableDynamics, World>();

interface World {
  readonly setup: DeformableSetup;
  readonly layout: StateLayout;
  readonly state: WorldState;
  readonly bodies: readonly WorldBody[];
  readonly pairs: readonly DeformablePairSetup[];
  readonly devices: readonly HandDevice[];
  readonly contacts: WorldContacts;
  readonly solver: ContactSolver;
  readonly gravity: Float64Array;
  readonly reach: Float64Array;
  /** Part of the force that the hand gets. */
  readonly fade: ContactFade;
  readonly timeStep: Float64Array;
  /** Deepest penetration, m, one number. */
  readonly depth: Float64Array;
  capped: number;
  faults: number;
}

interface HandDevice {
  readonly body: number;
  readonly pose: Pose;
  isLost: boolean;
}

/** Of the alarm distance; and how much faster than at present bodies may be by the end of a step. */
const REACH = 0.1;
const AHEAD = 2;
/** How often what had no room may join in one step. */
const MOST_LOOKS = 3;
export function createDeformableDynamics(setup: DeformableSetup): DeformableDynamics {
  checkDeformableOptions(setup.options);
  const world = createWorld(setup);
  setup.hands.forEach((body, hand) => {
    resetHand(world, hand, setup.bodies[body].pose);
  });
  const dynamics: DeformableDynamics = {
    layout: world.layout,
    state: world.state,
    contacts: world.contacts,
    get problem() {
      return wholeProblem(world.solver);
    },
    get groups() {
      return world.solver.groups.count;
    },
    get sweeps() {
      return world.solver.sweeps;
    },
    get modelAge() {
      return world.fade.age[0];
    },
    get faults() {
      return world.faults;
    },
    setDevice: (hand, pose) => setDevice(world, hand, pose),
    step: (model) => stepWorld(world, model),
    report: (output, hand) => report(world, output, hand),
    reset: (hand, pose) => resetHand(world, hand, pose),
    draw: (picture, hand) => drawWorld(picture, world, hand),
    takeOver(before) {
      const old = worldOf.get(before);
      if (old) takeOver(world, old);
    },
  };
  worldOf.set(dynamics, world);
  return dynamics;
}

function createWorld(setup: DeformableSetup): World {
  const { options } = setup;
  const layout = layOutState(setup);
  const modes = Math.max(0, ...setup.bodies.map(({ elastic }) => elastic?.body.modeStiffness.length ?? 0));
  const bodies = setup.bodies.map((body) => createWorldBody(body, options, layout.loadCapacity));
  const contacts = createWorldContacts(options.contacts, modes, setup.pairs.length);
  return {
    setup,
    layout,
    state: new Float64Array(layout.size),
    bodies,
    pairs: setup.pairs,
    devices: setup.hands.map((body) => ({ body, pose: createPose(), isLost: false })),
    contacts,
    solver: createContactSolver(contacts, bodies, setup.pairs, options),
    gravity: Float64Array.from(options.gravity),
    reach: new Float64Array(1),
    fade: createContactFade(),
    timeStep: Float64Array.of(setup.options.timeStep),
    depth: new Float64Array(1),
    capped: 0,
    faults: 0,
  };
}

function setDevice({ devices, bodies }: World, hand: number, pose: Pose): void {
  const device = devices[hand];
  const wasLost = device.isLost;
  device.isLost = !isFinitePose(pose);
  // It did not go from there to here.
  if (wasLost !== device.isLost) forgetMotion(bodies[device.body].rigid!.device);
  // Without a pose to follow the body is held where it is.
  const held = device.isLost ? bodies[device.body].pose : pose;
  copyPose(device.pose, 0, held, 0);
}

function stepWorld(world: World, model: ProximityModel): void {
  const { bodies, contacts, pairs, solver, state, layout } = world;
  noteModel(world, model);
  moveFreely(world);
  keepForces(contacts);
  measureReach(world);
  const isFull = placeContacts(contacts, model, bodies, pairs, world.reach);
  solve(world);
  let looks = 0;
  while (isFull && looks < MOST_LOOKS && lookAgain(world, model)) looks += 1;
  // After the last solution nobody has looked.
  if (looks === MOST_LOOKS) world.capped |= CAPPED_CONTACTS;
  noteSliding(solver);
  moveBodies(world);
  if (!isSound(world)) holdStill(world);
  for (let b = 0; b < bodies.length; b += 1) {
    writeBodyState(state, layout.offsets[b], bodies[b].pose, bodies[b].elastic);
  }
}

function solve(world: World): void {
  solveContacts(world.solver);
  if (world.solver.capped) world.capped |= CAPPED_ITERATIONS;
}

/**
 * What had no room may overlap at the end of the step: then it comes in place of what opens furthest, and all is solved again.
 * False if nothing was missed.
 */
function lookAgain(world: World, model: ProximityModel): boolean {
  const { bodies, contacts, pairs } = world;
  if (!findMissed(contacts, model, bodies, pairs)) return false;
  if (!placeMissed(contacts, model, bodies, pairs)) world.capped |= CAPPED_CONTACTS;
  solve(world);
  return true;
}

/**
 * Without new models the force fades. The bodies stay on the surfaces that were known last: had they sunk in instead,
 * deeper than proximity looks, nothing could be felt any more when models come again.
 */
function noteModel(world: World, model: ProximityModel): void {
  const { fade, setup, timeStep, depth } = world;
  fadeContact(fade, model, setup.options, timeStep);
  depth[0] = model[MODEL_DEPTH];
  world.capped = model[MODEL_CAPPED];
}

/** How far bodies may come together within the step: a part of the alarm distance, and as far as they move at present. */
function measureReach({ bodies, reach, setup }: World): void {
  const { alarmDistance, timeStep } = setup.options;
  let speed = 0;
  for (let b = 0; b < bodies.length; b += 1) {
    const { rigid } = bodies[b];
    if (rigid === null) continue;
    const { velocity: v, tool } = rigid;
    // Not by a call: what one gives back may go to the heap.
    speed += Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    speed += tool.length * Math.sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
  }
  reach[0] = Math.min(alarmDistance, REACH * alarmDistance + AHEAD * speed * timeStep);
}

/** Where all bodies would be without contact. */
function moveFreely({ bodies, devices, gravity }: World): void {
  for (let h = 0; h < devices.length; h += 1) freeRigid(bodies[devices[h].body].rigid!, devices[h].pose, gravity);
  for (let b = 0; b < bodies.length; b += 1) {
    const body = bodies[b];
    updateRotations(body);
    if (body.elastic === null) continue;
    forgetTouched(body);
    applyTransposed(body.elastic.weight, 0, body.rotation, gravity, 0);
    freeElastic(body.elastic);
  }
}

/** The motion that the contact forces make of the free one. */
function moveBodies({ bodies }: World): void {
  for (let b = 0; b < bodies.length; b += 1) {
    const { rigid, elastic, displaced } = bodies[b];
    if (elastic !== null) endElastic(elastic);
    if (rigid !== null) endRigid(rigid, displaced);
  }
}

function isSound({ bodies }: World): boolean {
  let sum = 0;
  for (let b = 0; b < bodies.length; b += 1) {
    const { pose, elastic, rigid } = bodies[b];
    for (let i = 0; i < 7; i += 1) sum += pose[i];
    if (rigid !== null) for (let i = 0; i < 6; i += 1) sum += rigid.velocity[i] + rigid.wrench[i];
    if (elastic !== null) for (let k = 0; k < elastic.shape.length; k += 1) sum += elastic.shape[k] + elastic.place[k];
  }
  return sum - sum === 0;
}

/** Everything at rest, undeformed, where it was told to be at the last step that had an answer. */
function holdStill(world: World): void {
  const { bodies, devices, state, layout, contacts } = world;
  world.faults += 1;
  contacts.count = 0;
  contacts.last.count = 0;
  for (let b = 0; b < bodies.length; b += 1) if (bodies[b].elastic !== null) relaxElastic(bodies[b].elastic!);
  for (let h = 0; h < devices.length; h += 1) {
    const offset = layout.offsets[devices[h].body];
    copyPose(devices[h].pose, 0, state, offset);
    placeRigid(bodies[devices[h].body].rigid!, devices[h].pose);
  }
}

function resetHand(world: World, hand: number, pose: Pose): void {
  const { bodies, devices, contacts, state, layout } = world;
  const b = devices[hand].body;
  devices[hand].pose.set(pose);
  placeRigid(bodies[b].rigid!, pose);
  contacts.count = 0;
  contacts.last.count = 0;
  world.faults = 0;
  for (const { elastic } of bodies) if (elastic) relaxElastic(elastic);
  for (let n = 0; n < bodies.length; n += 1) {
    writeBodyState(state, layout.offsets[n], bodies[n].pose, bodies[n].elastic);
  }
}

function takeOver(world: World, old: World): void {
  world.bodies.forEach(({ rigid, elastic }, b) => {
    const before = old.bodies[b];
    if (rigid && before.rigid) rigid.velocity.set(before.rigid.velocity);
    if (elastic && before.elastic?.body === elastic.body) takeOverElastic(elastic, before.elastic);
  });
  takeOverContacts(world.contacts, old.contacts);
  world.bodies.forEach(({ pose, elastic }, b) => {
    writeBodyState(world.state, world.layout.offsets[b], pose, elastic);
  });
}

function report(world: World, output: MethodOutput, hand: number): void {
  const { contacts, bodies, devices, fade, depth } = world;
  const { body, isLost } = devices[hand];
  const { pose, rigid } = bodies[body];
  copyPose(output.toolPose, 0, pose, 0);
  for (let i = 0; i < 6; i += 1) output.wrench[i] = isLost ? 0 : -fade.gain[0] * rigid!.wrench[i];
  let count = 0;
  let pressed = false;
  let slides = false;
  for (let c = 0; c < contacts.count; c += 1) {
    if (contacts.side.body[2 * c] !== body && contacts.side.body[2 * c + 1] !== body) continue;
    if (contacts.force[3 * c] <= 0) continue;
    count += 1;
    pressed = true;
    if (contacts.sliding[c] === 1) slides = true;
  }
  output.contacts = count;
  output.maxPenetration = depth[0];
  output.capped = world.capped;
  output.frictionState = slides ? STATE_SLIP : pressed ? STATE_STICK : STATE_FREE;
}

function drawWorld(picture: ContactPicture, { contacts, devices, pairs }: World, hand: number): void {
  const { body } = devices[hand];
  const { directions, force, side } = contacts;
  let shown = 0;
  for (let c = 0; c < contacts.count && shown < picture.capacity; c += 1) {
    const second = side.body[2 * c] !== body;
    if (second && side.body[2 * c + 1] !== body) continue;
    const sign = second ? -1 : 1;
    const d = 9 * c;
    for (let i = 0; i < 3; i += 1) {
      picture.position[3 * shown + i] = contacts.position[3 * c + i];
      picture.normal[3 * shown + i] = sign * directions[d + i];
      picture.friction[3 * shown + i] =
        sign * (directions[d + 3 + i] * force[3 * c + 1] + directions[d + 6 + i] * force[3 * c + 2]);
    }
    const pair = pairs[contacts.pair[c]];
    picture.depth[shown] = -contacts.gap[c];
    picture.normalForce[shown] = force[3 * c];
    picture.coefficient[shown] = contacts.sliding[c] === 1 ? pair.kineticCoefficient : pair.staticCoefficient;
    picture.state[shown] =
      force[3 * c] <= 0 ? FRICTION_NONE : contacts.sliding[c] === 1 ? FRICTION_SLIP : FRICTION_STICK;
    shown += 1;
  }
  picture.numbers[0] = shown;
}
