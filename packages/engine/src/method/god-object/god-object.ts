import { PalpableError } from '../../base/errors.js';
import {
  couplingGoal,
  couplingWrench,
  createStaticCoupling,
  type StaticCoupling,
  type StaticCouplingOptions,
} from '../../coupling/static-coupling.js';
import { FRICTION_SLIP, FRICTION_STICK } from '../../friction/friction-model.js';
import { frictionParameter } from '../../friction/friction-parameters.js';
import { createPose, isFinitePose, type Pose } from '../../math/pose.js';
import { checkOptions, optionsOf } from '../../settings/check-options.js';
import {
  contactParameter,
  couplingParameter,
  gravityParameter,
  timeStepParameter,
} from '../../settings/group-parameters.js';
import { drawContacts } from '../contact-picture.js';
import { leadOut } from '../lead-out.js';
import {
  CAPPED_ITERATIONS,
  type Clock,
  type Method,
  type MethodOutput,
  STAGE_CONTACT,
  STAGE_METHOD,
  STAGE_TOTAL,
  STATE_FREE,
  STATE_SLIP,
  STATE_STICK,
} from '../method.js';
import {
  type ContactPair,
  createToolContacts,
  findToolContacts,
  type ToolBody,
  type ToolContacts,
} from '../tool-contacts.js';
import type { CorrectionRule } from './correction.js';
import { godObjectParameters } from './god-object-parameters.js';
import {
  createHeuristic,
  FRICTION_KINETIC,
  FRICTION_STATIC,
  FRICTION_TURN_KINETIC,
  FRICTION_TURN_STATIC,
  type Heuristic,
  resetHeuristic,
  stepHeuristic,
} from './heuristic.js';
import { createManifold, type Manifold, resetManifold, stepManifold } from './manifold.js';
import {
  createPenaltySum,
  PENALTY_KINETIC,
  PENALTY_STATIC,
  type PenaltySum,
  type Sampling,
  sumPenalty,
} from './penalty-sum.js';
import { createProxyMotion, moveBy, type ProxyMotion, wayBetween } from './proxy-motion.js';

/**
 * God object of six degrees of freedom (Sagardia, Hulin): a proxy of the tool that stays on the surface while the device
 * goes through it. The user feels the spring between the two.
 *
 * Steps of the paper: #1 contacts at the proxy (`penalty-sum.ts`), #2–#4 correction, constrained motion and friction
 * (`heuristic.ts`, or `manifold.ts` for all contacts at once), #5 filter, #6 and #7 the wrench, with stiffness and
 * damping of the coupling in place of the paper's two sets of constants; #8 is the device.
 *
 * Where we deviate: the proxy goes its way in sub-steps with contacts of their own. Away from everything they are as
 * long as the safety distance, so that no point can pass through a surface between two queries, and near it half a voxel.
 * What is left of the way after the last sub-step waits for the next cycle.
 */
export interface GodObjectOptions {
  /** Contacts by their sum, as in the paper, or one by one. */
  readonly constraint: ConstraintKind;
  readonly correction: CorrectionRule;
  readonly sampling: Sampling;
  /** Whether the proxy of the heuristic is low-pass filtered while something holds it. */
  readonly filter: boolean;
  readonly contact: {
    /** N/m, of one direction of contact, for the manifold; null for 500 times the coupling, and more where it would give way by more than 0.1 mm. */
    readonly stiffness: number | null;
    readonly cornerWeighting: boolean;
    readonly maxContacts: number;
  };
  readonly friction: {
    /** Part of the sliding motion that is held back in each cycle, 0 to below 1. */
    readonly viscous: number;
    /** Coefficient against turning, of the heuristic; null for that of each pair. */
    readonly rotational: number | null;
  };
  readonly coupling: StaticCouplingOptions & {
    /** N s/m and N m s/rad, on the rate at which proxy and device part. */
    readonly damping: number;
    readonly torsionalDamping: number;
  };
  /** m/s², world frame. */
  readonly gravity: readonly [number, number, number];
  /** s, for filter and damping. */
  readonly timeStep: number;
  /** For the times of the stages; without one they are 0. Reading a clock may allocate. */
  readonly clock?: Clock | undefined;
}

/** All of a sliding motion held back would be no sliding at all. */
export const MOST_VISCOUS = 0.99;

