import { takeSmoothNormals } from '../../contact/contact-normal.js';
import type { ContactSet } from '../../contact/contact-set.js';
import { type ContactStiffness, createContactStiffness, setContactStiffness } from '../../contact/contact-stiffness.js';
import {
  couplingStiffness,
  couplingWrench,
  createStaticCoupling,
  type StaticCoupling,
  type StaticCouplingOptions,
} from '../../coupling/static-coupling.js';
import { createFrictionModel, iterationCap } from '../../friction/create-friction-model.js';
import {
  createFrictionResult,
  type FrictionModel,
  type FrictionModelName,
  type FrictionModelOptions,
  type FrictionResult,
} from '../../friction/friction-model.js';
import { frictionParameter } from '../../friction/friction-parameters.js';
import { createFrictionProblem, type FrictionProblem } from '../../friction/friction-problem.js';
import { encodeProblem } from '../../friction/problem-file.js';
import { writeTangents } from '../../friction/tangent-frame.js';
import { solveLinear } from '../../math/linear-algebra.js';
import { rotateInertia } from '../../math/matrices.js';
import { copyPose, createPose, isFinitePose, type Pose, placePoint, rotationMatrix } from '../../math/pose.js';
import { turnPose } from '../../math/rotation.js';
import { lengthAt } from '../../math/vectors.js';
import { checkOptions, optionsOf } from '../../settings/check-options.js';
import { contactParameter, couplingParameter, gravityParameter } from '../../settings/group-parameters.js';
import { drawFriction } from '../contact-picture.js';
import { leadOut } from '../lead-out.js';
import {
  CAPPED_ITERATIONS,
  type Clock,
  type Method,
  type MethodOutput,
  STAGE_CONTACT,
  STAGE_FRICTION,
  STAGE_METHOD,
  STAGE_TOTAL,
  STATE_FREE,
  STATE_SLIP,
  STATE_STICK,
} from '../method.js';
import { addPenaltyStiffness, addPenaltyWrench } from '../penalty-response.js';
import { FULL_FORCE } from '../scene-pairs.js';
import {
  type ContactPair,
  createToolContacts,
  deepestContact,
  findToolContacts,
  type ToolBody,
  type ToolContacts,
} from '../tool-contacts.js';
import { type ContactAnchors, createContactAnchors, followAnchors, forgetAnchors } from './contact-anchors.js';
import { type Separation, setContactRoles } from './contact-roles.js';
import { staticFrictionParameters } from './static-friction-parameters.js';

/**
 * Static Coulomb friction on penalty contact, with static virtual coupling (Zhao, Li, Barbič).
 *
 * The tool has no velocity: in every cycle it goes to where coupling, normal and friction forces are in equilibrium, all
 * of them linearised where it is now (Eq. 7–9). Friction comes from one of the models of `friction/`; with `cone`, the
 * default, a tool that is pressed and pulled stays exactly where it is until the friction cone of the whole gives way.
 * The user feels the reaction of the coupling.
 */
export interface StaticFrictionOptions {
  readonly contact: {
    readonly stiffness: number;
    readonly adaptive: boolean;
    readonly cornerWeighting: boolean;
    readonly maxContacts: number;
  };
  readonly friction: Omit<FrictionModelOptions, 'capacity'> & { readonly model: FrictionModelName };
  readonly coupling: StaticCouplingOptions;
  /** α of section 4.2, from 0 (none) to below 1: of each step with contacts 1 − α is taken. */
  readonly staticDamping: number;
  readonly separation: Separation;
  /** m/s², world frame. */
  readonly gravity: readonly [number, number, number];
  /** For the times of the stages; without one they are 0. Reading a clock may allocate. */
  readonly clock?: Clock | undefined;
}

/** The method `static-friction`, with what its last cycle found. */
export interface StaticFrictionMethod extends Method {
  /** Contacts, problem and answer of the last cycle, to look at. */
  readonly contacts: ToolContacts;
  readonly problem: FrictionProblem;
  readonly result: FrictionResult;
}

interface Settings {
  options: StaticFrictionOptions;
  law: ContactStiffness;
  model: FrictionModel;
  anchors: ContactAnchors | null;
  coupling: StaticCoupling;
  /** Whether gravity does not pull the tool away from the device. */
  readonly isWeightless: boolean;
}

