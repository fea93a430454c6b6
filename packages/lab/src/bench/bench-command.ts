import { join } from 'node:path';
import {
  type CommandDefinition,
  describeMachine,
  ExitCode,
  formatTable,
  machineInfo,
  type Plot,
  plotLines,
  printReport,
  writeSvgPlot,
} from '@palpable/cli/internal';
import type { ProgressListener } from '@palpable/engine/advanced';
import { rounded } from '../play/statistics.js';

interface BenchDefinition<Flags, Report extends object> extends Omit<CommandDefinition<[], Flags>, 'run'> {
  /** Its result is the JSON report, after the description of the machine. */
  readonly measure: (flags: Flags, onProgress: ProgressListener) => Promise<Report>;
  /** The same for people, before the plots. */
  readonly lines: (report: Report, flags: Flags) => readonly string[];
  /** By the names of their files in the folder of --out; --plot takes the first. */
  readonly plots?: (report: Report) => Readonly<Record<string, Plot>>;
  /** Whether something came out that must not. */
  readonly hasFailed?: (report: Report) => boolean;
}

/** A command that measures this machine and says what it found. */
export function benchCommand<Flags, Report extends object>(
  definition: BenchDefinition<Flags, Report>,
): CommandDefinition<[], Flags> {
  const { measure, lines, plots: plotsOf, hasFailed, ...rest } = definition;
  return {
    ...rest,
    async run(context, flags) {
      const report = await measure(flags, context.progress.update);
      const plots = Object.entries(plotsOf?.(report) ?? {});
      const { plot, out } = flags as { readonly plot?: string; readonly out?: string };
      if (plot !== undefined) await writeSvgPlot(plot, plots[0]![1]);
      if (out !== undefined) for (const [name, each] of plots) await writeSvgPlot(join(out, name), each);
      printReport(context, { machine: machineInfo(), ...report }, () =>
        [describeMachine(), ...lines(report, flags), ...plots.map(([, each]) => plotLines(each))].join('\n'),
      );
      return hasFailed?.(report) ? ExitCode.difference : ExitCode.done;
    },
  };
}

/** A number that was measured and what it is held against. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly bar: number;
  readonly unit: string;
  readonly met: boolean;
}

export function barTable(bars: readonly Bar[], sign: (bar: Bar) => string): string {
  return formatTable(
    bars.map((each) => ({
      bar: each.name,
      measured: `${rounded(each.value)} ${each.unit}`,
      wanted: `${sign(each)} ${each.bar} ${each.unit}`,
      '': each.met ? 'met' : 'NOT MET',
    })),
  );
}

export function atMost(name: string, value: number, bar: number, unit: string): Bar {
  return { name, value, bar, unit, met: value <= bar };
}

export function atLeast(name: string, value: number, bar: number, unit: string): Bar {
  return { name, value, bar, unit, met: value >= bar };
}

/** Of microseconds that are wanted at most. */
export function timeBar(name: string, valueUs: number, barUs: number) {
  return { name, valueUs, barUs, met: valueUs <= barUs };
}

export function timeBarTable(bars: readonly ReturnType<typeof timeBar>[]): string {
  const inUs = bars.map(({ name, valueUs, barUs }) => atMost(name, valueUs, barUs, 'µs'));
  return barTable(inUs, () => '≤');
}
