import { type FrictionModelName, type FrictionModelOptions, PalpableError } from '@palpable/engine';
import {
  type ConeSolverName,
  DEFAULT_FRICTION_OPTIONS,
  iterationCap,
  MAX_SIDES,
  type MatrixOrder,
  MIN_SIDES,
} from '@palpable/engine/advanced';
import { Option } from 'commander';
import { type LoadedProblem, loadProblem } from '../friction/load-problem.js';
import {
  checkSolverName,
  describeComplementarity,
  describeContacts,
  describeFriction,
  LIST,
  solveComplementarity,
  solveContacts,
  solveProblem,
  solverFor,
  solvers,
} from '../friction/solvers.js';
import { printJson } from '../terminal/json.js';
import { positiveNumber, wholeNumber } from '../terminal/option-values.js';
import { printTable } from '../terminal/table.js';
import { type CommandDefinition, printReport } from './command.js';

interface SolveFlags {
  readonly solver?: string;
  readonly sides: number;
  /** Relative residual. */
  readonly tolerance?: number;
  readonly matrixOrder?: MatrixOrder;
  readonly maxSweeps?: number;
  readonly slip: FrictionModelOptions['slip'];
  readonly metric: FrictionModelOptions['metric'];
  /** As a fraction of the largest singular value. */
  readonly rankTolerance: number;
  /** N/m */
  readonly springStiffness: number;
}

const defaults = DEFAULT_FRICTION_OPTIONS;

export const solveCommand: CommandDefinition<[problem: string | undefined], SolveFlags> = {
  usage: 'solve [problem]',
  summary: 'solve a saved friction or contact problem with any solver, and judge the answer',
  examples: [
    'palpable solve cycle.json --solver cone',
    'palpable solve cycle.json --solver pyramid --sides 16 --json',
    'palpable solve contacts.json --solver gauss-seidel --tolerance 1e-6',
    'palpable solve lcp_mmc.dat --json',
    'palpable solve --solver list',
  ],
  options: (command) =>
    command
      .option(
        '--solver <name>',
        'a solver that fits the problem, or list to see them all (default: cone for friction problems, newton for contact problems, lemke for LCPs)',
      )
      .option('--sides <number>', 'sides of the pyramid', wholeNumber(MIN_SIDES, MAX_SIDES), defaults.sides)
      .option(
        '--tolerance <number>',
        `relative residual at which to stop (default: ${defaults.tolerance}, for newton 1e-12)`,
        positiveNumber,
      )
      .option(
        '--max-sweeps <number>',
        `most iterations of each stage, sweeps or pivots (default: ${defaults.maxIterations}, for sweeps ${iterationCap('gauss-seidel', defaults.maxIterations)}; in contact problems 10000 sweeps or 1000 Newton steps)`,
        wholeNumber(1, 1_000_000),
      )
      .addOption(
        new Option('--slip <kind>', 'what cone and pyramid do when friction cannot hold')
          .choices(['dissipation', 'frictionless'])
          .default(defaults.slip),
      )
      .addOption(
        new Option('--metric <metric>', 'by what cone, pyramid and quadratic measure displacements')
          .choices(['stiffness', 'mass'])
          .default(defaults.metric),
      )
      .option(
        '--rank-tolerance <number>',
        'singular values of the contacts below this fraction of the largest count as zero',
        positiveNumber,
        defaults.rankTolerance,
      )
      .option(
        '--spring-stiffness <N/m>',
        'stiffness of the springs of one direction in the model springs',
        positiveNumber,
        defaults.springStiffness,
      )
      .addOption(
        new Option(
          '--matrix-order <order>',
          'order of a full matrix in the text of an LCP (default: columns; rows if it is lower triangular)',
        ).choices(['columns', 'rows']),
      ),
  async run(context, flags, path) {
    const { stdout, json } = context;
    if (flags.solver === LIST) {
      if (json) printJson(solvers, stdout);
      else printTable(solvers as { name: string; problem: string; description: string }[], stdout);
      return undefined;
    }
    if (flags.solver !== undefined) checkSolverName(flags.solver);
    if (path === undefined) {
      throw new PalpableError('option-invalid', 'No problem file given; name one: palpable solve PROBLEM.');
    }
    const loaded = await loadProblem(path, flags.matrixOrder);
    const { report, text } = solve(loaded, solverFor(loaded.kind, flags.solver), flags);
    printReport(context, report, text);
    return undefined;
  },
};

interface Answer {
  readonly report: unknown;
  text(): string;
}

function solve({ kind, problem }: LoadedProblem, solver: string, flags: SolveFlags): Answer {
  switch (kind) {
    case 'friction': {
      const model = solver as FrictionModelName;
      const { tolerance = defaults.tolerance, maxSweeps } = flags;
      const maxIterations = maxSweeps ?? iterationCap(model, defaults.maxIterations);
      const report = solveProblem(problem, model, { ...flags, tolerance, maxIterations });
      return { report, text: () => describeFriction(report) };
    }
    case 'contact': {
      const report = solveContacts(problem, solver as ConeSolverName, flags);
      return { report, text: () => describeContacts(report) };
    }
    case 'lcp': {
      const report = solveComplementarity(problem, flags.maxSweeps);
      return { report, text: () => describeComplementarity(report) };
    }
  }
}
