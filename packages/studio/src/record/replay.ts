/**
 * Plays a take back by the clock of the page. Cycles lie closer together than frames, at every speed that is offered,
 * so the row in force at a time is shown as it was: nothing is made up between two cycles.
 */
import { LIVE_WIDTH, placeOf } from '@palpable/engine/advanced';
import { rowOf, secondsOf, type TakeRows, timeOf } from './take.js';

export const REPLAY_SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4] as const;

const [SLOWEST, FASTEST] = [0.1, 4];

/** What the take held at the time that is shown; views of one row, which is written over. */
export interface ReplayMoment {
  /** In the order of `LIVE_COLUMNS`. */
  readonly row: Float64Array;
  /** World pose, m and quaternion. */
  readonly devicePose: Float64Array;
  /** World pose, m and quaternion. */
  readonly toolPose: Float64Array;
  /** Force, N, and torque, N m. */
  readonly wrench: Float64Array;
}

export class Replay {
  /** s */
  readonly duration: number;
  readonly moment: ReplayMoment;
  /** Since the start of the take, s. */
  time = 0;
  isPlaying = false;
  speed = 1;
  private readonly rows: TakeRows;
  private readonly start: number;
  private lastMs: number | undefined;

  /** Of a take with at least one row. */
  constructor(rows: TakeRows) {
    this.rows = rows;
    this.start = timeOf(rows, 0);
    this.duration = secondsOf(rows);
    const row = new Float64Array(LIVE_WIDTH);
    const part = (column: 'dpx' | 'tpx' | 'fx', length: number) =>
      row.subarray(placeOf(column), placeOf(column) + length);
    this.moment = { row, devicePose: part('dpx', 7), toolPose: part('tpx', 7), wrench: part('fx', 6) };
    this.seek(0);
  }

  /** From the start again when it is at its end. */
  play(): void {
    if (this.time >= this.duration) this.seek(0);
    this.isPlaying = true;
    this.lastMs = undefined;
  }

  pause(): void {
    this.isPlaying = false;
  }

  seek(time: number): void {
    this.time = Math.min(this.duration, Math.max(0, time));
    this.moment.row.set(rowOf(this.rows, lastRowAt(this.rows, this.start + this.time)));
  }

  setSpeed(speed: number): void {
    this.speed = Math.min(FASTEST, Math.max(SLOWEST, speed));
  }

  /** Goes on to the given time of the page's clock, ms; true when something else is to be shown. */
  advance(nowMs: number): boolean {
    if (!this.isPlaying) return false;
    const passed = nowMs - (this.lastMs ?? nowMs);
    this.lastMs = nowMs;
    if (passed <= 0) return false;
    this.seek(this.time + (this.speed * passed) / 1000);
    if (this.time >= this.duration) this.pause();
    return true;
  }
}

/** The last row not after a time of the loop; the first one for all times before it. */
function lastRowAt(rows: TakeRows, time: number): number {
  // What was added to the start may lie a rounding below the row that is meant.
  const wanted = time + 1e-9;
  let low = 0;
  let high = rows.count - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (timeOf(rows, middle) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}
