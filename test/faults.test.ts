import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../packages/cli/bin/palpable.js', import.meta.url));
/** Contacts die and hang, the recorder hangs, the link is dropped, and the loop hangs. */
const SEED = 312545;
const COUNT = 5;

// Every kind of fault by itself is in servo-endings.test.ts, and 200 in bench.long.test.ts.
test(`${COUNT} faults in a row break no rule (seed ${SEED})`, { timeout: 300_000 }, async () => {
  const args = [program, 'bench', 'faults', '--count', String(COUNT), '--seed', String(SEED), '--json'];
  const output = await new Promise<string>((resolve) => execFile(process.execPath, args, (_, text) => resolve(text)));
  const { count, tallies, failures } = JSON.parse(output);
  expect(failures).toEqual([]);
  expect(count).toBe(COUNT);
  expect(tallies.reduce((sum: number, tally: { count: number }) => sum + tally.count, 0)).toBe(COUNT);
});
