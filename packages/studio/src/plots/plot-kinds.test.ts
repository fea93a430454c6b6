import { describe, expect, it } from 'vitest';
import { kindOfColumn, LIVE_PLOT_IDS, livePlots } from './plot-kinds.js';
import { PLOT_COLUMNS } from './row-history.js';

describe('livePlots', () => {
  it('has a plot for every name, of columns that are kept', () => {
    const plots = livePlots({ timeStep: 0.001, energyBound: 0.001 });
    expect(plots.map(({ id }) => id)).toEqual(LIVE_PLOT_IDS);
    for (const { lines, marks } of plots) {
      for (const { column } of lines) expect(PLOT_COLUMNS).toContain(column);
      if (marks) expect(PLOT_COLUMNS).toContain(marks.column);
    }
  });

  it('says what must not be exceeded', () => {
    const limits = livePlots({ timeStep: 0.001, energyBound: 0.001 }).map(({ limit }) => limit?.label);
    expect(limits.filter(Boolean)).toEqual(['time step 1000 µs', 'bound 1 mJ']);
    expect(
      livePlots({ timeStep: 0.001, energyBound: undefined }).find(({ id }) => id === 'energy')?.limit,
    ).toBeUndefined();
  });
});

describe('kindOfColumn', () => {
  it('names a column by the plot that it belongs to', () => {
    expect(kindOfColumn('force')).toMatchObject({ title: 'Force', unit: 'N' });
    expect(kindOfColumn('fz')).toMatchObject({ title: 'Force, z', unit: 'N', id: 'fz' });
    expect(kindOfColumn('gap')).toMatchObject({ title: 'Device to tool', unit: 'mm', scale: 1000 });
  });

  it('knows positions, and shows anything else under its own name', () => {
    expect(kindOfColumn('tpy')).toMatchObject({ title: 'Tool, y', unit: 'mm' });
    expect(kindOfColumn('damping')).toMatchObject({ title: 'damping', unit: '' });
  });
});
