import { type CommandDefinition, formatNumber, wholeNumber } from '@palpable/cli/internal';
import { type FrictionModelName, frictionModels } from '@palpable/engine';
import { Option } from 'commander';
import { loadCorner, POINTS_OF_PAPER } from '../bench/friction-scene.js';
import { type SoakMethod, type SoakReport, soakFriction, soakQuery } from '../bench/soak.js';
import { loadBunnyAndTeapot } from '../play/load-scene.js';
import { printReport } from './print-report.js';

interface BenchSoakFlags {
  readonly method: SoakMethod;
  readonly model: FrictionModelName;
  readonly cycles: number;
}

export const benchSoakCommand: CommandDefinition<[], BenchSoakFlags> = {
  usage: 'soak',
  summary: 'many cycles in a row, of queries or of a method: heap and garbage collection',
  examples: ['palpable bench soak', 'palpable bench soak --method static-friction --cycles 100000'],
  options: (command) =>
    command
      .option('--cycles <number>', 'cycles to run', wholeNumber(1000, 1_000_000_000), 10_000_000)
      .addOption(
        new Option(
          '--method <name>',
          'what a cycle is: a contact query (bunny and teapot) or a method (cube in a corner)',
        )
          .choices(['query', 'static-friction'])
          .default('query'),
      )
      .addOption(
        new Option('--model <name>', 'friction model of static-friction')
          .choices(frictionModels.map(({ name }) => name))
          .default('cone'),
      ),
  async run(context, { method, model, cycles }) {
    const report = await soak(method, model, cycles, context.progress.update);
    printReport(context, report, sentences(report, model));
    return undefined;
  },
};

function sentences(report: SoakReport, model: FrictionModelName): string[] {
  const { method, cycles, cyclesInContact, cyclesSticking, cyclesSliding, meanContacts, meanUs } = report;
  const { heapAtStart, heapGrowth, heapPerCycle, collections, longestCollectionMs } = report;
  return [
    `${formatNumber(cycles)} cycles, ${formatNumber(cyclesInContact)} in contact, ${formatNumber(meanContacts)} contacts and ${formatNumber(meanUs)} µs on average`,
    ...(method === 'query'
      ? []
      : [`${model}: ${formatNumber(cyclesSticking)} cycles sticking, ${formatNumber(cyclesSliding)} sliding`]),
    `heap ${formatNumber(heapAtStart / 1e6)} MB, ${formatNumber(heapGrowth / 1e3)} kB more at the end, ${formatNumber(heapPerCycle)} bytes per cycle in the median stretch`,
    `garbage collections: ${collections}${collections > 0 ? `, the longest ${formatNumber(longestCollectionMs)} ms` : ''}`,
  ];
}

async function soak(
  method: SoakMethod,
  model: FrictionModelName,
  cycles: number,
  onProgress: (stage: string, fraction: number) => void,
): Promise<SoakReport> {
  if (method === 'static-friction') {
    return soakFriction(await loadCorner(POINTS_OF_PAPER, onProgress), model, cycles, onProgress);
  }
  const { bunny, teapot } = await loadBunnyAndTeapot(onProgress);
  return soakQuery(bunny, teapot, cycles, onProgress);
}
