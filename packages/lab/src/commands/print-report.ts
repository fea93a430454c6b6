import {
  type CommandContext,
  describeMachine,
  formatTable,
  machineInfo,
  type Plot,
  plotLines,
  printJson,
} from '@palpable/cli/internal';

/** Says what was measured: to programs all of it, to people the machine, some lines and the plots. */
export function printReport(
  { stdout, json, progress }: CommandContext,
  report: object,
  lines: readonly string[],
  plots: readonly Plot[] = [],
): void {
  progress.done();
  if (json) printJson({ machine: machineInfo(), ...report }, stdout);
  else stdout.write(`${[describeMachine(), ...lines, ...plots.map((plot) => plotLines(plot))].join('\n')}\n`);
}

/** Something that was measured and what it is held against, as words. */
export interface BarLine {
  readonly name: string;
  readonly measured: string;
  readonly wanted: string;
  readonly met: boolean;
}

export function formatBars(bars: readonly BarLine[]): string {
  return formatTable(
    bars.map(({ name, measured, wanted, met }) => ({ bar: name, measured, wanted, '': met ? 'met' : 'NOT MET' })),
  );
}
