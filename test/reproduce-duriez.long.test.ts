import { expect, it } from 'vitest';
import { notMet, reproduceIn } from './reproduce/run.js';

// A short run of the clip of Duriez et al.; how it feels is in gallery.test.ts as well.

const quickRun = reproduceIn('--quick');

it('snaps a clip on a pipe in three phases and withdraws it', { timeout: 240_000 }, async () => {
  const report = await quickRun('duriez-clip');
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