/** How the proxy is held outside: by the heuristic of the paper, or by the half-spaces of all contacts at once. */
export type ConstraintKind = 'heuristic' | 'manifold';

/** The method `god-object`, with what its last cycle found. */
export interface GodObjectMethod extends Method {
  /** Of the last query. */
  readonly contacts: ToolContacts;
  readonly penalty: PenaltySum;
  /** Directions, λ, θ and region of the last step; only the heuristic fills it. */
  readonly heuristic: Heuristic;
  /** Half-spaces and normal forces of the last step; null for the heuristic. */
  readonly manifold: Manifold | null;
  /** Queries of the last cycle. */
  readonly subSteps: number;
}

interface State {
  readonly options: GodObjectOptions;
  readonly tool: ToolBody;
  readonly contacts: ToolContacts;
  readonly penalty: PenaltySum;
  readonly heuristic: Heuristic;
  readonly manifold: Manifold | null;
  readonly coupling: StaticCoupling;
  readonly motion: ProxyMotion;
  readonly pose: Pose;
  readonly workspace: Workspace;
  subSteps: number;
  /** Whether `workspace.difference` is that of the cycle before. */
  hasDifference: boolean;
  capped: number;
  /** Most contacts of a query in this cycle. */
  contactCount: number;
  slips: boolean;
}

interface StepLimits {
  /** m, by any point of the tool: away from everything, and near it. */
  readonly free: number;
  readonly near: number;
}

interface Workspace {
  /** Where the proxy would go if nothing were in its way. */
  readonly goal: Pose;
  readonly way: Float64Array;
  readonly step: Float64Array;
  readonly friction: Float64Array;
  /** Device minus proxy of the cycle before: translation and rotation vector. */
  readonly difference: Float64Array;
  /** In the order of the `NUMBER_…` constants. */
  readonly numbers: Float64Array;
}

const NUMBER_DEEPEST = 0;
/** What the filter still allows in this cycle, m. */
const NUMBER_BUDGET = 1;
const NUMBER_START = 2;
const NUMBER_CONTACT_TIME = 3;
const NUMBER_MARK = 4;
/** How far a twist takes any point, and how far a sub-step may, m. */
const NUMBER_SIZE = 5;
const NUMBER_LONGEST = 6;
/** Size of the tool, and the longest sub-steps in free air and near a surface, m. */
const NUMBER_TOOL = 7;
const NUMBER_FREE = 8;
const NUMBER_NEAR = 9;
/** How far from a surface contacts of the manifold are found, and so how far its next sub-step may go, m. */
const NUMBER_WITHIN = 10;

/** Queries per cycle at most: enough for 1 m/s at 1 kHz near a surface of fine voxels, with a reserve. */
const MAX_SUB_STEPS = 8;
/** A sub-step near a surface, in voxels, but at least this part of the safety distance. */
const NEAR_VOXELS = 0.5;
const NEAR_MARGIN = 1 / 16;
/** How far the manifold looks at least, m. */
const NEAREST = 1e-4;
/** Part of how far it looked before that it looks again, however short the last sub-step was. */
const KEPT_REACH = 0.7;
/** Section 2.5: cut-off of the filter, Hz, and the distance at which it has its typical value. */
const LOWEST_CUTOFF = 1;
const HIGHEST_CUTOFF = 60;
const CUTOFF_PER_METRE = 20 / 0.007;

