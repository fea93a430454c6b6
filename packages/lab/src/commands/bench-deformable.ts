import { join } from 'node:path';
import {
  type CommandDefinition,
  ExitCode,
  formatTable,
  type Plot,
  type PlotSeries,
  wholeNumber,
  writeSvgPlot,
} from '@palpable/cli/internal';
import { benchDeformable, type ContactsRow, type DeformableBenchReport } from '../bench/deformable.js';
import type { StageShares } from '../bench/deformable-stages.js';
import { rounded } from '../play/statistics.js';
import { formatBars, printReport } from './print-report.js';

interface BenchDeformableFlags {
  readonly replays: number;
  readonly quick?: boolean;
  readonly out?: string;
}

export const benchDeformableCommand: CommandDefinition<[], BenchDeformableFlags> = {
  usage: 'deformable',
  summary: 'contact cycle of deformable bodies by contacts and by nodes, with its stages, beside other solvers',
  examples: ['palpable bench deformable --out bench', 'palpable bench deformable --quick --replays 1 --json'],
  options: (command) =>
    command
      .option('--replays <number>', 'how often to play each motion', wholeNumber(1, 1000), 5)
      .option('--quick', 'one element size, from the cache if present, 30 contacts, a shorter motion')
      .option('--out <folder>', 'write the plots as SVG files into this folder'),
  async run(context, { replays, quick = false, out }) {
    const report = await benchDeformable({ replays, quick, onProgress: context.progress.update });
    const plots = { 'deformable-contacts.svg': plotContacts(report), 'deformable-nodes.svg': plotNodes(report) };
    if (out !== undefined) {
      for (const [name, plot] of Object.entries(plots)) await writeSvgPlot(join(out, name), plot);
    }
    printReport(context, { replays, ...report }, sentences(report, replays), Object.values(plots));
    return ExitCode.done;
  },
};

function sentences(report: DeformableBenchReport, replays: number): string[] {
  return [
    `Clip on a rigid pipe, 700 MPa: snapped in and moved around; the minimum of ${replays} replays of each cycle. The paper: 4 ms for 20 contacts with friction, 3 ms for 30 without.`,
    'By contacts, with proximity found beforehand; cycles that solve as many as allowed:',
    formatTable(report.contacts.map(contactsLine)),
    'By nodes, 30 contacts with friction, proximity between the cycles:',
    formatTable(report.sizes.map(sizeLine)),
    'The same contact problems from zero forces, the solve call alone:',
    formatTable(
      report.solvers.map((row) => ({
        solver: row.solver,
        problems: row.problems,
        'p50, µs': rounded(row.p50Us),
        'p99, µs': rounded(row.p99Us),
        'worst residual of the cone': row.worstResidual.toExponential(1),
      })),
    ),
    'Functions that take the most time, 30 contacts with friction:',
    formatTable(
      report.profile.functions.map(({ side, name, share }) => ({ side, function: name, 'part of it': percent(share) })),
    ),
    formatBars(
      report.bars.map(({ name, valueUs, barUs, met }) => {
        return { name, measured: `${rounded(valueUs)} µs`, wanted: `≤ ${barUs} µs`, met };
      }),
    ),
  ];
}

function contactsLine(row: ContactsRow) {
  return {
    contacts: row.contacts,
    friction: row.friction,
    'local solver': row.local,
    cycles: row.cycles,
    'pressing, mean (most)': `${rounded(row.meanPressing)} (${row.mostPressing})`,
    'sweeps p50 (p99)': `${row.sweepsP50} (${row.sweepsP99})`,
    'at the cap': row.capped,
    'cycle p50, µs': rounded(row.cycleP50Us),
    'p99, µs': rounded(row.cycleP99Us),
    'contacts / Delassus / sweeps / motion': describeShares(row.shares),
  };
}

function sizeLine(row: DeformableBenchReport['sizes'][number]) {
  return {
    'elements, mm': rounded(1000 * row.elementSize),
    tetrahedra: row.tetrahedra,
    nodes: row.nodes,
    'of the surface': row.surfaceNodes,
    touchable: row.touchable,
    'prepared in, s': row.preparationSeconds === null ? 'cached' : rounded(row.preparationSeconds),
    'cycle p50, µs': rounded(row.cycleP50Us),
    'p99, µs': rounded(row.cycleP99Us),
    'proximity p50, µs': rounded(row.proximityP50Us),
    'p99, µs ': rounded(row.proximityP99Us),
    'step of all nodes, µs': rounded(row.volumeStepUs),
  };
}

function describeShares({ contacts, delassus, solve, motion }: StageShares): string {
  return [contacts, delassus, solve, motion].map(percent).join(' / ');
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function plotContacts({ contacts }: DeformableBenchReport): Plot {
  const series = (name: string, friction: boolean, local: string): PlotSeries => ({
    name,
    points: contacts
      .filter((row) => row.friction > 0 === friction && row.local === local)
      .map((row) => [row.contacts, row.cycleP50Us] as const),
  });
  return {
    title: 'Contact cycle by contacts',
    x: { label: 'contacts solved' },
    y: { label: 'p50, µs', min: 0 },
    series: [
      series('friction, exact', true, 'exact'),
      series('friction, diagonal', true, 'diagonal'),
      series('no friction', false, 'exact'),
    ],
  };
}

function plotNodes({ sizes }: DeformableBenchReport): Plot {
  const series = (name: string, of: (row: DeformableBenchReport['sizes'][number]) => number): PlotSeries => ({
    name,
    points: sizes.map((row) => [row.touchable, of(row)] as const),
  });
  return {
    title: 'Cost by nodes, 30 contacts with friction',
    x: { label: 'surface nodes that can be touched' },
    y: { label: 'p50, µs', log: true },
    series: [
      series('contact cycle', ({ cycleP50Us }) => cycleP50Us),
      series('proximity', ({ proximityP50Us }) => proximityP50Us),
      series('step of all nodes', ({ volumeStepUs }) => volumeStepUs),
    ],
  };
}
