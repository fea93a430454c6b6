/** How the loop keeps time, in the few figures that are always in view. */
import { percentile, TELEMETRY_CYCLES, TELEMETRY_MISSED, TELEMETRY_WORST_LATE_US } from '@palpable/engine/advanced';
import { CycleRate, RATE_WINDOW_MS } from './refresh.js';
import type { RowHistory } from './row-history.js';

export interface LoopPace {
  /** Over the last second or a little more; undefined until it is known. */
  readonly cyclesPerSecond: number | undefined;
  /** Cycles left out since the start because the loop came late. */
  readonly missed: number;
  /** The latest that a cycle began since the start, µs. */
  readonly worstLateUs: number;
  /** How long half and 99 of 100 cycles of the last second took at most, µs; undefined without any. */
  readonly p50Us: number | undefined;
  readonly p99Us: number | undefined;
}

const MOST_ROWS = 4096;

export class LoopPaceTaker {
  private readonly history: RowHistory;
  private readonly rate = new CycleRate();
  private readonly times = new Float64Array(MOST_ROWS);

  /** @param history with the column `us_cycle`, fed by whoever drains the loop's rows */
  constructor(history: RowHistory) {
    this.history = history;
  }

  /** What there is to show after the newest telemetry of the loop; undefined while the last figures still stand. */
  take(telemetry: Float64Array, nowMs: number): LoopPace | undefined {
    if (!this.rate.take(telemetry[TELEMETRY_CYCLES]!, nowMs)) return undefined;
    const times = this.recentTimes();
    const at = (p: number) => (times.length === 0 ? undefined : percentile(times, p));
    return {
      cyclesPerSecond: this.rate.perSecond,
      missed: telemetry[TELEMETRY_MISSED],
      worstLateUs: telemetry[TELEMETRY_WORST_LATE_US],
      p50Us: at(50),
      p99Us: at(99),
    };
  }

  clear(): void {
    this.rate.clear();
  }

  private recentTimes(): Float64Array {
    const { last } = this.history;
    if (last === undefined) return this.times.subarray(0, 0);
    const count = this.history.valuesFrom(this.times, 'us_cycle', last - RATE_WINDOW_MS / 1000);
    return this.times.subarray(0, count);
  }
}
