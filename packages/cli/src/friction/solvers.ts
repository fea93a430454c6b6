import { type FrictionModelName, type FrictionModelOptions, frictionModels, PalpableError } from '@palpable/engine';
import {
  type ConeProblem,
  type ConeSolveOptions,
  type ConeSolveResult,
  type ConeSolverName,
  coneSolvers,
  createFrictionModel,
  createFrictionResult,
  FRICTION_SLIP,
  FRICTION_STICK,
  type FrictionProblem,
  type FrictionResult,
  frictionResidual,
  type LcpProblem,
  type LcpSolution,
  solveCone,
  solveLcp,
} from '@palpable/engine/advanced';
import { formatNumber, formatTable } from '../terminal/table.js';
import type { ProblemKind } from './load-problem.js';

/** A solver as `--solver list` shows it. */
export interface ListedSolver {
  readonly name: string;
  /** The kind of problem that it solves. */
  readonly problem: ProblemKind;
  readonly description: string;
}

/** The first of each kind is taken when none is named. */
export const solvers: readonly ListedSolver[] = [
  ...frictionModels.map(({ name, description }) => ({ name, problem: 'friction' as const, description })),
  ...coneSolvers.map(({ name, description }) => ({ name, problem: 'contact' as const, description })),
  { name: 'lemke', problem: 'lcp', description: 'complementary pivots, ties broken lexicographically' },
];

export const LIST = 'list';

const kindNames = {
  friction: 'a friction problem',
  contact: 'a contact problem',
  lcp: 'a linear complementarity problem',
} as const;

/** Refuses a name that no solver has, before any file is read. */
export function checkSolverName(name: string): void {
  if (solvers.some((solver) => solver.name === name)) return;
  const names = [...new Set(solvers.map((solver) => solver.name))].join(', ');
  const message = `There is no solver "${name}"; give --solver one of ${names}, or ${LIST} to see what they do.`;
  throw new PalpableError('option-invalid', message, '--solver');
}

/** The solver of that name for that kind of problem, or the first for it when no name is given. */
export function solverFor(kind: ProblemKind, name: string | undefined): string {
  const fitting = solvers.filter(({ problem }) => problem === kind).map((solver) => solver.name);
  if (name === undefined) return fitting[0];
  if (fitting.includes(name)) return name;
  const message = `The solver "${name}" does not solve ${kindNames[kind]}, which the file holds; give --solver one of ${fitting.join(', ')}.`;
  throw new PalpableError('option-invalid', message, '--solver');
}

/** A solved problem as `palpable solve --json` prints it. Vectors per contact are along its normal, u and v. */
export type SolveReport = ReturnType<typeof report>;

type Triple = readonly [normal: number, u: number, v: number];

/** The least time of several runs, ms, each of which says its own; fewer of them when they take long. */
function leastTime(runs: number, enoughMs: number, run: (n: number) => number): number {
  let [least, spent] = [Number.POSITIVE_INFINITY, 0];
  for (let n = 0; n < runs && (n === 0 || spent < enoughMs); n += 1) {
    const taken = run(n);
    spent += taken;
    least = Math.min(least, taken);
  }
  return least;
}

export function solveProblem(
  problem: FrictionProblem,
  solver: FrictionModelName,
  options: Omit<FrictionModelOptions, 'capacity'>,
): SolveReport {
  const { capacity } = problem;
  const [result, repeated] = [createFrictionResult(capacity), createFrictionResult(capacity)];
  // Models start from their last answer, so each run has a new one.
  const milliseconds = leastTime(50, 500, (run) => {
    const model = createFrictionModel(solver, { ...options, capacity });
    const started = performance.now();
    model.solve(run === 0 ? result : repeated, problem);
    return performance.now() - started;
  });
  return report(problem, solver, result, options.metric, milliseconds / 1000);
}