interface Workspace {
  readonly matrix: Float64Array;
  readonly frictionless: Float64Array;
  readonly step: Float64Array;
  /** Where the step began. */
  readonly start: Pose;
  /** How deep the step that is being taken may end, m. */
  readonly mostDepth: Float64Array;
  readonly times: Float64Array;
}

export function createStaticFrictionMethod(
  tool: ToolBody,
  pairs: readonly ContactPair[],
  options: StaticFrictionOptions,
): StaticFrictionMethod {
  const contacts = createToolContacts(tool, pairs, options.contact.maxContacts);
  const { capacity } = contacts.set;
  const state = {
    tool,
    contacts,
    problem: createFrictionProblem(capacity),
    result: createFrictionResult(capacity),
    pose: createPose(),
    maxStep: longestStep(pairs),
    shortStep: 0.5 * Math.min(...pairs.map(({ query }) => query.field.voxelSize)),
    maxDepth: Math.max(0.5 * longestStep(pairs), FULL_FORCE / options.contact.stiffness),
    probe: createToolContacts(tool, pairs, options.contact.maxContacts),
    /** Whether the last cycle slid: then kinetic friction acts until the tool holds again. */
    sliding: false,
    settings: createSettings(contacts, options),
    workspace: {
      matrix: new Float64Array(36),
      frictionless: new Float64Array(6),
      step: new Float64Array(6),
      start: createPose(),
      mostDepth: new Float64Array(1),
      times: new Float64Array(4),
    },
  };
  state.problem.mass = tool.mass;
  state.problem.length = tool.length;
  return {
    contacts,
    problem: state.problem,
    result: state.result,
    step: (output, devicePose) => stepStaticFriction(state, output, devicePose),
    draw: (picture) => drawFriction(picture, contacts, state.problem, state.result),
    reset(pose) {
      state.pose.set(pose);
      if (isFinitePose(pose)) leadOut(state.pose, state.probe, options.contact.stiffness);
      state.sliding = false;
      if (state.settings.anchors) forgetAnchors(state.settings.anchors);
      state.settings.model.forget?.();
    },
    problemText: () => encodeProblem(state.problem),
  };
}

/**
 * A device that jumps must not take the tool into the middle of a part, where it is no longer clear which way is out: in
 * one cycle the tool goes no further than distances are known exactly on both sides of the thinnest such layer. A hand
 * does not come near that: at voxels of 1 mm and 1 kHz it is 5 m/s.
 */
function longestStep(pairs: readonly ContactPair[]): number {
  let longest = Number.POSITIVE_INFINITY;
  for (const { query } of pairs) longest = Math.min(longest, query.field.band);
  return longest;
}

function createSettings(contacts: ToolContacts, options: StaticFrictionOptions): Settings {
  checkOptions([
    ...optionsOf('contact', contactParameter.keys, options.contact),
    ...optionsOf('friction', frictionParameter.keys, options.friction),
    ...optionsOf('coupling', couplingParameter.keys, options.coupling),
    ...optionsOf('method', staticFrictionParameters, options),
    ['gravity', gravityParameter, options.gravity],
  ]);
  const { capacity } = contacts.set;
  const { friction } = options;
  return {
    options,
    law: createContactStiffness(capacity, options.contact),
    model: createFrictionModel(friction.model, {
      ...friction,
      maxIterations: iterationCap(friction.model, friction.maxIterations),
      capacity,
    }),
    anchors: createAnchors(contacts, options),
    coupling: createStaticCoupling(contacts.tool, options.coupling),
    isWeightless: contacts.tool.mass === 0 || options.gravity.every((part) => part === 0),
  };
}

/** Those models have anchors that make something of them. */
function createAnchors(contacts: ToolContacts, { friction }: StaticFrictionOptions): ContactAnchors | null {
  if (friction.model === 'springs') return createContactAnchors(contacts, friction.springStiffness);
  if (friction.model === 'cone' || friction.model === 'pyramid') return createContactAnchors(contacts, 0);
  return null;
}

