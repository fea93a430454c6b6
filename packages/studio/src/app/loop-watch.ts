/** Every row of the loop, on its way to the takes and the plots; and how the loop keeps its pace. */
import { signal } from '@preact/signals';
import { type LoopPace, LoopPaceTaker } from '../plots/loop-pace.js';
import { RowHistory } from '../plots/row-history.js';
import type { RecordDesk } from '../record/record-desk.js';

/** The last minute. */
export const liveHistory = new RowHistory();
/** Undefined while no loop runs. */
export const loopPace = signal<LoopPace | undefined>(undefined);

const pace = new LoopPaceTaker(liveHistory);
const remember = (row: Float64Array) => liveHistory.add(row);

/** Called whenever a frame could be drawn, with the newest row and the totals behind it. */
export function followLoop(desk: RecordDesk, newest: Float64Array | undefined): void {
  const nowMs = performance.now();
  desk.frame(nowMs, remember);
  const figures = newest && pace.take(newest, nowMs);
  if (figures) loopPace.value = figures;
}

/** A loop begins or has ended: what was before belongs to another one. */
export function forgetLoop(): void {
  liveHistory.clear();
  pace.clear();
  loopPace.value = undefined;
}
