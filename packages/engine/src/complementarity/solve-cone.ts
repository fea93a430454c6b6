import { createConeGaussSeidel } from './cone-gauss-seidel.js';
import { solveConeNewton } from './cone-newton.js';
import { type ConeProblem, writeContactMotion } from './cone-problem.js';
import { coneResidual } from './cone-residual.js';
import { type ContactLcpSolution, solveFrictionless, solvePyramid } from './contact-lcp.js';
import type { LcpOutcome } from './lcp.js';

/** The solvers for contact problems, by name. */
export type ConeSolverName = 'newton' | 'gauss-seidel' | 'gauss-seidel-diagonal' | 'pyramid' | 'frictionless';

/** The solvers of contact problems, in the order in which they are offered. */
export const coneSolvers: readonly { readonly name: ConeSolverName; readonly description: string }[] = [
  { name: 'newton', description: 'exact cone, by Newton steps: converges where sweeps stall' },
  { name: 'gauss-seidel', description: 'exact cone, contact by contact, each solved exactly' },
  { name: 'gauss-seidel-diagonal', description: 'exact cone, contact by contact, each by one cheap step' },
  { name: 'pyramid', description: 'pyramids of several sides inside the cone, by Lemke’s method' },
  { name: 'frictionless', description: 'normal forces alone, by Lemke’s method' },
];

/** When to stop, and how finely to approximate the cone. */
export interface ConeSolveOptions {
  /** Residual at which to end; 1e-12 for Newton steps and 1e-8 for sweeps if left out. */
  readonly tolerance?: number;
  /** Most steps (1,000), sweeps (10,000) or pivots (by size). */
  readonly maxSweeps?: number;
  /** Of the pyramid, 3 or more; 8 if left out. */
  readonly sides?: number;
}

/** The forces found for a contact problem, and how good they are. */
export interface ConeSolveResult {
  /** r: 3 per contact. */
  readonly forces: Float64Array;
  /** u = W r + q */
  readonly motion: Float64Array;
  /** Steps, sweeps or pivots. */
  readonly sweeps: number;
  /** Of the problem as it is posed, by `coneResidual`. */
  readonly residual: number;
  /** Of the simpler problem that `pyramid` and `frictionless` solve instead; else the residual. */
  readonly modelResidual: number;
  /** Whether what the solver set out to solve is not solved to the tolerance. */
  readonly capped: boolean;
  /** How Lemke’s method ended, where it was used. */
  readonly outcome?: LcpOutcome;
}

const NEWTON = { tolerance: 1e-12, maxSweeps: 1000 };
const SWEEPS = { tolerance: 1e-8, maxSweeps: 10_000 };
const DEFAULT_SIDES = 8;

/** Solves a problem from zero forces with any of the solvers. For use outside the cycle. */
export function solveCone(problem: ConeProblem, name: ConeSolverName, options: ConeSolveOptions = {}): ConeSolveResult {
  const forces = new Float64Array(3 * problem.count);
  const solved = solveInto(forces, problem, name, options);
  const motion = new Float64Array(3 * problem.count);
  writeContactMotion(motion, problem, forces);
  return { forces, motion, modelResidual: solved.residual, ...solved };
}

type Solved = Omit<ConeSolveResult, 'forces' | 'motion' | 'modelResidual'> & { readonly modelResidual?: number };

function solveInto(
  forces: Float64Array,
  problem: ConeProblem,
  name: ConeSolverName,
  options: ConeSolveOptions,
): Solved {
  switch (name) {
    case 'newton': {
      const { tolerance = NEWTON.tolerance, maxSweeps: maxIterations = NEWTON.maxSweeps } = options;
      return solveConeNewton(forces, problem, { tolerance, maxIterations });
    }
    case 'gauss-seidel':
      return sweepOver(forces, problem, 'exact', options);
    case 'gauss-seidel-diagonal':
      return sweepOver(forces, problem, 'diagonal', options);
    case 'pyramid':
      return judged(solvePyramid(forces, problem, options.sides ?? DEFAULT_SIDES, options.maxSweeps));
    case 'frictionless':
      return judged(solveFrictionless(forces, problem, options.maxSweeps));
  }
}

function sweepOver(
  forces: Float64Array,
  problem: ConeProblem,
  local: 'exact' | 'diagonal',
  options: ConeSolveOptions,
): Solved {
  const { tolerance = SWEEPS.tolerance, maxSweeps = SWEEPS.maxSweeps } = options;
  const solver = createConeGaussSeidel({ capacity: problem.count, local, tolerance, maxSweeps, measure: 'residual' });
  solver.solve(forces, problem);
  const { capped, sweeps } = solver;
  return { sweeps, residual: coneResidual(problem, forces), capped };
}

function judged(solved: ContactLcpSolution): Solved {
  return { ...solved, capped: solved.outcome !== 'solved' };
}
