import { type ConeGaussSeidel, createConeGaussSeidel } from '../../complementarity/cone-gauss-seidel.js';
import { type ConeProblem, createConeProblem, writeMotionOf } from '../../complementarity/cone-problem.js';
import { CAPPED_CONTACTS } from '../../contact/contact-query.js';
import { forgetMotion } from '../../coupling/device-motion.js';
import { FRICTION_NONE, FRICTION_SLIP, FRICTION_STICK } from '../../friction/friction-model.js';
import { applyTransposed } from '../../math/matrices.js';
import { copyPose, createPose, isFinitePose, type Pose } from '../../math/pose.js';
import { type ContactFade, createContactFade, fadeContact } from '../contact-fade.js';
import { MODEL_CAPPED, MODEL_DEPTH } from '../contact-model-header.js';
import type { ContactPicture } from '../contact-picture.js';
import { CAPPED_ITERATIONS, type MethodOutput, STATE_FREE, STATE_SLIP, STATE_STICK } from '../method.js';
import { type ContactGroups, createContactGroups, groupContacts } from './contact-groups.js';
import {
  createWorldContacts,
  findMissed,
  keepForces,
  placeContacts,
  placeMissed,
  RIGID,
  rememberContacts,
  takeOverContacts,
  type WorldContacts,
} from './contacts.js';
import { checkDeformableOptions, type DeformablePairSetup, type DeformableSetup } from './deformable-setup.js';
import { buildDelassus } from './delassus.js';
import {
  addLoad,
  beginLoad,
  createElasticMemory,
  type ElasticMemory,
  endElastic,
  freeElastic,
  recallElastic,
  relaxElastic,
  rememberElastic,
  takeOverElastic,
} from './elastic-part.js';
import type { ProximityModel } from './proximity-model.js';
import {
  createRigidMemory,
  endRigid,
  freeRigid,
  placeRigid,
  type RigidMemory,
  recallRigid,
  rememberRigid,
} from './rigid-part.js';
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
  /** W and δ_free of the last group that was solved; of all contacts where they are one group. */
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
  /** Of each body. */
  readonly memory: readonly { readonly rigid: RigidMemory | null; readonly elastic: ElasticMemory | null }[];
  readonly contacts: WorldContacts;
  readonly groups: ContactGroups;
  readonly problem: ConeProblem;
  readonly solver: ConeGaussSeidel;
  /** Forces of a group in the order of the problem. */
  readonly forces: Float64Array;
  readonly motion: Float64Array;
  readonly gravity: Float64Array;
  readonly reach: Float64Array;
  readonly displacement: Float64Array;
  readonly force: Float64Array;
  /** Part of the force that the hand gets. */
  readonly fade: ContactFade;
  readonly timeStep: Float64Array;
  /** Deepest penetration, m, one number. */
  readonly depth: Float64Array;
  capped: number;
  sweeps: number;
  faults: number;
}

interface HandDevice {
  readonly body: number;
  readonly pose: Pose;
  isLost: boolean;
}

