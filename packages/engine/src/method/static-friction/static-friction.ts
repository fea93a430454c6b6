import { takeSmoothNormals } from '../../contact/contact-normal.js';
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
import { createPose, isFinitePose, type Pose } from '../../math/pose.js';
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
import { type ContactPair, createToolContacts, type ToolBody, type ToolContacts } from '../tool-contacts.js';
import { type ContactAnchors, createContactAnchors, followAnchors, forgetAnchors } from './contact-anchors.js';
import { type Separation, setContactRoles } from './contact-roles.js';
import {
  createGuardedStep,
  findGuardedContacts,
  type GuardedStep,
  resetGuard,
  takeGuardedStep,
} from './guarded-step.js';
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
  readonly times: Float64Array;
}

export function createStaticFrictionMethod(
  tool: ToolBody,
  pairs: readonly ContactPair[],
  options: StaticFrictionOptions,
): StaticFrictionMethod {
  const contacts = createToolContacts(tool, pairs, options.contact.maxContacts);
  const { capacity } = contacts.set;
  const pose = createPose();
  const state = {
    tool,
    contacts,
    problem: createFrictionProblem(capacity),
    result: createFrictionResult(capacity),
    pose,
    guard: createGuardedStep(contacts, pose, options.contact.stiffness),
    /** Whether the last cycle slid: then kinetic friction acts until the tool holds again. */
    sliding: false,
    settings: createSettings(contacts, options),
    workspace: {
      matrix: new Float64Array(36),
      frictionless: new Float64Array(6),
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
      if (isFinitePose(pose)) leadOut(state.pose, state.guard.probe, options.contact.stiffness);
      state.sliding = false;
      resetGuard(state.guard);
      if (state.settings.anchors) forgetAnchors(state.settings.anchors);
      state.settings.model.forget?.();
    },
    problemText: () => encodeProblem(state.problem),
  };
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
  readonly guard: GuardedStep;
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
  findGuardedContacts(state.guard);
  takeTime(state, 1);
  poseProblem(state, devicePose);
  takeTime(state, 2);
  state.settings.model.solve(state.result, state.problem);
  takeTime(state, 3);
  moveTool(state, devicePose);
  report(state, output, devicePose);
  reportTimes(state, output);
}

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
  const { arm, normal, tangent, normalStiffness, normalForce, coefficient } = problem;
  const { depth, stiffness, point } = set;
  problem.count = set.count;
  problem.contactStiffness = law.stiffness;
  let c = 0;
  for (let p = 0; p < pairs.length; p += 1) {
    const { staticCoefficient, kineticCoefficient, dynamicPoints } = pairs[p];
    for (; c < ends[p]; c += 1) {
      for (let i = 3 * c; i < 3 * c + 3; i += 1) {
        arm[i] = set.arm[i];
        normal[i] = set.normal[i];
      }
      writeTangents(tangent, normal, c);
      normalStiffness[c] = stiffness[c];
      normalForce[c] = depth[c] > 0 ? stiffness[c] * depth[c] : 0;
      const kinetic = sliding || (dynamicPoints !== null && dynamicPoints[point[c]] === 1);
      coefficient[c] = kinetic ? kineticCoefficient : staticCoefficient;
    }
  }
}

function findFrictionless({ matrix, frictionless }: Workspace, problem: FrictionProblem): void {
  matrix.set(problem.stiffness);
  for (let i = 0; i < 6; i += 1) frictionless[i] = -problem.wrench[i];
  if (!solveLinear(frictionless, matrix, 6)) frictionless.fill(0);
}

/** Takes the step, damped while there are contacts (section 4.2). */
function moveTool(state: State, devicePose: Pose): void {
  const { guard, problem, result, settings, tool } = state;
  const { couplingWrench: pull } = problem;
  const part = problem.count > 0 ? 1 - settings.options.staticDamping : 1;
  for (let i = 0; i < 6; i += 1) guard.step[i] = part * result.displacement[i];
  // Written out, as numbers that a call gives back may go to the heap.
  const force = Math.sqrt(pull[0] * pull[0] + pull[1] * pull[1] + pull[2] * pull[2]);
  const torque = Math.sqrt(pull[3] * pull[3] + pull[4] * pull[4] + pull[5] * pull[5]);
  guard.pulled[0] = (force + torque / tool.length) / settings.options.contact.stiffness;
  // In free space the very pose of the device: from one that rounding makes of it, the hand would be pulled by 1e-15 N.
  takeGuardedStep(guard, isFree(state) ? devicePose : null);
}

/** Whether the device alone says where the tool is. */
function isFree({ problem, settings }: State): boolean {
  return problem.count === 0 && settings.isWeightless && !settings.coupling.isSaturated;
}

function report(state: State, output: MethodOutput, devicePose: Pose): void {
  const { contacts, problem, result, pose, settings, guard } = state;
  const { depth } = contacts.set;
  const free = problem.count === 0;
  state.sliding = !free && !result.holds;
  // What slides has no place to go back to; springs drag their anchors along.
  if (state.sliding && settings.anchors?.springStiffness === 0) forgetAnchors(settings.anchors);
  output.toolPose.set(pose);
  couplingWrench(output.wrench, settings.coupling, pose, devicePose, contacts.centre);
  for (let i = 0; i < 6; i += 1) output.wrench[i] = -output.wrench[i];
  output.contacts = problem.count;
  output.maxPenetration = guard.deepest >= 0 && depth[guard.deepest] > 0 ? depth[guard.deepest] : 0;
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
