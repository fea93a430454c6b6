import { frictionModels, PalpableError } from '@palpable/engine';
import { coneSolvers } from '@palpable/engine/advanced';
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
