import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const CHILD = fileURLToPath(new URL('./live/allocation-child.mjs', import.meta.url));
/** Whether the machine inlines a call, and so spares the numbers handed over, differs from process to process. */
const PROCESSES = 3;
/** What the compiler adds at a moment of its own choosing does not count; one number per cycle would be 16 bytes. */
const NOTHING = 8;

it('ten thousand cycles of a live session with two hands in contact add nothing to the heap', async () => {
  const found: number[] = [];
  for (let times = 0; times < PROCESSES && !found.some((bytes) => bytes < NOTHING); times += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', CHILD]);
    const { touched, bytesPerCycle } = JSON.parse(stdout) as { touched: number; bytesPerCycle: number };
    expect(touched).toBeGreaterThan(5000);
    found.push(bytesPerCycle);
  }
  expect(Math.min(...found), found.join(', ')).toBeLessThan(NOTHING);
});