interface State {
  readonly tool: ToolBody;
  readonly contacts: ToolContacts;
  readonly problem: FrictionProblem;
  readonly result: FrictionResult;
  readonly pose: Pose;
  /** No point of the tool goes further in one cycle, m. */
  readonly maxStep: number;
  /** Half a voxel, m: after a longer step the tool looks whether it went too deep. */
  readonly shortStep: number;
  /** However hard it is pulled, the tool goes no deeper, m: half as deep as distances are known exactly, or as far as soft contacts give way. */
  readonly maxDepth: number;
  /** For that look. */
  readonly probe: ToolContacts;
  sliding: boolean;
  settings: Settings;
  readonly workspace: Workspace;
}

/** One cycle. */
function stepStaticFriction(state: State, output: MethodOutput, devicePose: Pose): void {
  if (!isFinitePose(devicePose)) {
    holdStill(state, output);
    return;
  }
  takeTime(state, 0);
  findToolContacts(state.contacts, state.pose);
  takeTime(state, 1);
  poseProblem(state, devicePose);
  takeTime(state, 2);
  state.settings.model.solve(state.result, state.problem);
  takeTime(state, 3);
  moveTool(state, devicePose);
  report(state, output, devicePose);
  reportTimes(state, output);
}

/** How often a step that goes too deep is halved. */
const MAX_CUTS = 5;
/** How much further than needed a step that goes too deep is pushed out. */
const PUSHED_FURTHER = 0.01;
/** Cosine between a point's normal and the way out beyond which that leads out on the other side. */
const THROUGH = 0.8;

/** Without a pose to follow the tool stays, and the hand feels nothing. */
function holdStill({ pose }: State, output: MethodOutput): void {
  output.toolPose.set(pose);
  output.wrench.fill(0);
  output.stageUs.fill(0);
}

function takeTime({ settings, workspace }: State, mark: number): void {
  const { clock } = settings.options;
  if (clock !== undefined) workspace.times[mark] = clock();
}

/** The friction problem of this cycle: wrenches, stiffness and contacts. */
function poseProblem(state: State, devicePose: Pose): void {
  const { contacts, problem, settings, workspace, pose, tool } = state;
  const { options, coupling } = settings;
  couplingWrench(problem.couplingWrench, coupling, pose, devicePose, contacts.centre);
  couplingStiffness(problem.couplingStiffness, coupling);
  rotateInertia(problem.inertia, contacts.rotation, tool.inertia);
  // By the shell's normals, which tell points round a corner.
  setContactStiffness(settings.law, contacts.set);
  straightenNormals(contacts);
  writeContacts(state);
  problem.wrench.set(problem.couplingWrench);
  addWeight(problem.wrench, tool, options);
  problem.stiffness.set(problem.couplingStiffness);
  addPenaltyWrench(problem.wrench, contacts);
  addPenaltyStiffness(problem.stiffness, contacts);
  if (problem.count > 0) {
    findFrictionless(workspace, problem);
    // Still the bare coupling: gravity is no intention to pull away.
    setContactRoles(problem, contacts, options.separation, workspace.frictionless, problem.couplingWrench);
    if (settings.anchors !== null) followAnchors(settings.anchors, problem, contacts, pose);
  }
  // Models that find the normal forces again start from everything else.
  addWeight(problem.couplingWrench, tool, options);
}

/**
 * Where we deviate: the normal is that of the environment where its field is smooth. The shell's turns with the tool, and
 * with it the axis of the cone: a tool that is pulled tilts, and would slip early. A shell on the environment stays.
 */
function straightenNormals({ pairs, ends, set }: ToolContacts): void {
  for (let p = 0; p < pairs.length; p += 1) {
    if (pairs[p].query.shellOn === 'tool') takeSmoothNormals(set, p > 0 ? ends[p - 1] : 0, ends[p]);
  }
}

function addWeight(wrench: Float64Array, { mass }: ToolBody, { gravity }: StaticFrictionOptions): void {
  for (let i = 0; i < 3; i += 1) wrench[i] += mass * gravity[i];
}

