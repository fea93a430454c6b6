import { PalpableError } from '../base/errors.js';
import { solveLinear } from '../math/linear-algebra.js';
import { SUM_ARRAYS, sumNumbers } from './disc-sum.js';
import { createDissipation, type Dissipation, dissipate } from './dissipation.js';
import type { FrictionModel, FrictionModelName, FrictionModelOptions, FrictionResult } from './friction-model.js';
import { CONTACT_DYNAMIC, type FrictionProblem } from './friction-problem.js';
import { createGaussSeidelModel } from './gauss-seidel.js';
import { createScaledBody, scaleBody } from './scaled-body.js';
import { createScaledContacts, scaleContacts } from './scaled-contacts.js';
import { createSpringsModel } from './springs.js';
import { createStaggeredModel } from './staggered.js';
import { createStaticTest, type StaticTest, testStatic } from './static-test.js';
import { clearForces } from './write-forces.js';

/** All that the rest of the engine knows about a friction model. */
export interface FrictionDefinition {
  readonly name: FrictionModelName;
  /** What it does, in a phrase. */
  readonly description: string;
  /** Keys of `friction` that it reads, beyond the coefficients. */
  readonly reads: readonly (keyof Omit<FrictionModelOptions, 'capacity'>)[];
  /** Sweeps that it may take for each iteration of others; 1 unless given. */
  readonly sweepsPerIteration?: number;
  create(options: FrictionModelOptions): FrictionModel;
}

/** A sweep of these does less than an iteration of Newton's; they may take this many for each. */
const SWEEPS_PER_ITERATION = 20;

const STATIC_TEST = ['metric', 'rankTolerance', 'maxIterations', 'tolerance'] as const;
const SWEEPS = ['maxIterations', 'tolerance'] as const;

/**
 * The friction models that `friction.model` of a scene can name, in the order in which they are offered. A new one is
 * its file and an entry here.
 *
 * @example
 * ```ts
 * import { frictionModels } from '@palpable/engine';
 *
 * for (const { name, description } of frictionModels) console.log(`${name}: ${description}`);
 * ```
 */
export const frictionModels: readonly FrictionDefinition[] = [
  {
    name: 'cone',
    description: 'exact static friction: holds still inside the circular cone of the whole tool',
    reads: ['slip', ...STATIC_TEST],
    create: (options) => ({ name: 'cone', ...staticFirst(options, 0) }),
  },
  {
    name: 'pyramid',
    description: 'the same with cones of several sides around the circle, as in the paper',
    reads: ['slip', 'sides', ...STATIC_TEST],
    create: (options) => ({ name: 'pyramid', ...staticFirst(options, checkedSides(options.sides)) }),
  },
  {
    name: 'quadratic',
    description: 'maximal dissipation: sticking and slipping contacts at once',
    reads: STATIC_TEST,
    create: (options) => ({ name: 'quadratic', ...alwaysDissipating(options) }),
  },
  {
    name: 'staggered',
    description: 'normal and friction forces alternately, each by projection',
    reads: SWEEPS,
    sweepsPerIteration: SWEEPS_PER_ITERATION,
    create: createStaggeredModel,
  },
  {
    name: 'gauss-seidel',
    description: 'contact by contact, normal force and friction together',
    reads: SWEEPS,
    sweepsPerIteration: SWEEPS_PER_ITERATION,
    create: createGaussSeidelModel,
  },
  {
    name: 'springs',
    description: 'a spring at every contact: fast, but it creeps',
    reads: ['springStiffness', ...SWEEPS],
    create: createSpringsModel,
  },
  {
    name: 'none',
    description: 'no friction',
    reads: [],
    create: () => ({ name: 'none', solve: withoutFriction() }),
  },
];

export function frictionModelOf(name: FrictionModelName): FrictionDefinition {
  return frictionModels.find((each) => each.name === name)!;
}

/** Creates a friction model by name, with all its memory for at most `options.capacity` contacts. */
export function createFrictionModel(name: FrictionModelName, options: FrictionModelOptions): FrictionModel {
  return frictionModelOf(name).create(options);
}

/** The options of every friction model unless given; `springStiffness` in N/m. */
export const DEFAULT_FRICTION_OPTIONS: Omit<FrictionModelOptions, 'capacity'> = {
  sides: 8,
  slip: 'dissipation',
  metric: 'stiffness',
  rankTolerance: 0.05,
  springStiffness: 2000,
  maxIterations: 100,
  tolerance: 1e-8,
};

