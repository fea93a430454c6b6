import { describe, expect, it } from 'vitest';
import { notMet, reproduceIn } from './reproduce/run.js';

// Short runs of the experiments of Duriez et al.; full ones, and that of the table, are in experiments.long.test.ts.

const quickRun = reproduceIn('--quick');

describe('the experiments of Duriez et al.', () => {
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
