import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { quickRuns, type Report } from './reproduce/quick-run.js';

// Short runs of the experiments of Duriez et al. What the full runs show is in docs/experiments.md.

const quickRun = quickRuns();

/** Words of the claims that are not met, of those that say one of `words`. */
function notMet({ claims }: Report, words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const found = claims.filter(({ claim }) => claim.includes(word));
    if (found.length === 0) return [`no claim says "${word}"`];
    return found.filter(({ met }) => !met).map(({ claim, measured }) => `${claim}: ${measured}`);
  });
}

describe('the experiments of Duriez et al.', () => {
  it('presses a table on the floor, with and without stretchers', { timeout: 240_000 }, () => {
    const report = quickRun('duriez-table');
    const shown = [
      'the less the legs spread',
      'stretchers take of the spreading',
      '16 sides',
      'nor are 8',
      'Lemke',
      'of a leg are coupled more',
      'stretchers lower the tangential values',
      'they raise the coupling',
    ];
    expect(notMet(report, shown)).toEqual([]);
    expect(report.tables.sides).toHaveLength(3);
    for (const file of report.files) expect(existsSync(file)).toBe(true);
    const picture = report.files.find((file) => file.includes('delassus-braced'));
    expect(readFileSync(picture!, 'utf8')).toContain('along x');
  });

  it('finds many forces on a rigid body and one answer on a corotational one', { timeout: 240_000 }, () => {
    const report = quickRun('duriez-floor');
    expect(notMet(report, ['depend on the order', 'the motion does not', 'forces do not', 'nor does it'])).toEqual([]);
  });

  it('snaps a clip on a pipe in three phases and withdraws it', { timeout: 240_000 }, () => {
    const report = quickRun('duriez-clip');
    const shown = [
      'pushing: the force rises',
      'unstable equilibrium',
      'clipping',
      'withdrawal',
      'stable, speed',
      'finite',
    ];
    expect(notMet(report, shown)).toEqual([]);
    expect(report.tables.times).toHaveLength(4);
  });
});
