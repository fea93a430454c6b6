import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { quickRuns, type Report } from './reproduce/quick-run.js';

// Short runs of the experiments of Otaduy and Lin. What the full runs show is in docs/experiments.md.

const quickRun = quickRuns();

function isMet({ claims }: Report, words: string): boolean {
  const found = claims.find(({ claim }) => claim.includes(words));
  if (!found) throw new Error(`no claim says "${words}": ${claims.map(({ claim }) => claim).join('; ')}`);
  return found.met;
}

describe('the experiments of Otaduy and Lin', () => {
  it('finds the smallest stable masses of a spoon in free space', { timeout: 120_000 }, () => {
    const report = quickRun('otaduy-free');
    expect(isMet(report, 'backward Euler is stable at 1 g')).toBe(true);
    expect(isMet(report, 'the explicit integrators fail')).toBe(true);
    expect(isMet(report, "so is forward Euler's")).toBe(true);
    expect(report.tables.masses).toHaveLength(9);
    for (const file of report.files) expect(existsSync(file)).toBe(true);
  });

  it('moves a spoon in a cup with little penetration', { timeout: 240_000 }, () => {
    const report = quickRun('otaduy-cup');
    expect(isMet(report, 'the spoon goes into the cup by')).toBe(true);
    expect(isMet(report, 'contact stands out from free motion')).toBe(true);
    expect(report.tables.settings).toHaveLength(3);
  });

  it('shows on small jaws what the linearised contact model is for', { timeout: 240_000 }, () => {
    const report = quickRun('otaduy-jaws');
    expect(isMet(report, '2.5 %, linearised: the jaws go into each other by')).toBe(true);
    expect(isMet(report, '2.5 %, linearised, throttled: stable')).toBe(true);
    expect(isMet(report, '2.5 %, not linearised, throttled')).toBe(true);
    expect(report.tables.runs).toHaveLength(4);
  });
});