/** The queries of `pairs` need a margin above 0, the same for all: it is the safety distance d. */
export function createGodObjectMethod(
  tool: ToolBody,
  pairs: readonly ContactPair[],
  options: GodObjectOptions,
): GodObjectMethod {
  checkGodOptions(options);
  const margin = safetyDistance(pairs);
  const contacts = createToolContacts(tool, pairs, options.contact.maxContacts);
  const limits = stepLimits(pairs, margin);
  const { coupling, friction } = options;
  const { stiffness, torsionalStiffness } = coupling;
  const { viscous } = friction;
  const state: State = {
    options,
    tool,
    contacts,
    penalty: createPenaltySum(contacts, margin, {
      sampling: options.sampling,
      cornerWeighting: options.contact.cornerWeighting,
      oneByOne: options.constraint === 'manifold',
    }),
    heuristic: createHeuristic(tool, {
      correction: options.correction,
      viscous,
      maxOverlap: limits.near,
      stiffness,
      torsionalStiffness,
    }),
    manifold:
      options.constraint === 'manifold'
        ? createManifold(contacts, {
            stiffness,
            torsionalStiffness,
            graspPoint: coupling.graspPoint ?? tool.centre,
            contactStiffness: options.contact.stiffness,
            viscous,
          })
        : null,
    coupling: createStaticCoupling(tool, coupling),
    motion: createProxyMotion(tool),
    pose: createPose(),
    workspace: {
      goal: createPose(),
      way: new Float64Array(6),
      step: new Float64Array(6),
      friction: new Float64Array(4).fill(friction.rotational ?? 0),
      difference: new Float64Array(6),
      numbers: Float64Array.of(0, 0, 0, 0, 0, 0, 0, tool.length, limits.free, limits.near, limits.free),
    },
    subSteps: 0,
    hasDifference: false,
    capped: 0,
    contactCount: 0,
    slips: false,
  };
  return {
    contacts,
    penalty: state.penalty,
    heuristic: state.heuristic,
    manifold: state.manifold,
    get subSteps() {
      return state.subSteps;
    },
    step: (output, devicePose) => stepGodObject(state, output, devicePose),
    draw: (picture) => drawContacts(picture, contacts, state.slips ? FRICTION_SLIP : FRICTION_STICK),
    reset(pose) {
      state.pose.set(pose);
      if (isFinitePose(pose)) leadOut(state.pose, contacts, options.contact.stiffness);
      state.hasDifference = false;
      state.workspace.numbers[NUMBER_WITHIN] = margin;
      state.slips = false;
      resetHeuristic(state.heuristic);
      if (state.manifold) resetManifold(state.manifold);
    },
  };
}

function checkGodOptions(options: GodObjectOptions): void {
  const { contact, friction, coupling, timeStep, gravity } = options;
  checkOptions([
    ...optionsOf('method', godObjectParameters, options),
    ...optionsOf('contact', contactParameter.keys, contact),
    ...optionsOf('coupling', couplingParameter.keys, coupling),
    ['friction.viscous', { ...frictionParameter.keys.viscous, max: MOST_VISCOUS }, friction.viscous],
    ['friction.rotational', frictionParameter.keys.rotational, friction.rotational],
    ['timeStep', timeStepParameter, timeStep],
    ['gravity', gravityParameter, gravity],
  ]);
}

function safetyDistance(pairs: readonly ContactPair[]): number {
  const margin = pairs.length > 0 ? pairs[0].query.margin : 1;
  if (margin > 0 && pairs.every(({ query }) => query.margin === margin)) return margin;
  throw new PalpableError(
    'option-invalid',
    `The contact queries have margins of ${pairs.map(({ query }) => query.margin).join(', ')} m, but a god object needs ` +
      'one above 0, the same for all: its safety distance. Create them with `margin`.',
    'margin',
  );
}

function stepLimits(pairs: readonly ContactPair[], margin: number): StepLimits {
  let voxel = Number.POSITIVE_INFINITY;
  for (const { query } of pairs) voxel = Math.min(voxel, query.field.voxelSize);
  return { free: margin, near: Math.min(margin, Math.max(NEAR_VOXELS * voxel, NEAR_MARGIN * margin)) };
}

/** One cycle. */
function stepGodObject(state: State, output: MethodOutput, devicePose: Pose): void {
  if (!isFinitePose(devicePose)) {
    holdStill(state, output);
    return;
  }
  startCycle(state, devicePose);
  while (state.subSteps < MAX_SUB_STEPS) {
    lookAround(state);
    if (!takeSubStep(state)) break;
  }
  feel(state, output, devicePose);
  report(state, output);
}

/** Without a pose to follow the proxy stays, and the hand feels nothing. */
function holdStill(state: State, output: MethodOutput): void {
  state.hasDifference = false;
  output.toolPose.set(state.pose);
  output.wrench.fill(0);
  output.stageUs.fill(0);
}