/** What overlaps, because it was missed or began so, is taken apart at this speed and no faster, m/s. */
const PARTING_SPEED = 0.1;
/** Of the alarm distance; and how much faster than at present bodies may be by the end of a step. */
const REACH = 0.1;
const AHEAD = 2;
/** How often what had no room may join in one step. */
const MOST_LOOKS = 3;
/** Sweeps over contacts that press between those over all. */
const LOADED_SWEEPS = 8;
/** Sweeps that do for most cycles; where they do not, hundreds would follow. */
const NEWTON_AFTER = 16;
/** A contact that moves less than this in a step does not slide, m. */
const STILL = 1e-9;
/** Friction at this part of its bound is at it: the solver ends before the last digit. */
/** Of what is to be taken back, kept for the next step: parts that came at different times would contradict each other. */
const KEPT = 0.99;
const NEARLY = 0.999;

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
    problem: world.problem,
    get groups() {
      return world.groups.count;
    },
    get sweeps() {
      return world.sweeps;
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
  const { contacts: capacity, local, tolerance, maxSweeps } = options;
  const bodies = setup.bodies.map((body) => createWorldBody(body, options, layout.loadCapacity));
  return {
    setup,
    layout,
    state: new Float64Array(layout.size),
    bodies,
    memory: bodies.map(({ rigid, elastic }) => ({
      rigid: rigid && createRigidMemory(),
      elastic: elastic && createElasticMemory(elastic),
    })),
    pairs: setup.pairs,
    devices: setup.hands.map((body) => ({ body, pose: createPose(), isLost: false })),
    contacts: createWorldContacts(capacity, modes, setup.pairs.length),
    groups: createContactGroups(capacity, setup.bodies.length),
    problem: createConeProblem(capacity),
    solver: createConeGaussSeidel({
      capacity,
      local,
      tolerance,
      maxSweeps,
      measure: 'motion',
      loadedSweeps: LOADED_SWEEPS,
      newtonAfter: NEWTON_AFTER,
    }),
    forces: new Float64Array(3 * capacity),
    motion: new Float64Array(3 * capacity),
    gravity: Float64Array.from(options.gravity),
    reach: new Float64Array(1),
    displacement: new Float64Array(6),
    force: new Float64Array(3),
    fade: createContactFade(),
    timeStep: Float64Array.of(setup.options.timeStep),
    depth: new Float64Array(1),
    capped: 0,
    sweeps: 0,
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
  const { bodies, contacts, state, layout } = world;
  noteModel(world, model);
  moveFreely(world);
  keepForces(contacts);
  measureReach(world);
  const isFull = placeContacts(contacts, model, bodies, world.pairs, world.reach);
  if (isFull) remember(world);
  solveContacts(world);
  moveBodies(world);
  let looks = 0;
  while (isFull && looks < MOST_LOOKS && lookAgain(world, model)) looks += 1;
  // After the last solution nobody has looked.
  if (looks === MOST_LOOKS) world.capped |= CAPPED_CONTACTS;
  if (!isSound(world)) holdStill(world);
  for (let b = 0; b < bodies.length; b += 1) {
    writeBodyState(state, layout.offsets[b], bodies[b].pose, bodies[b].elastic);
  }
}

/** All that the first solution of a step changes. */
function remember({ bodies, contacts, memory }: World): void {
  rememberContacts(contacts);
  for (let b = 0; b < bodies.length; b += 1) {
    const { rigid, elastic } = bodies[b];
    if (elastic !== null) rememberElastic(memory[b].elastic!, elastic);
    if (rigid !== null) rememberRigid(memory[b].rigid!, rigid);
  }
}

/**
 * What had no room may overlap now: then the step is taken back, what was missed comes in place of what has opened furthest, and
 * all is solved again. False if nothing was missed.
 */
function lookAgain(world: World, model: ProximityModel): boolean {
  const { bodies, contacts, memory, pairs } = world;
  measureAgain(world);
  if (!findMissed(contacts, model, bodies, pairs)) return false;
  for (let b = 0; b < bodies.length; b += 1) {
    const { rigid, elastic } = bodies[b];
    if (elastic !== null) recallElastic(elastic, memory[b].elastic!);
    if (rigid !== null) recallRigid(rigid, memory[b].rigid!);
  }
  measureAgain(world);
  if (placeMissed(contacts, model, bodies, pairs)) world.capped |= CAPPED_CONTACTS;
  solveContacts(world);
  moveBodies(world);
  return true;
}

/** The bodies have moved since their vertices were worked out. */
function measureAgain({ bodies }: World): void {
  for (let b = 0; b < bodies.length; b += 1) {
    updateRotations(bodies[b]);
    if (bodies[b].elastic !== null) forgetTouched(bodies[b]);
  }
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

/** Group by group: those that share no body that moves or bends do not feel each other (section 3.4). */
function solveContacts(world: World): void {
  const { contacts, groups, bodies, problem, solver, forces } = world;
  groupContacts(groups, contacts, bodies);
  world.sweeps = 0;
  // What was solved before is no problem of this step.
  problem.count = 0;
  for (let g = 0; g < groups.count; g += 1) {
    const members = groups.members[g];
    const count = groups.sizes[g];
    buildDelassus(problem, contacts, bodies, members, count);
    for (let k = 0; k < count; k += 1) posePart(world, members[k], k);
    solver.solve(forces, problem);
    world.sweeps = Math.max(world.sweeps, solver.sweeps);
    if (solver.capped) world.capped |= CAPPED_ITERATIONS;
    for (let k = 0; k < count; k += 1) takeAnswer(world, members[k], k);
  }
}

/**
 * δ_free, μ and the first guess of one contact. What friction should have held in the step before is to go back: else
 * the little that the solver leaves over in every step adds up, and a part under loads that come and go walks away.
 */
function posePart({ contacts, problem, forces, pairs, setup }: World, c: number, k: number): void {
  const { timeStep } = setup.options;
  const { gap, free, force, sliding, pair } = contacts;
  const overlap = Math.min(0, gap[c] + PARTING_SPEED * timeStep);
  problem.free[3 * k] = free[3 * c] - overlap;
  for (let i = 1; i < 3; i += 1) problem.free[3 * k + i] = free[3 * c + i] + creptAlong(contacts, c, i);
  const { staticCoefficient, kineticCoefficient } = pairs[pair[c]];
  problem.coefficient[k] = sliding[c] === 1 ? kineticCoefficient : staticCoefficient;
  for (let i = 0; i < 3; i += 1) forces[3 * k + i] = force[3 * c + i];
}

/** m along t₁ or t₂ */
function creptAlong({ crept, directions }: WorldContacts, c: number, direction: number): number {
  const d = 9 * c + 3 * direction;
  return crept[3 * c] * directions[d] + crept[3 * c + 1] * directions[d + 1] + crept[3 * c + 2] * directions[d + 2];
}

/**
 * Force of one contact, and whether it slides: friction is at its bound, and still it has moved further than the solver's
 * tolerance leaves open. Up to that, what a contact that presses has moved is to be taken back.
 */
function takeAnswer({ contacts, problem, forces, motion, setup }: World, c: number, k: number): void {
  const { force, opened, sliding, crept, directions } = contacts;
  for (let i = 0; i < 3; i += 1) force[3 * c + i] = forces[3 * k + i];
  writeMotionOf(motion, problem, forces, k);
  opened[c] = motion[3 * k];
  const u = motion[3 * k + 1];
  const v = motion[3 * k + 2];
  const most = setup.options.tolerance;
  const length = Math.sqrt(u * u + v * v);
  const friction = force[3 * c + 1] * force[3 * c + 1] + force[3 * c + 2] * force[3 * c + 2];
  const bound = NEARLY * problem.coefficient[k] * force[3 * c];
  sliding[c] = force[3 * c] > 0 && friction >= bound * bound && length > most + STILL ? 1 : 0;
  const scale = !(force[3 * c] > 0) ? 0 : KEPT * (length > most ? most / length : 1);
  for (let i = 0; i < 3; i += 1) {
    crept[3 * c + i] = scale * (u * directions[9 * c + 3 + i] + v * directions[9 * c + 6 + i]);
  }
}

/** The motion that the contact forces make of the free one. */
function moveBodies({ bodies, contacts, displacement, force }: World): void {
  for (let b = 0; b < bodies.length; b += 1) {
    const { rigid, elastic } = bodies[b];
    if (elastic !== null) beginLoad(elastic);
    if (rigid !== null) for (let i = 0; i < 6; i += 1) displacement[i] = rigid.free[i];
    for (let s = 0; s < 2 * contacts.count; s += 1) {
      if (contacts.side.body[s] !== b || contacts.force[3 * (s >> 1)] === 0) continue;
      if (rigid !== null) addDisplacement(displacement, contacts, s);
      if (elastic === null) continue;
      writeLocalForce(force, contacts, s);
      const { vertex, weight } = contacts.side;
      for (let i = 0; i < 3; i += 1) {
        if (vertex[3 * s + i] >= 0) addLoad(elastic, vertex[3 * s + i], weight, 3 * s + i, force);
      }
    }
    if (elastic !== null) endElastic(elastic);
    if (rigid !== null) endRigid(rigid, displacement);
  }
}

/** S⁻¹ Jᵀ f */
function addDisplacement(displacement: Float64Array, { side, force, coordinates }: WorldContacts, s: number): void {
  const f = 3 * (s >> 1);
  for (let i = 0; i < RIGID; i += 1) {
    const at = 3 * (coordinates * s + i);
    for (let k = 0; k < 3; k += 1) displacement[i] += side.answer[at + k] * force[f + k];
  }
}

/** The force of one side on its body, in the body's frame. */
function writeLocalForce(out: Float64Array, { side, force }: WorldContacts, s: number): void {
  const f = 3 * (s >> 1);
  for (let i = 0; i < 3; i += 1) {
    const at = 9 * s + i;
    out[i] = side.frame[at] * force[f] + side.frame[at + 3] * force[f + 1] + side.frame[at + 6] * force[f + 2];
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
