import {
  type CommandDefinition,
  ExitCode,
  formatNumber,
  formatTable,
  type Plot,
  type Row,
  writeSvgPlot,
} from '@palpable/cli/internal';
import { benchStability, type StabilityReport } from '../bench/stability.js';
import { type Guard, STABILITY_METHODS, type StabilityMethod } from '../bench/stability-run.js';
import { rounded } from '../play/statistics.js';
import { printReport } from './print-report.js';

interface BenchStabilityFlags {
  readonly quick?: true;
  readonly plot?: string;
}

export const benchStabilityCommand: CommandDefinition<[], BenchStabilityFlags> = {
  usage: 'stability',
  summary: 'largest stable stiffness of each method in the simulated hand, and the energy the hand receives',
  examples: ['palpable bench stability --quick', 'palpable bench stability --plot stability.svg'],
  options: (command) =>
    command
      .option('--quick', '1 kHz only, a coarser map, rougher limits')
      .option('--plot <file.svg>', 'write stiffness against damping as an SVG file'),
  async run(context, { quick = false, plot: file }) {
    const report = await benchStability({ quick, onProgress: context.progress.update });
    const plot = plotOf(report);
    if (file !== undefined) await writeSvgPlot(file, plot);
    printReport(context, { quick, ...report }, [...sentences(report), ''], [plot]);
    return report.ledger.runsAbove === 0 ? ExitCode.done : ExitCode.difference;
  },
};

function sentences(report: StabilityReport): string[] {
  const { hand, limits, late, energy } = report;
  return [
    `A simulated hand presses a block onto a plate and steps by 1 mm. Device of ${hand.mass} kg and ${hand.damping} N s/m, grip of ${hand.gripStiffness} N/m and ${hand.gripDamping} N s/m, ${hand.force} N at most.`,
    `Stable: after a second no point of device or tool moves by 1 mm/s. "bare": the method's own wrench; "guarded": as live hosts run it, with rate limits and passivity controller.`,
    '',
    'Largest stable stiffness, N/m (of the contact for penalty, of the coupling for the others):',
    formatTable(limitRows(limits, ({ rateHz }) => `${formatNumber(rateHz)} Hz`)),
    ...(late.length === 0
      ? []
      : [
          '',
          'The same at 1 000 Hz with a late force:',
          formatTable(limitRows(late, ({ latency }) => `${1000 * latency} ms`)),
        ]),
    '',
    ...STABILITY_METHODS.flatMap((method) => mapLines(report, method)),
    'The most the hand received beyond what it gave, mJ:',
    formatTable(
      energy.map(({ method, rateHz, timesLimit, stiffness, bare, guarded }) => ({
        method,
        'rate, Hz': rateHz,
        'stiffness over limit': timesLimit,
        'N/m': Math.round(stiffness),
        bare: toMillijoules(bare),
        guarded: toMillijoules(guarded),
      })),
    ),
    '',
    ledgerSentence(report.ledger, ''),
    ...(report.lateLedger.runs > 0 ? [ledgerSentence(report.lateLedger, ' with a late force')] : []),
  ];
}

function limitRows(limits: StabilityReport['limits'], heading: (limit: StabilityReport['limits'][number]) => string) {
  return STABILITY_METHODS.flatMap((method) =>
    (['bare', 'guarded'] as const satisfies readonly Guard[]).map((guard): Row => {
      const own = limits.filter((limit) => limit.method === method && limit.guard === guard);
      return { method, '': guard, ...Object.fromEntries(own.map((limit) => [heading(limit), cell(limit.stiffness)])) };
    }),
  );
}

function cell(stiffness: number): number | string {
  return Number.isFinite(stiffness) ? rounded(stiffness) : 'all';
}

/** Stiff above, soft below; a column for each damping. */
function mapLines({ map }: StabilityReport, method: StabilityMethod): string[] {
  const own = map.filter((each) => each.method === method);
  const dampings = [...new Set(own.map(({ damping }) => damping))];
  const stiffnesses = [...new Set(own.map(({ stiffness }) => stiffness))].reverse();
  const rows = stiffnesses.map((stiffness) => ({
    'N/m': stiffness,
    ...Object.fromEntries(
      own.filter((each) => each.stiffness === stiffness).map((each) => [`${each.damping} N s/m`, mark(each)]),
    ),
  }));
  return dampings.length === 0
    ? []
    : [
        `${method}, 1 000 Hz, stiffness against damping of the device: ● stable, ◐ guarded only, ○ bare only, · neither`,
        formatTable(rows),
        '',
      ];
}

function mark({ bare, guarded }: StabilityReport['map'][number]): string {
  if (bare) return guarded ? '●' : '○';
  return guarded ? '◐' : '·';
}

function ledgerSentence(ledger: StabilityReport['ledger'], kind: string): string {
  const { runs, runsAbove, bound, mostGiven, ledgerError, worst } = ledger;
  const where = worst
    ? ` (${worst.method}, ${formatNumber(worst.rateHz)} Hz, ${formatNumber(Math.round(worst.stiffness))} N/m, ${worst.damping} N s/m)`
    : '';
  return `Energy ledger, ${formatNumber(runs)} guarded runs${kind}: at most ${toMillijoules(mostGiven)} mJ given${where}, bound ${toMillijoules(bound)} mJ, ${runsAbove} runs above it; the loop's own account was off by ${toMillijoules(ledgerError)} mJ at most.`;
}

function toMillijoules(joules: number): number {
  return rounded(1000 * joules);
}

function plotOf({ edges, hand }: StabilityReport): Plot {
  const dampings = [...new Set(edges.map(({ damping }) => damping))];
  const line = (method: StabilityMethod, guard: Guard) =>
    edges.filter((edge) => edge.method === method).map((edge) => [edge.damping, edge[guard]] as const);
  return {
    title: 'Largest stable stiffness, 1 kHz',
    x: { label: 'damping of the device, N s/m', log: true },
    y: { label: 'stiffness, N/m', log: true },
    series: [
      ...STABILITY_METHODS.map((method) => ({ name: method, points: line(method, 'bare') })),
      { name: `${STABILITY_METHODS[0]}, guarded`, points: line(STABILITY_METHODS[0], 'guarded') },
      {
        name: '2 (damping + grip) / time step',
        points: dampings.map((damping) => [damping, 2000 * (damping + hand.gripDamping)] as const),
      },
    ],
  };
}
