import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A benchmark as a user starts it. */
export function bench(...args: string[]) {
  const output = execFileSync(
    process.execPath,
    // Compiled in the thread that runs: on a busy machine, code that waits for the compiler still allocates its numbers.
    ['--no-concurrent-recompilation', join(repository, 'packages/cli/bin/palpable.js'), 'bench', ...args, '--json'],
    { encoding: 'utf8' },
  );
  return JSON.parse(output);
}

export function expectFlatHeap(report: { collections: number; heapPerCycle: number; heapGrowth: number }) {
  expect(report.collections).toBe(0);
  // The smallest object is 16 bytes: one in every tenth cycle would show. The compiler's own growth comes when it will.
  expect(report.heapPerCycle).toBeLessThan(1.6);
  expect(report.heapGrowth).toBeLessThan(2_000_000);
}

interface Bar {
  readonly name: string;
  readonly met: boolean;
  readonly value?: number;
  readonly valueUs?: number;
  readonly bar?: number;
  readonly barUs?: number;
}

/** Whatever the times are, what is said of the bars is true. */
export function expectBars(bars: readonly Bar[], ...names: RegExp[]) {
  expect(bars.map(({ name }) => name)).toEqual(names.map((name) => expect.stringMatching(name)));
  for (const { met, value, valueUs = value, bar, barUs = bar } of bars) expect(met).toBe(valueUs! <= barUs!);
}

/** The words of a plot: its axes and its lines. */
export function expectWords(svgFile: string, ...words: string[]) {
  const found = [...readFileSync(svgFile, 'utf8').matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);
  expect(found).toEqual(expect.arrayContaining(words));
}