function writeContacts({ contacts, problem, sliding, settings }: State): void {
  const { law } = settings;
  const { set, pairs, ends } = contacts;
  problem.count = set.count;
  problem.contactStiffness = law.stiffness;
  let c = 0;
  for (let p = 0; p < pairs.length; p += 1) {
    const { staticCoefficient, kineticCoefficient, dynamicPoints } = pairs[p];
    for (; c < ends[p]; c += 1) {
      for (let i = 0; i < 3; i += 1) {
        problem.arm[3 * c + i] = set.arm[3 * c + i];
        problem.normal[3 * c + i] = set.normal[3 * c + i];
      }
      writeTangents(problem.tangent, problem.normal, c);
      problem.normalStiffness[c] = set.stiffness[c];
      problem.normalForce[c] = set.depth[c] > 0 ? set.stiffness[c] * set.depth[c] : 0;
      const kinetic = sliding || (dynamicPoints !== null && dynamicPoints[set.point[c]] === 1);
      problem.coefficient[c] = kinetic ? kineticCoefficient : staticCoefficient;
    }
  }
}

function findFrictionless({ matrix, frictionless }: Workspace, problem: FrictionProblem): void {
  matrix.set(problem.stiffness);
  for (let i = 0; i < 6; i += 1) frictionless[i] = -problem.wrench[i];
  if (!solveLinear(frictionless, matrix, 6)) frictionless.fill(0);
}

/**
 * Takes the step, damped while there are contacts (section 4.2), as a screw: the centre of mass moves along an arc,
 * Δx + ½ Δω × Δx. On a straight line contacts that only roll along their normals would slip by the square of the step,
 * always to the same side, and a tool that is loaded again and again would wander.
 */
function moveTool(state: State, devicePose: Pose): void {
  const { contacts, problem, result, pose, settings, workspace, tool, maxStep, shortStep } = state;
  const { step } = workspace;
  const { centre } = contacts;
  const part = problem.count > 0 ? 1 - settings.options.staticDamping : 1;
  for (let i = 0; i < 6; i += 1) step[i] = part * result.displacement[i];
  const longest = lengthAt(step, 0) + lengthAt(step, 3) * tool.length;
  const deepest = deepestOf(contacts.set);
  const mayBeTooDeep = longest > shortStep || (deepest >= 0 && contacts.set.depth[deepest] > 2 * shortStep);
  workspace.start.set(pose);
  if (longest > maxStep) for (let i = 0; i < 6; i += 1) step[i] *= maxStep / longest;
  else if (isFree(state)) {
    // The very pose of the device: from one that rounding makes of it, the hand would be pulled by 1e-15 N.
    copyPose(pose, 0, devicePose, 0);
    placePoint(centre, pose, tool.centre);
    if (mayBeTooDeep) stopShort(state);
    return;
  }
  takeStep(state);
  if (mayBeTooDeep) stopShort(state);
}

/** How deep one direction of contact is in equilibrium with the coupling, m. */
function pulledDepth({ problem: { couplingWrench }, settings, tool }: State): number {
  return (lengthAt(couplingWrench, 0) + lengthAt(couplingWrench, 3) / tool.length) / settings.options.contact.stiffness;
}

/**
 * A step that ends deeper in something than it began, and deeper than the coupling can press it, is pushed out again if
 * that is not far, or taken in part; if neither helps, the tool stays where it is. A step shorter than half a voxel may
 * end as deep as anything may be.
 */
function stopShort(state: State): void {
  const { contacts, probe, pose, workspace, tool, shortStep, maxDepth } = state;
  const { step, mostDepth } = workspace;
  const isLong = lengthAt(step, 0) + lengthAt(step, 3) * tool.length > shortStep;
  const limit = isLong ? Math.min(maxDepth, Math.max(shortStep, pulledDepth(state))) : maxDepth;
  mostDepth[0] = Math.max(deepestContact(contacts.set), limit);
  for (let cut = 0; cut < MAX_CUTS; cut += 1) {
    findToolContacts(probe, pose);
    if (!isTooDeep(state, 0)) return;
    if (!isTooDeep(state, 1)) {
      pushOut(state);
      findToolContacts(probe, pose);
      if (!isTooDeep(state, 0)) return;
    }
    goBack(state);
    for (let i = 0; i < 6; i += 1) step[i] *= 0.5;
    takeStep(state);
  }
  goBack(state);
}

/** Back to where the step began. */
function goBack({ contacts, pose, workspace, tool }: State): void {
  pose.set(workspace.start);
  placePoint(contacts.centre, pose, tool.centre);
}

