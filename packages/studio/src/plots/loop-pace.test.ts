import {
  LIVE_WIDTH,
  placeOf,
  TELEMETRY_CYCLES,
  TELEMETRY_MISSED,
  TELEMETRY_WORST_LATE_US,
} from '@palpable/engine/advanced';
import { expect, it } from 'vitest';
import { LoopPaceTaker } from './loop-pace.js';
import { RowHistory } from './row-history.js';

function createTelemetry(cycles: number): Float64Array {
  const telemetry = new Float64Array(LIVE_WIDTH + 6);
  telemetry[TELEMETRY_CYCLES] = cycles;
  telemetry[TELEMETRY_MISSED] = 3;
  telemetry[TELEMETRY_WORST_LATE_US] = 250;
  return telemetry;
}

it('tells rate, totals and percentiles, no more often than can be read', () => {
  const history = new RowHistory();
  const row = new Float64Array(LIVE_WIDTH);
  for (let k = 1; k <= 100; k += 1) {
    row[0] = k / 1000;
    row[placeOf('us_cycle')] = k;
    history.add(row);
  }
  const taker = new LoopPaceTaker(history);
  const first = taker.take(createTelemetry(100), 1000);
  expect(first).toEqual({ cyclesPerSecond: undefined, missed: 3, worstLateUs: 250, p50Us: 50, p99Us: 99 });
  expect(taker.take(createTelemetry(150), 1050)).toBeUndefined();
  expect(taker.take(createTelemetry(596), 1500)?.cyclesPerSecond).toBeCloseTo(992, 6);
});

it('begins again with another loop', () => {
  const taker = new LoopPaceTaker(new RowHistory());
  taker.take(createTelemetry(5000), 0);
  const pace = taker.take(createTelemetry(10), 1000);
  expect([pace?.cyclesPerSecond, pace?.p50Us]).toEqual([undefined, undefined]);
});
