/** Takes for tests: rows as the loop writes them, made up. */
import { LIVE_WIDTH, placeOf } from '@palpable/engine/advanced';
import { createTakeRecorder, type Take, type TakeStart } from './take.js';

export const SAMPLE_START: TakeStart = {
  name: 'Take 1',
  scene: { palpable: 1, name: 'sample' },
  timeStep: 0.001,
  tools: ['ball'],
  startTime: '2026-01-02T03:04:05.000Z',
};

/** A row of one cycle: device and tool at `x`, a force of `force` along z. */
export function sampleRow(time: number, x: number, force = 0): Float64Array {
  const row = new Float64Array(LIVE_WIDTH);
  row[placeOf('time')] = time;
  row[placeOf('cycle')] = Math.round(1000 * time);
  for (const pose of ['dpx', 'tpx'] as const) {
    row[placeOf(pose)] = x;
    row[placeOf(pose) + 6] = 1;
  }
  row[placeOf('fz')] = force;
  row[placeOf('fresh')] = 1;
  row[placeOf('gain')] = 1;
  return row;
}

/** Rows that are waiting, as a ring holds them. */
export function createRowQueue() {
  const waiting: Float64Array[] = [];
  return {
    dropped: 0,
    put: (...rows: Float64Array[]) => waiting.push(...rows),
    read(row: Float64Array): boolean {
      const next = waiting.shift();
      if (next) row.set(next);
      return next !== undefined;
    },
  };
}

/** `count` cycles of a millisecond from `from` seconds on, along x at 1 m/s. */
export function sampleTake(count: number, from = 2): Take {
  const ring = createRowQueue();
  const recorder = createTakeRecorder(ring);
  recorder.start(SAMPLE_START);
  for (let i = 0; i < count; i += 1) ring.put(sampleRow(from + 0.001 * i, 0.001 * i, i));
  recorder.drain();
  return recorder.stop();
}