function startCycle(state: State, devicePose: Pose): void {
  const { workspace, options, tool } = state;
  const { goal, numbers } = workspace;
  const { clock, gravity, coupling } = options;
  if (clock !== undefined) numbers[NUMBER_START] = clock();
  numbers[NUMBER_CONTACT_TIME] = 0;
  numbers[NUMBER_DEEPEST] = 0;
  numbers[NUMBER_BUDGET] = Number.POSITIVE_INFINITY;
  couplingGoal(goal, state.coupling, state.pose, devicePose);
  // Where the spring carries the weight.
  for (let i = 0; i < 3; i += 1) goal[i] += (tool.mass * gravity[i]) / coupling.stiffness;
  state.subSteps = 0;
  state.capped = 0;
  state.contactCount = 0;
  state.slips = false;
}

/** Step #1 at the pose that the proxy has reached. */
function lookAround(state: State): void {
  const { contacts, penalty, pose, workspace, options } = state;
  const { numbers } = workspace;
  const { clock } = options;
  if (clock !== undefined) numbers[NUMBER_MARK] = clock();
  for (let p = 0; p < contacts.pairs.length; p += 1) contacts.pairs[p].query.within = numbers[NUMBER_WITHIN];
  findToolContacts(contacts, pose);
  sumPenalty(penalty, pose);
  const { depth, count } = contacts.set;
  for (let c = 0; c < count; c += 1) if (depth[c] > numbers[NUMBER_DEEPEST]) numbers[NUMBER_DEEPEST] = depth[c];
  if (clock !== undefined) numbers[NUMBER_CONTACT_TIME] += clock() - numbers[NUMBER_MARK];
  state.subSteps += 1;
  state.capped |= contacts.capped;
  if (count > state.contactCount) state.contactCount = count;
}

/** Steps #2 to #5. True if there is more way to go than one sub-step may. */
function takeSubStep(state: State): boolean {
  const { pose, motion, workspace, contacts } = state;
  const { goal, way, step } = workspace;
  wayBetween(way, motion, pose, goal);
  const near = contacts.set.count > 0;
  if (near) constrain(state);
  else {
    step.set(way);
    resetHeuristic(state.heuristic);
    if (state.manifold) resetManifold(state.manifold);
  }
  if (near) {
    filter(state);
    if (!state.manifold) for (let i = 0; i < 6; i += 1) step[i] += state.heuristic.corrected[i];
  }
  const { numbers } = workspace;
  numbers[NUMBER_LONGEST] = Math.min(numbers[NUMBER_WITHIN], numbers[near ? NUMBER_NEAR : NUMBER_FREE]);
  const isLonger = advance(state);
  if (state.manifold) lookFurther(numbers, isLonger);
  return isLonger;
}

/**
 * What lies further away than the proxy goes in a sub-step does not hold it, and thousands of points of a fit do not. The
 * manifold looks twice as far as the last sub-step went, and twice as far again while that is too short. What sticks and
 * slips goes further again soon: so it looks less far only little by little.
 */
function lookFurther(numbers: Float64Array, isLonger: boolean): void {
  const within = numbers[NUMBER_WITHIN];
  const wanted = isLonger ? 2 * within : Math.max(2 * numbers[NUMBER_SIZE], KEPT_REACH * within);
  numbers[NUMBER_WITHIN] = wanted > NEAREST ? Math.min(numbers[NUMBER_FREE], wanted) : NEAREST;
}

/** Steps #2 to #4. */
function constrain(state: State): void {
  const { manifold, heuristic, penalty, contacts, workspace, options } = state;
  const { step, way, friction } = workspace;
  if (manifold) {
    stepManifold(manifold, step, penalty, way);
    if (manifold.restricted && manifold.sliding) state.slips = true;
    if (manifold.capped) state.capped |= CAPPED_ITERATIONS;
    return;
  }
  friction[FRICTION_STATIC] = penalty.values[PENALTY_STATIC];
  friction[FRICTION_KINETIC] = penalty.values[PENALTY_KINETIC];
  // Otherwise what was set once stays.
  if (options.friction.rotational === null) {
    friction[FRICTION_TURN_STATIC] = friction[FRICTION_STATIC];
    friction[FRICTION_TURN_KINETIC] = friction[FRICTION_KINETIC];
  }
  stepHeuristic(heuristic, step, penalty.values, way, contacts.rotation, friction);
  if (heuristic.sliding || heuristic.turning || heuristic.drilling) state.slips = true;
}

