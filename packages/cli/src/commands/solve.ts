import {
  DEFAULT_FRICTION_OPTIONS,
  type FrictionModelName,
  type FrictionModelOptions,
  frictionModels,
  iterationCap,
  MAX_SIDES,
  MIN_SIDES,
  PalpableError,
} from '@palpable/engine';
import { Option } from 'commander';
import { loadProblem } from '../friction/load-problem.js';
import { type SolveReport, solveProblem } from '../friction/solve-problem.js';
import { printJson } from '../terminal/json.js';
import { positiveNumber, wholeNumber } from '../terminal/option-values.js';
import { formatNumber, formatTable, printTable } from '../terminal/table.js';
import type { CommandDefinition } from './command.js';

interface SolveFlags {
  readonly solver: string;
  readonly sides: number;
  readonly tolerance: number;
  readonly maxSweeps?: number;
  readonly slip: FrictionModelOptions['slip'];
  readonly rankTolerance: number;
  readonly springStiffness: number;
}

const defaults = DEFAULT_FRICTION_OPTIONS;
const LIST = 'list';

export const solveCommand: CommandDefinition<[problem: string | undefined], SolveFlags> = {
  usage: 'solve [problem]',
  summary: 'solve a saved friction problem with any friction model, and judge the answer',
  examples: [
    'palpable solve cycle.json --solver cone',
    'palpable solve cycle.json --solver pyramid --sides 16 --json',
    'palpable solve --solver list',
  ],
  options: (command) =>
    command
      .option('--solver <name>', 'friction model, or list to see them all', 'cone')
      .option('--sides <number>', 'sides of the pyramid', wholeNumber(MIN_SIDES, MAX_SIDES), defaults.sides)
      .option('--tolerance <number>', 'relative residual at which to end', positiveNumber, defaults.tolerance)
      .option(
        '--max-sweeps <number>',
        `most iterations of each stage, or sweeps (default: ${defaults.maxIterations}, for sweeps ${iterationCap('gauss-seidel', defaults.maxIterations)})`,
        wholeNumber(1, 1_000_000),
      )
      .addOption(
        new Option('--slip <way>', 'what cone and pyramid do when friction cannot hold')
          .choices(['dissipation', 'frictionless'])
          .default(defaults.slip),
      )
      .option(
        '--rank-tolerance <number>',
        'singular values of the contacts below this part of the largest count as zero',
        positiveNumber,
        defaults.rankTolerance,
      )
      .option('--spring-stiffness <N/m>', 'of each spring of springs', positiveNumber, defaults.springStiffness),
  async run({ stdout, json }, flags, path) {
    if (flags.solver === LIST) {
      if (json) printJson(frictionModels, stdout);
      else printTable(frictionModels as { name: string; description: string }[], stdout);
      return undefined;
    }
    const solver = solverNamed(flags.solver);
    if (path === undefined) {
      throw new PalpableError('option-invalid', 'No problem file is given; name one: palpable solve PROBLEM.');
    }
    const report = solveProblem(await loadProblem(path), solver, {
      ...flags,
      maxIterations: flags.maxSweeps ?? iterationCap(solver, defaults.maxIterations),
    });
    if (json) printJson(report, stdout);
    else stdout.write(`${describe(report)}\n`);
    return undefined;
  },
};

function solverNamed(name: string): FrictionModelName {
  const found = frictionModels.find((model) => model.name === name);
  if (found) return found.name;
  const names = frictionModels.map((model) => model.name).join(', ');
  const message = `There is no solver "${name}"; give --solver one of ${names}, or ${LIST} to have them explained.`;
  throw new PalpableError('option-invalid', message, '--solver');
}

const whatHappens = {
  stick: 'friction holds the tool',
  slip: 'friction cannot hold the tool',
  free: 'no contacts',
} as const;

function describe(report: SolveReport): string {
  const { solver, state, sweeps, capped, seconds, residual, residuals, displacement, direction } = report;
  const numbers = (values: readonly number[]) => values.map(formatNumber).join(', ');
  const end = capped ? `, ended by the cap on them: the answer is rough` : '';
  const lines = [
    `${solver}: ${state}, ${whatHappens[state]}`,
    `${formatNumber(sweeps)} sweeps${end}; ${formatNumber(seconds * 1e6)} µs`,
    `residual ${formatNumber(residual)}: cone ${formatNumber(residuals.cone)}, equilibrium ${formatNumber(residuals.equilibrium)}, dissipation ${formatNumber(residuals.dissipation)}`,
    `the tool moves by (${numbers(displacement.slice(0, 3))}) m and turns by (${numbers(displacement.slice(3))}) rad`,
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