/** Deeper than allowed by some half voxels, or past the middle of something thin, where the deepest contact's path out turns. */
function isTooDeep({ contacts, probe, workspace, shortStep }: State, halfVoxels: number): boolean {
  const { set } = probe;
  const deepest = deepestOf(set);
  if (deepest >= 0 && set.depth[deepest] > workspace.mostDepth[0] + halfVoxels * shortStep) return true;
  const before = deepestOf(contacts.set);
  if (before < 0 || !(across(contacts.set, before) > 0)) return false;
  for (let c = 0; c < set.count; c += 1) {
    if (set.point[c] === contacts.set.point[before] && set.depth[c] > 0 && across(set, c) < -THROUGH) return true;
  }
  return false;
}

/** Which contact is the deepest, −1 without any. */
function deepestOf({ depth, count }: ContactSet): number {
  let deepest = -1;
  for (let c = 0; c < count; c += 1) if (deepest < 0 || depth[c] > depth[deepest]) deepest = c;
  return deepest;
}

/** Cosine between the normal of a contact and the gradient, where that has length 1. */
function across({ normal, gradient }: ContactSet, c: number): number {
  const o = 3 * c;
  return normal[o] * gradient[o] + normal[o + 1] * gradient[o + 1] + normal[o + 2] * gradient[o + 2];
}

/** Moves the tool along the gradient of its deepest contact until that is no deeper than allowed. */
function pushOut({ contacts, probe, pose, workspace }: State): void {
  const { depth, gradient } = probe.set;
  const d = deepestOf(probe.set);
  const length = lengthAt(gradient, 3 * d);
  if (!(length > 0)) return;
  const way = ((1 + PUSHED_FURTHER) * (depth[d] - workspace.mostDepth[0])) / (length * length);
  for (let i = 0; i < 3; i += 1) {
    const part = way * gradient[3 * d + i];
    pose[i] += part;
    contacts.centre[i] += part;
  }
}

function takeStep({ contacts, pose, workspace, tool }: State): void {
  const { step } = workspace;
  const { centre, rotation } = contacts;
  const arcX = 0.5 * (step[4] * step[2] - step[5] * step[1]);
  const arcY = 0.5 * (step[5] * step[0] - step[3] * step[2]);
  const arcZ = 0.5 * (step[3] * step[1] - step[4] * step[0]);
  step[0] += arcX;
  step[1] += arcY;
  step[2] += arcZ;
  turnPose(pose, step, 3);
  rotationMatrix(rotation, pose);
  for (let i = 0; i < 3; i += 1) {
    centre[i] += step[i];
    pose[i] =
      centre[i] -
      rotation[3 * i] * tool.centre[0] -
      rotation[3 * i + 1] * tool.centre[1] -
      rotation[3 * i + 2] * tool.centre[2];
  }
}

/** Whether the device alone says where the tool is. */
function isFree({ problem, settings }: State): boolean {
  return problem.count === 0 && settings.isWeightless && !settings.coupling.isSaturated;
}

function report(state: State, output: MethodOutput, devicePose: Pose): void {
  const { contacts, problem, result, pose, settings } = state;
  const free = problem.count === 0;
  state.sliding = !free && !result.holds;
  // What slides has no place to go back to; springs drag their anchors along.
  if (state.sliding && settings.anchors?.springStiffness === 0) forgetAnchors(settings.anchors);
  output.toolPose.set(pose);
  couplingWrench(output.wrench, settings.coupling, pose, devicePose, contacts.centre);
  for (let i = 0; i < 6; i += 1) output.wrench[i] = -output.wrench[i];
  output.contacts = problem.count;
  output.maxPenetration = deepestContact(contacts.set);
  output.frictionState = free ? STATE_FREE : result.holds ? STATE_STICK : STATE_SLIP;
  output.capped = contacts.capped | (result.capped ? CAPPED_ITERATIONS : 0);
}

function reportTimes(state: State, output: MethodOutput): void {
  const { settings, workspace } = state;
  const { stageUs } = output;
  if (settings.options.clock === undefined) return;
  const end = settings.options.clock();
  const start = workspace.times[0];
  const found = workspace.times[1];
  const posed = workspace.times[2];
  const solved = workspace.times[3];
  stageUs[STAGE_CONTACT] = 1000 * (found - start);
  stageUs[STAGE_FRICTION] = 1000 * (solved - posed);
  stageUs[STAGE_METHOD] = 1000 * (posed - found + end - solved);
  stageUs[STAGE_TOTAL] = 1000 * (end - start);
}
