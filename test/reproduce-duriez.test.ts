import { describe, expect, it } from 'vitest';
import { notMet, reproduceIn } from './reproduce/run.js';

// Short runs of the experiments of Duriez et al. That of the clip is in reproduce-duriez.long.test.ts; full ones, and that
// of the table, are in experiments.long.test.ts.

const quickRun = reproduceIn('--quick');

describe('the experiments of Duriez et al.', () => {
  it('finds many forces on a rigid body and one answer on a corotational one', { timeout: 240_000 }, async () => {
    const report = await quickRun('duriez-floor');
    expect(notMet(report, ['depend on the order', 'the motion does not', 'forces do not', 'nor does it'])).toEqual([]);
  });
});
