import {
  type CommandDefinition,
  ExitCode,
  formatNumber,
  formatTable,
  type Plot,
  wholeNumber,
  writeSvgPlot,
} from '@palpable/cli/internal';
import { benchFriction, type FrictionBenchReport } from '../bench/friction.js';
import { rounded } from '../play/statistics.js';
import { formatBars, printReport } from './print-report.js';

interface BenchFrictionFlags {
  readonly cycles: number;
  readonly directions: number;
  readonly largest: number;
  readonly seed: number;
  readonly plot?: string;
}

export const benchFrictionCommand: CommandDefinition<[], BenchFrictionFlags> = {
  usage: 'friction',
  summary: 'friction solvers beside HiGHS, whole cycles, and cost by number of contacts',
  examples: ['palpable bench friction', 'palpable bench friction --cycles 1000 --largest 100 --plot friction.svg'],
  options: (command) =>
    command
      .option('--cycles <number>', 'cycles of the recorded motion', wholeNumber(400, 1_000_000), 4000)
      .option('--directions <number>', 'directions of the loads for HiGHS, 40 loads each', wholeNumber(1, 1000), 10)
      .option('--largest <contacts>', 'most contacts for which to measure the growth', wholeNumber(20, 1000), 1000)
      .option('--seed <number>', 'seed of motion and loads', wholeNumber(0, 2 ** 32 - 1), 1)
      .option('--plot <file.svg>', 'write the plot as an SVG file'),
  async run(context, { plot: file, ...options }) {
    const report = await benchFriction({ ...options, onProgress: context.progress.update });
    const { seed } = options;
    const plot = plotOf(report);
    if (file !== undefined) await writeSvgPlot(file, plot);
    printReport(context, { seed, ...report }, sentences(report, seed), [plot]);
    return report.compare.disagreements === 0 ? ExitCode.done : ExitCode.difference;
  },
};

function sentences(report: FrictionBenchReport, seed: number): string[] {
  const { points, contacts, compare, models, cycle, growth } = report;
  return [
    `cube in a corner of ${formatNumber(points)} points, pressed by 4 mm of the device into all three faces: a median of ${contacts} contacts (seed ${seed})`,
    '',
    `The same ${compare.problems} problems of ${compare.contacts} contacts in which only the wrench changes, load 60 to 140 % of the limit; the solve call alone, the minimum of five, µs.`,
    'Warm: from the last answer, HiGHS from its last basis. HiGHS solves the pyramid of 8 sides and decides whether it holds, which is what "static test" does; the others also find how the tool slides.',
    formatTable(compareRows(report)),
    `HiGHS disagrees with our pyramid on ${compare.disagreements} of ${compare.problems * 2 * 4}`,
    '',
    'Every model on the problems of the recorded motion:',
    formatTable(
      models.map(({ model, p50Us, p99Us, iterations }) => ({
        model,
        'p50, µs': rounded(p50Us),
        'p99, µs': rounded(p99Us),
        iterations,
      })),
    ),
    '',
    `Whole cycles of a recorded motion of ${formatNumber(cycle.cycles)}, each the least of five; ${rounded(100 * cycle.nearLimit)} % of them within 5 % of the limit; in ${cycle.capped} a cap was met:`,
    formatTable(cycleRows(report)),
    '',
    'By number of contacts, p50:',
    formatTable(
      growth.rows.map(({ points: shell, contacts: count, cone, quadratic, cycle: whole }) => ({
        points: shell,
        contacts: count,
        'cone, µs': rounded(cone),
        'quadratic, µs': rounded(quadratic),
        'whole cycle, µs': rounded(whole),
      })),
    ),
    ...growth.fits.map(
      ({ name, baseUs, perContactUs, rSquared, exponent }) =>
        `${name}: ${rounded(baseUs)} µs + ${rounded(perContactUs)} µs a contact, R² ${rSquared.toFixed(4)}${exponent === null ? '' : `, exponent from 100 contacts on ${exponent.toFixed(2)}`}`,
    ),
    '',
    formatBars(
      report.bars.map(({ name, value, bar, unit, met }) => ({
        name,
        measured: `${rounded(value)} ${unit}`,
        wanted: `${unit === 'µs' ? '≤' : '≥'} ${bar} ${unit}`,
        met,
      })),
    ),
  ];
}

function compareRows({ compare }: FrictionBenchReport) {
  return compare.rows.map(({ order, solver, start, feasible, infeasible }) => ({
    loads: order,
    solver,
    start,
    feasible: feasible.count,
    'p50, µs': rounded(feasible.p50Us),
    'p99, µs': rounded(feasible.p99Us),
    infeasible: infeasible.count,
    'p50, µs ': rounded(infeasible.p50Us),
    'p99, µs ': rounded(infeasible.p99Us),
  }));
}

function cycleRows({ cycle }: FrictionBenchReport) {
  return cycle.rows.map(({ cycles, count, contacts, p50Us, p99Us, contactUs, frictionUs, methodUs }) => ({
    cycles,
    count,
    contacts,
    'p50, µs': rounded(p50Us),
    'p99, µs': rounded(p99Us),
    contact: rounded(contactUs),
    friction: rounded(frictionUs),
    'coupling and rest': rounded(methodUs),
  }));
}

function plotOf({ growth }: FrictionBenchReport): Plot {
  const series = (name: string, value: (row: FrictionBenchReport['growth']['rows'][number]) => number) => ({
    name,
    points: growth.rows.map((row) => [row.contacts, value(row)] as const),
  });
  return {
    title: 'Friction, cube in a corner',
    x: { label: 'contacts', log: true },
    y: { label: 'time, µs', log: true },
    series: [
      series('whole cycle', (row) => row.cycle),
      series('quadratic', (row) => row.quadratic),
      series('cone', (row) => row.cone),
    ],
  };
}
