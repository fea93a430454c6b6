import { describe, expect, it } from 'vitest';
import { createProgressBar } from './progress-bar.js';

function createTerminal(isTTY = true, columns = 80) {
  const written: string[] = [];
  let timeMs = 0;
  const bar = createProgressBar({ isTTY, columns, write: (text: string) => written.push(text) }, () => timeMs);
  return {
    bar,
    written,
    wait(ms: number) {
      timeMs += ms;
    },
  };
}

describe('the progress bar', () => {
  it('is silent where there is no terminal', () => {
    const { bar, written, wait } = createTerminal(false);
    wait(5000);
    bar.update('Building field', 0.5);
    bar.done();
    expect(written).toEqual([]);
  });

  it('shows itself after two seconds only, and goes away', () => {
    const { bar, written, wait } = createTerminal();
    bar.update('Building field', 0);
    wait(1999);
    bar.update('Building field', 0.2);
    expect(written).toEqual([]);
    wait(1);
    bar.update('Building field', 0.25);
    expect(written).toEqual(['\r\x1b[2KBuilding field  ██████░░░░░░░░░░░░░░░░░░  25 %  about 6 s left']);
    bar.done();
    expect(written.at(-1)).toBe('\r\x1b[2K');
  });

  it('leaves nothing to clear when it never showed', () => {
    const { bar, written } = createTerminal();
    bar.update('Building field', 1);
    bar.done();
    expect(written).toEqual([]);
  });

  it('draws at most ten times a second', () => {
    const { bar, written, wait } = createTerminal();
    wait(2000);
    for (let i = 0; i < 1000; i++) {
      bar.update('Building field', i / 1000);
      wait(1);
    }
    expect(written.length).toBe(10);
  });

  it.each([Number.NaN, -1, 7])('stays within its bounds and the line for a fraction of %s', (fraction) => {
    const { bar, written, wait } = createTerminal(true, 30);
    wait(2000);
    bar.update('A stage with a rather long name', fraction);
    expect(written[0]!.replace('\r\x1b[2K', '').length).toBeLessThan(30);
  });
});