/**
 * Step #5, Eq. 43: of the step only a part is taken, the more the further proxy and device are apart. In sub-steps the
 * first one says how much that is. Where we deviate: a motion that nothing holds is not filtered, for in free air there
 * would be drag; nor is the correction, for the proxy would stay in the surface ten times as long.
 */
function filter({ heuristic, manifold, options, workspace, subSteps }: State): void {
  const { numbers, way, step } = workspace;
  if (!options.filter || manifold || !heuristic.restricted) return;
  if (subSteps === 1) measure(numbers, way);
  const cutoff = CUTOFF_PER_METRE * numbers[NUMBER_SIZE];
  measure(numbers, step);
  const size = numbers[NUMBER_SIZE];
  if (subSteps === 1) {
    const turns = 2 * Math.PI * options.timeStep * Math.min(HIGHEST_CUTOFF, Math.max(LOWEST_CUTOFF, cutoff));
    numbers[NUMBER_BUDGET] = (size * turns) / (1 + turns);
  }
  const part = size > numbers[NUMBER_BUDGET] ? numbers[NUMBER_BUDGET] / size : 1;
  for (let i = 0; i < 6; i += 1) step[i] *= part;
}

/** How far the twist takes any point of the tool at most; into an array, because a number returned may go to the heap. */
function measure(numbers: Float64Array, twist: Float64Array): void {
  const way = Math.sqrt(twist[0] * twist[0] + twist[1] * twist[1] + twist[2] * twist[2]);
  const turn = Math.sqrt(twist[3] * twist[3] + twist[4] * twist[4] + twist[5] * twist[5]);
  numbers[NUMBER_SIZE] = way + turn * numbers[NUMBER_TOOL];
}

/** Moves the proxy by the step, no further than a sub-step may go. True if that was too short. */
function advance({ pose, motion, workspace }: State): boolean {
  const { goal, way, step, numbers } = workspace;
  const longest = numbers[NUMBER_LONGEST];
  measure(numbers, step);
  const size = numbers[NUMBER_SIZE];
  // Numbers that are not finite must not get into the pose.
  if (!(size > 0 && size < Number.POSITIVE_INFINITY)) return false;
  if (size <= longest) {
    let free = true;
    for (let i = 0; i < 6; i += 1) if (step[i] !== way[i]) free = false;
    if (free) pose.set(goal);
    else moveBy(pose, motion, step);
    return false;
  }
  for (let i = 0; i < 6; i += 1) step[i] *= longest / size;
  moveBy(pose, motion, step);
  numbers[NUMBER_BUDGET] -= longest;
  return true;
}

/** Steps #6 and #7, Eq. 44–46 in the world frame: the reaction of the coupling, and its damping. */
function feel(state: State, output: MethodOutput, devicePose: Pose): void {
  const { coupling, motion, pose, workspace, options } = state;
  const { way, difference } = workspace;
  const { wrench } = output;
  wayBetween(way, motion, pose, devicePose);
  couplingWrench(wrench, coupling, pose, devicePose, motion.workspace.centre);
  const { damping, torsionalDamping } = options.coupling;
  for (let i = 0; i < 6; i += 1) {
    wrench[i] = -wrench[i];
    const perTime = (i < 3 ? damping : torsionalDamping) / options.timeStep;
    if (state.hasDifference && perTime > 0) wrench[i] -= perTime * (way[i] - difference[i]);
    difference[i] = way[i];
  }
  state.hasDifference = true;
}

function report(state: State, output: MethodOutput): void {
  const { pose, workspace, options, contactCount } = state;
  const { numbers } = workspace;
  output.toolPose.set(pose);
  output.contacts = contactCount;
  output.maxPenetration = numbers[NUMBER_DEEPEST];
  output.frictionState = contactCount === 0 ? STATE_FREE : state.slips ? STATE_SLIP : STATE_STICK;
  output.capped = state.capped;
  const { clock } = options;
  if (clock === undefined) return;
  const total = clock() - numbers[NUMBER_START];
  output.stageUs[STAGE_CONTACT] = 1000 * numbers[NUMBER_CONTACT_TIME];
  output.stageUs[STAGE_METHOD] = 1000 * (total - numbers[NUMBER_CONTACT_TIME]);
  output.stageUs[STAGE_TOTAL] = 1000 * total;
}