/** How often a model may iterate when others may `maxIterations` times. */
export function iterationCap(model: FrictionModelName, maxIterations: number): number {
  return (frictionModelOf(model).sweepsPerIteration ?? 1) * maxIterations;
}

/** Fewest sides of a friction pyramid. */
export const MIN_SIDES = 3;
/** Most sides of a friction pyramid. */
export const MAX_SIDES = 32;

/** Creates a friction model by name, with all its memory for at most `options.capacity` contacts. */
type Solve = FrictionModel['solve'];
type Solver = Pick<FrictionModel, 'solve' | 'forget'>;

function checkedSides(sides: number): number {
  if (Number.isInteger(sides) && sides >= MIN_SIDES && sides <= MAX_SIDES) return sides;
  throw new PalpableError(
    'option-invalid',
    `The friction pyramid has ${sides} sides, but must have ${MIN_SIDES} to ${MAX_SIDES}.`,
    'friction.sides',
  );
}

/** Δ = −K⁻¹w (Eq. 7, 8 without friction). */
function withoutFriction(): Solve {
  const matrix = new Float64Array(36);
  return (result, problem) => {
    result.holds = problem.count === 0;
    result.proved = false;
    result.iterations = 0;
    result.capped = false;
    clearForces(result, problem);
    matrix.set(problem.stiffness);
    for (let i = 0; i < 6; i += 1) result.displacement[i] = -problem.wrench[i];
    if (!solveLinear(result.displacement, matrix, 6)) result.displacement.fill(0);
  };
}

/** The static test; when it fails, the motion without friction as in the paper, or the one of maximal dissipation. */
function staticFirst(options: FrictionModelOptions, sides: number): Solver {
  const contacts = createScaledContacts(options.capacity, 2 * sumNumbers(options.capacity), 2 * SUM_ARRAYS);
  const body = createScaledBody(options.metric);
  const test = createStaticTest(contacts, body, sides, options);
  const dissipation = createDissipation(contacts, body, sides, options);
  const frictionless = withoutFriction();
  const solve: Solve = (result, problem) => {
    scaleContacts(contacts, problem, false);
    scaleBody(body, problem);
    testStatic(test, result, problem);
    // Where no contact can hold, those that are declared dynamic still rub.
    if (contacts.count === 0 && hasDynamic(problem)) result.holds = false;
    if (result.holds) {
      dissipation.warm = false;
      return;
    }
    if (options.slip === 'dissipation') {
      if (hasDynamic(problem)) scaleContacts(contacts, problem, true);
      dissipate(dissipation, result, problem);
    } else slideFreely(result, problem, frictionless);
  };
  return { solve, forget: () => startCold(test, dissipation) };
}

function startCold(test: StaticTest, dissipation: Dissipation): void {
  test.warm = false;
  test.proved = false;
  dissipation.warm = false;
}

function hasDynamic({ role, count }: FrictionProblem): boolean {
  for (let contact = 0; contact < count; contact += 1) if (role[contact] === CONTACT_DYNAMIC) return true;
  return false;
}

/** The motion without friction, with the static test's findings kept. */
function slideFreely(result: FrictionResult, problem: FrictionProblem, frictionless: Solve): void {
  const { proved, iterations, capped } = result;
  frictionless(result, problem);
  result.proved = proved;
  result.iterations = iterations;
  result.capped = capped;
}

/** The quadratic program in every cycle; the static test is only asked for the state of the whole. */
function alwaysDissipating(options: FrictionModelOptions): Solver {
  const contacts = createScaledContacts(options.capacity, 2 * sumNumbers(options.capacity), 2 * SUM_ARRAYS);
  const body = createScaledBody(options.metric);
  const test = createStaticTest(contacts, body, 0, options);
  const dissipation = createDissipation(contacts, body, 0, options);
  const solve: Solve = (result, problem) => {
    const rubs = hasDynamic(problem);
    scaleContacts(contacts, problem, false);
    scaleBody(body, problem);
    testStatic(test, result, problem);
    if (rubs) scaleContacts(contacts, problem, true);
    dissipate(dissipation, result, problem);
  };
  return { solve, forget: () => startCold(test, dissipation) };
}