function report(
  problem: FrictionProblem,
  solver: FrictionModelName,
  result: FrictionResult,
  metric: FrictionModelOptions['metric'],
  seconds: number,
) {
  const { cone, equilibrium, dissipation, total } = frictionResidual(problem, result, metric);
  const contacts = Array.from({ length: problem.count }, (_, i) => i);
  return {
    solver,
    /** The largest of `residuals`. */
    residual: total,
    residuals: { cone, equilibrium, dissipation },
    /** `free` without contacts, `stick` if friction holds the tool, else `slip`. */
    state: problem.count === 0 ? 'free' : result.holds ? 'stick' : 'slip',
    /** Iterations, or sweeps over the contacts. */
    sweeps: result.iterations,
    /** Whether the cap on the sweeps was met first. */
    capped: result.capped,
    /** Of the solve alone, the least of several, each from scratch. */
    seconds,
    /** Force on the tool at each contact, N. */
    r: contacts.map((i) => [result.normalForce[i], result.force[2 * i], result.force[2 * i + 1]]),
    /** Displacement of each contact point, m. */
    u: contacts.map((i) => contactDisplacement(problem, result.displacement, i)),
    /** State of each contact; `none` where friction does not act. */
    states: contacts.map((i) => stateName(result.state[i])),
    /** Of the tool: translation, m, and rotation vector, rad. */
    displacement: [...result.displacement],
    /** The proof that static friction cannot hold: a direction in which the load outweighs all friction. */
    direction: result.proved ? [...result.direction] : null,
  };
}

function stateName(state: number): 'stick' | 'slip' | 'none' {
  if (state === FRICTION_STICK) return 'stick';
  return state === FRICTION_SLIP ? 'slip' : 'none';
}

/** Δx + Δω × r along the normal, u and v. */
function contactDisplacement({ arm, normal, tangent }: FrictionProblem, displacement: Float64Array, i: number): Triple {
  const [dx, dy, dz, wx, wy, wz] = displacement;
  const [rx, ry, rz] = arm.subarray(3 * i, 3 * i + 3);
  const moved = [dx + wy * rz - wz * ry, dy + wz * rx - wx * rz, dz + wx * ry - wy * rx] as const;
  const along = (axis: Float64Array, at: number) =>
    axis[at] * moved[0] + axis[at + 1] * moved[1] + axis[at + 2] * moved[2];
  return [along(normal, 3 * i), along(tangent, 6 * i), along(tangent, 6 * i + 3)];
}

const whatHappens: Readonly<Record<string, string>> = {
  stick: 'friction holds the tool',
  slip: 'friction cannot hold the tool',
  free: 'no contacts',
};

export function describeFriction(report: SolveReport): string {
  const { solver, state, sweeps, capped, seconds, residual, residuals, displacement, direction } = report;
  const numbers = (values: readonly number[]) => values.map(formatNumber).join(', ');
  const end = capped ? `, stopped by their cap: the answer is rough` : '';
  const lines = [
    `${solver}: ${state}, ${whatHappens[state]}`,
    `${formatNumber(sweeps)} sweeps${end}; ${formatNumber(seconds * 1e6)} µs`,
    `residual ${formatNumber(residual)}: cone ${formatNumber(residuals.cone)}, equilibrium ${formatNumber(residuals.equilibrium)}, dissipation ${formatNumber(residuals.dissipation)}`,
    `the tool moves by (${numbers(displacement.slice(0, 3))}) m and rotates by (${numbers(displacement.slice(3))}) rad`,
  ];
  if (direction) lines.push(`friction is outweighed along (${numbers(direction)})`);
  const rows = report.r.map(([normal, u, v], i) => ({
    contact: i,
    'normal N': normal,
    'u N': u,
    'v N': v,
    'normal m': report.u[i][0],
    'u m': report.u[i][1],
    'v m': report.u[i][2],
    state: report.states[i],
  }));
  if (rows.length > 0) lines.push('', formatTable(rows));
  return lines.join('\n');
}

/** A solved contact problem as `palpable solve --json` prints it. */
export type ContactReport = ReturnType<typeof solveContacts>;

type ContactState = 'open' | 'stick' | 'slip';

