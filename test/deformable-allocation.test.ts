import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const CHILD = fileURLToPath(new URL('./deformable/allocation-child.mjs', import.meta.url));
/** Whether the machine inlines a call, and so spares the numbers handed over, differs from process to process. */
const PROCESSES = 3;
/** What the compiler adds at a moment of its own choosing does not count; one number per cycle would be 16 bytes. */
const NOTHING = 8;

interface Counts {
  readonly cycles: number;
  readonly touched: number;
  readonly slid: number;
  readonly bytesPerCycle: number;
}

it.each(['alone', 'linked', 'finely'])(
  'five thousand cycles of a soft block in contact (%s) add nothing to the heap',
  { timeout: 300_000 },
  async (kind) => {
    const found: number[] = [];
    for (let times = 0; times < PROCESSES && !found.some((bytes) => bytes < NOTHING); times += 1) {
      const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', CHILD, kind]);
      const { cycles, touched, slid, bytesPerCycle } = JSON.parse(stdout) as Counts;
      expect(touched).toBeGreaterThan(cycles / 2);
      expect(slid).toBeGreaterThan(cycles / 10);
      found.push(bytesPerCycle);
    }
    expect(Math.min(...found), found.join(', ')).toBeLessThan(NOTHING);
  },
);
