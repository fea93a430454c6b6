import { runSoak } from '../bench/soak.js';
import { loadBunnyAndTeapot } from '../prepare/gallery.js';
import { printJson } from '../terminal/json.js';
import { describeMachine, machineInfo } from '../terminal/machine-info.js';
import { wholeNumber } from '../terminal/option-values.js';
import { formatNumber } from '../terminal/table.js';
import type { CommandDefinition } from './command.js';

interface BenchSoakFlags {
  readonly cycles: number;
}

export const benchSoakCommand: CommandDefinition<[], BenchSoakFlags> = {
  usage: 'soak',
  summary: 'many query cycles in a row: heap and garbage collection',
  examples: ['palpable bench soak', 'palpable bench soak --cycles 100000'],
  options: (command) =>
    command.option('--cycles <number>', 'cycles to run', wholeNumber(1000, 1_000_000_000), 10_000_000),
  async run({ stdout, json, progress }, { cycles }) {
    const { bunny, teapot } = await loadBunnyAndTeapot({ onProgress: progress.update });
    const report = await runSoak(bunny, teapot, cycles, progress.update);
    progress.done();
    if (json) {
      printJson({ machine: machineInfo(), ...report }, stdout);
      return undefined;
    }
    const { cyclesInContact, meanContacts, meanUs, heapAtStart, heapGrowth, collections, longestCollectionMs } = report;
    stdout.write(
      `${[
        describeMachine(),
        `${formatNumber(cycles)} cycles, ${formatNumber(cyclesInContact)} in contact, ${formatNumber(meanContacts)} contacts and ${formatNumber(meanUs)} µs on average`,
        `heap ${formatNumber(heapAtStart / 1e6)} MB, ${formatNumber(heapGrowth / 1e3)} kB more at the end`,
        `collections of garbage: ${collections}${collections > 0 ? `, the longest ${formatNumber(longestCollectionMs)} ms` : ''}`,
      ].join('\n')}\n`,
    );
    return undefined;
  },
};