export function solveContacts(problem: ConeProblem, solver: ConeSolverName, options: ConeSolveOptions) {
  let result: ConeSolveResult | undefined;
  const least = leastTime(20, 300, () => {
    const started = performance.now();
    result = solveCone(problem, solver, options);
    return performance.now() - started;
  });
  const { forces, motion, residual, modelResidual, sweeps, capped } = result as ConeSolveResult;
  return {
    solver,
    /** Natural map of the problem as posed, divided by max(|q|, |r|, |u|), as Siconos measures. */
    residual,
    /** Of the simpler problem that `pyramid` and `frictionless` solve; else the residual. */
    modelResidual,
    /** Steps, sweeps or pivots. */
    sweeps,
    /** Whether the answer is not at the tolerance. */
    capped,
    seconds: least / 1000,
    contacts: problem.count,
    /** Forces: normal, tangent 1, tangent 2 of the first contact, then of the next. */
    r: [...forces],
    /** u = W r + q in the same order. */
    u: [...motion],
    states: contactStates(problem, forces, motion),
  };
}

/** A force below this part of the largest is none, a motion below this part of the largest free one is rest. */
const NEGLIGIBLE = 1e-8;

function contactStates({ count, free }: ConeProblem, forces: Float64Array, motion: Float64Array): ContactState[] {
  const largest = (values: Float64Array) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const [noForce, rest] = [NEGLIGIBLE * largest(forces), NEGLIGIBLE * largest(free)];
  return Array.from({ length: count }, (_, i) => {
    if (!(forces[3 * i] > noForce)) return 'open';
    return Math.hypot(motion[3 * i + 1], motion[3 * i + 2]) > rest ? 'slip' : 'stick';
  });
}

export function describeContacts(report: ContactReport): string {
  const { capped, modelResidual, residual, seconds, solver, states, sweeps } = report;
  const counted = (state: ContactState) => formatNumber(states.filter((each) => each === state).length);
  const approximate = modelResidual !== residual;
  const lines = [
    `${solver}: ${formatNumber(report.contacts)} contacts, ${counted('stick')} stick, ${counted('slip')} slip, ${counted('open')} open`,
    `${formatNumber(sweeps)} ${unitOf(solver)} in ${formatNumber(seconds * 1000)} ms`,
    `residual ${formatNumber(residual)}${approximate ? `; of the simpler problem that was solved ${formatNumber(modelResidual)}` : ''}`,
  ];
  if (capped) lines.push('The answer misses the tolerance: allow more with --max-sweeps, or use --solver newton.');
  const rows = states.map((state, i) => ({
    contact: i,
    'r normal': report.r[3 * i],
    'r t1': report.r[3 * i + 1],
    'r t2': report.r[3 * i + 2],
    'u normal': report.u[3 * i],
    'u t1': report.u[3 * i + 1],
    'u t2': report.u[3 * i + 2],
    state,
  }));
  if (rows.length > 0) lines.push('', formatTable(rows));
  return lines.join('\n');
}

function unitOf(solver: ConeSolverName): string {
  if (solver === 'newton') return 'steps';
  return solver === 'pyramid' || solver === 'frictionless' ? 'pivots' : 'sweeps';
}

/** A solved linear complementarity problem as `palpable solve --json` prints it. */
export type ComplementarityReport = ReturnType<typeof solveComplementarity>;

export function solveComplementarity(problem: LcpProblem, maxPivots: number | undefined) {
  const started = performance.now();
  const solution: LcpSolution = solveLcp(problem, maxPivots);
  return {
    solver: 'lemke',
    /** |min(z, w)| / |q| */
    residual: solution.residual,
    /** Pivots. */
    sweeps: solution.pivots,
    /** Whether the answer is no solution. */
    capped: solution.outcome !== 'solved',
    outcome: solution.outcome,
    seconds: (performance.now() - started) / 1000,
    /** z */
    r: [...solution.z],
    /** w = M z + q */
    u: [...solution.w],
  };
}

const endings = {
  solved: 'solved',
  none: 'There is no solution: every choice of what is zero was tried.',
  ray: 'No solution was found: the path of pivots ends on a ray, as it does where there is none.',
  capped: 'The answer is rough: the pivots were too many, or lost too many digits; allow more with --max-sweeps.',
} as const;

export function describeComplementarity(report: ComplementarityReport): string {
  const rows = report.r.map((z, i) => ({ unknown: i, z, w: report.u[i] }));
  return [
    `lemke: ${formatNumber(report.r.length)} unknowns, ${endings[report.outcome]}`,
    `${formatNumber(report.sweeps)} pivots in ${formatNumber(report.seconds * 1000)} ms; residual ${formatNumber(report.residual)}`,
    '',
    formatTable(rows),
  ].join('\n');
}
