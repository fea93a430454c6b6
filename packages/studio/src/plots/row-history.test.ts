import { LIVE_WIDTH, placeOf, RESULT_WIDTH } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import { createThinnedColumn, RowHistory } from './row-history.js';

function createRow(time: number, force: readonly [number, number, number] = [0, 0, 0]): Float64Array {
  const row = new Float64Array(LIVE_WIDTH);
  row[0] = time;
  row.set(force, placeOf('fx'));
  return row;
}

function thinned(history: RowHistory, from: number, to: number, pixels: number, column: 'fx' | 'energy' = 'fx') {
  const out = createThinnedColumn();
  history.window(out, column, from, to, pixels);
  const { count } = out;
  return {
    times: [...out.times.subarray(0, count)],
    low: [...out.low.subarray(0, count)],
    high: [...out.high.subarray(0, count)],
    afterGap: [...out.afterGap.subarray(0, count)],
  };
}

describe('RowHistory', () => {
  it('has nothing to tell at first', () => {
    const history = new RowHistory();
    expect([history.count, history.first, history.last]).toEqual([0, undefined, undefined]);
    expect(history.valueAt('fx', 1)).toBeUndefined();
    expect(history.timeNear(1)).toBeUndefined();
    expect(thinned(history, 0, 1, 100).times).toEqual([]);
  });

  it('keeps columns and lengths made of them', () => {
    const history = new RowHistory();
    const row = createRow(2, [2, 3, 6]);
    row.set([0.1, 0, 0], placeOf('dpx'));
    row.set([0.1, 0.003, 0.004], placeOf('tpx'));
    history.add(row);
    expect(history.valueAt('fz', 2)).toBe(6);
    expect(history.valueAt('force', 2)).toBe(7);
    expect(history.valueAt('gap', 2)).toBeCloseTo(0.005, 7);
  });

  it('tells the value of the nearest row', () => {
    const history = new RowHistory();
    for (const time of [1, 2, 4]) history.add(createRow(time, [time, 0, 0]));
    expect([0, 1.4, 1.6, 2.9, 3.1, 9].map((time) => history.valueAt('fx', time))).toEqual([1, 1, 2, 2, 4, 4]);
    expect([1.4, 3.1].map((time) => history.timeNear(time))).toEqual([1, 4]);
  });

  it('forgets what is older than it keeps, and what finds no room', () => {
    const history = new RowHistory({ seconds: 1, rowsPerSecond: 64 });
    for (let k = 0; k <= 320; k += 1) history.add(createRow(k / 64, [k, 0, 0]));
    expect([history.first, history.last]).toEqual([4 + 1 / 64, 5]);
    for (let k = 1; k <= 100; k += 1) history.add(createRow(5 + k / 1000, [k, 0, 0]));
    expect(history.count).toBe(64);
    expect(history.valueAt('fx', 5.1)).toBe(100);
    history.add(createRow(60, [7, 0, 0]));
    expect([history.count, history.first]).toEqual([1, 60]);
  });

  it('begins again when time goes back or is told to', () => {
    const history = new RowHistory();
    history.add(createRow(5));
    history.add(createRow(1));
    expect([history.count, history.first]).toEqual([1, 1]);
    const { version } = history;
    history.clear();
    expect(history.count).toBe(0);
    expect(history.version).not.toBe(version);
  });

  it('leaves out rows without a time', () => {
    const history = new RowHistory();
    history.add(createRow(Number.NaN));
    expect(history.count).toBe(0);
  });

  it('takes the rows of a result, which lack the last columns', () => {
    const history = new RowHistory({ rowWidth: RESULT_WIDTH });
    const rows = new Float64Array(2 * RESULT_WIDTH).fill(3);
    rows[0] = 0;
    rows[RESULT_WIDTH] = 0.001;
    history.add(rows, 0);
    history.add(rows, RESULT_WIDTH);
    expect(history.valueAt('fx', 0)).toBe(3);
    expect(history.valueAt('energy', 0)).toBeUndefined();
    expect(thinned(history, 0, 1, 10, 'energy').times).toEqual([]);
  });

  it('does not touch a copy', () => {
    const history = new RowHistory({ seconds: 1, rowsPerSecond: 100 });
    for (let k = 0; k < 50; k += 1) history.add(createRow(k / 100, [k, 0, 0]));
    const copy = history.copy();
    history.clear();
    expect(copy.count).toBe(50);
    expect(thinned(copy, 0, 0.5, 1).high[0]).toBe(49);
  });
});

describe('a window of a history', () => {
  it('gives every row where there is room, with one more on either side', () => {
    const history = new RowHistory();
    for (let k = 0; k < 10; k += 1) history.add(createRow(k / 10, [k, 0, 0]));
    const { times, low, high } = thinned(history, 0.25, 0.55, 300);
    expect(times).toEqual([0.2, 0.3, 0.4, 0.5, 0.6]);
    expect(low).toEqual([2, 3, 4, 5, 6]);
    expect(high).toEqual(low);
  });

  // 100 buckets: row by row; 10: by blocks of rows.
  it.each([100, 10])('loses no peak, however few pixels there are (%d)', (pixels) => {
    const history = new RowHistory();
    for (let k = 0; k < 4000; k += 1) history.add(createRow(k / 1000, [k === 1234 ? 9 : k === 2345 ? -9 : 0, 0, 0]));
    const { low, high, times } = thinned(history, 0, 4, pixels);
    expect(times.length).toBeLessThanOrEqual(pixels + 2);
    expect(high.filter((value) => value === 9)).toHaveLength(1);
    expect(low.filter((value) => value === -9)).toHaveLength(1);
    expect(times[high.indexOf(9)]).toBeCloseTo(1.234, pixels === 100 ? 1 : 0);
  });

  it('is the same by rows and by blocks, up to the rows of a block', () => {
    const history = new RowHistory({ seconds: 4 });
    // Past the end of the ring, so that its start lies within a block.
    for (let k = 0; k < 9005; k += 1) history.add(createRow(k / 1000, [k, 0, 0]));
    const coarse = thinned(history, 5, 9, 50);
    coarse.times.forEach((time, k) => {
      expect(Math.abs(coarse.low[k] - 1000 * time)).toBeLessThan(0.01);
      expect(coarse.high[k] - coarse.low[k]).toBeLessThan(80 + 16);
    });
    expect(coarse.high.at(-1)).toBe(9000 + 4);
    expect(coarse.low[0]).toBeLessThan(5005 + 16);
  });

  it('holds its buckets still while it moves on', () => {
    const history = new RowHistory();
    for (let k = 0; k < 4000; k += 1) history.add(createRow(k / 1000, [Math.sin(k), 0, 0]));
    const inner = ({ times, high }: ReturnType<typeof thinned>) =>
      new Map(times.map((time, k) => [time, high[k]] as const).filter(([time]) => time > 1.6 && time < 2.4));
    const [before, after] = [inner(thinned(history, 0.5, 2.5, 200)), inner(thinned(history, 0.503, 2.503, 200))];
    expect(before.size).toBeGreaterThan(70);
    expect(after).toEqual(before);
  });

  it('marks where nothing came for a while', () => {
    const history = new RowHistory();
    for (const time of [0, 0.1, 0.2, 1.5, 1.6]) history.add(createRow(time));
    expect(thinned(history, 0, 2, 400).afterGap).toEqual([1, 0, 0, 1, 0]);
  });
});
