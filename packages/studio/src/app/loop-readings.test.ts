import { LIVE_COLUMNS, TELEMETRY_CYCLES, TELEMETRY_FAULTS_SEEN, TELEMETRY_MISSED } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import { createLoopReadings } from './loop-readings.js';
import { loopReadings } from './state.js';

function createRow(cycles: number): Float64Array {
  const row = new Float64Array(TELEMETRY_FAULTS_SEEN + 1);
  row.set([0, 3, 4], LIVE_COLUMNS.indexOf('fx'));
  row.set([0.1, 0, 0], LIVE_COLUMNS.indexOf('tx'));
  row[LIVE_COLUMNS.indexOf('friction_state')] = 2;
  row[LIVE_COLUMNS.indexOf('energy')] = -0.5;
  row[LIVE_COLUMNS.indexOf('gain')] = 1;
  row[TELEMETRY_CYCLES] = cycles;
  row[TELEMETRY_MISSED] = 7;
  return row;
}

describe('createLoopReadings', () => {
  it('shows a row in the words of the panel', () => {
    createLoopReadings(() => 0).onRow(createRow(5), 0.002);
    expect(loopReadings.value).toEqual({
      force: 5,
      torque: 0.1,
      gap: 0.002,
      friction: 'slip',
      cyclesPerSecond: undefined,
      missed: 7,
      energy: -0.5,
      gain: 1,
      contactRate: 0,
      faults: [],
    });
  });

  it('counts the cycles of the last second, and shows a few rows of them', () => {
    let timeMs = 0;
    const taker = createLoopReadings(() => timeMs);
    const shown = new Set<unknown>();
    // A thousand a second at first, then half as many.
    for (let cycles = 0; timeMs < 4000; timeMs += 10) {
      cycles += timeMs < 2000 ? 10 : 5;
      taker.onRow(createRow(cycles), 0);
      shown.add(loopReadings.value);
      if (timeMs === 1990) expect(loopReadings.value?.cyclesPerSecond).toBeCloseTo(1000, 6);
    }
    expect(loopReadings.value?.cyclesPerSecond).toBeCloseTo(500, 6);
    expect(shown.size).toBe(10);
    taker.silence();
    expect(loopReadings.value).toMatchObject({ force: 0, torque: 0, missed: 7 });
    taker.clear();
    expect(loopReadings.value).toBeUndefined();
  });
});
