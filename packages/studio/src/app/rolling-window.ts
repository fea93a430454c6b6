/** Measurements of the last while, thrown away as they get old. */
import { percentile } from '@palpable/engine/advanced';

export class RollingWindow {
  private readonly times: number[] = [];
  private readonly values: number[] = [];

  private readonly lengthMs: number;

  /** @param lengthMs how far back the window reaches */
  constructor(lengthMs: number) {
    this.lengthMs = lengthMs;
  }

  push(timeMs: number, value: number): void {
    this.times.push(timeMs);
    this.values.push(value);
    this.forget(timeMs);
  }

  /** How many measurements are younger than the window is long. */
  count(timeMs: number): number {
    this.forget(timeMs);
    return this.times.length;
  }

  /** The value that the given share of the measurements stays at or below; undefined without any. */
  percentile(share: number): number | undefined {
    return this.values.length === 0 ? undefined : percentile(this.values, 100 * share);
  }

  private forget(nowMs: number): void {
    let old = 0;
    while (old < this.times.length && this.times[old]! < nowMs - this.lengthMs) old++;
    if (old === 0) return;
    this.times.splice(0, old);
    this.values.splice(0, old);
  }
}
