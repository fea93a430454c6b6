import {
  createFrictionModel,
  createFrictionResult,
  FRICTION_SLIP,
  FRICTION_STICK,
  type FrictionModelName,
  type FrictionModelOptions,
  type FrictionProblem,
  type FrictionResult,
  frictionResidual,
} from '@palpable/engine';
import { formatNumber, formatTable } from '../terminal/table.js';

/** A solved problem as `palpable solve --json` prints it. Vectors per contact are along its normal, u and v. */
export type SolveReport = ReturnType<typeof report>;

type Triple = readonly [normal: number, u: number, v: number];

const TIMED_RUNS = 50;
const TIMED_MILLISECONDS = 500;

export function solveProblem(
  problem: FrictionProblem,
  solver: FrictionModelName,
  options: Omit<FrictionModelOptions, 'capacity'>,
): SolveReport {
  const sized: FrictionModelOptions = { ...options, capacity: problem.capacity };
  const result = createFrictionResult(problem.capacity);
  let milliseconds = timeFirstSolve(solver, sized, problem, result);
  const repeated = createFrictionResult(problem.capacity);
  let spent = milliseconds;
  // Models start from their last answer, so each run has a new one.
  for (let run = 1; run < TIMED_RUNS && spent < TIMED_MILLISECONDS; run += 1) {
    const taken = timeFirstSolve(solver, sized, problem, repeated);
    spent += taken;
    milliseconds = Math.min(milliseconds, taken);
  }
  return report(problem, solver, result, milliseconds / 1000);
}

function timeFirstSolve(
  solver: FrictionModelName,
  options: FrictionModelOptions,
  problem: FrictionProblem,
  result: FrictionResult,
): number {
  const model = createFrictionModel(solver, options);
  const started = performance.now();
  model.solve(result, problem);
  return performance.now() - started;
}

function report(problem: FrictionProblem, solver: FrictionModelName, result: FrictionResult, seconds: number) {
  const { cone, equilibrium, dissipation, total } = frictionResidual(problem, result);
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
