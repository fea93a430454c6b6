import type { LoopSamples } from '@palpable/engine/advanced';
import { expect, test } from 'vitest';
import { countMissedAtWork, leastOfRepetitions, reportLoop } from './servo-times.js';
import { garbageOfThread } from './servo-trace.js';

function samplesOf(rows: readonly { cycle: number; missed?: number; late?: number; took?: number }[]): LoopSamples {
  return {
    cycle: rows.map(({ cycle }) => cycle),
    missed: rows.map(({ missed = 0 }) => missed),
    lateUs: rows.map(({ late = 0 }) => late),
    cycleUs: rows.map(({ took = 100 }) => took),
    methodUs: rows.map(({ took = 100 }) => took),
  };
}

test('a cycle that is missed is put down to the work only as far as the work lasted', () => {
  const missedAfter = (took: number, missed: number) =>
    countMissedAtWork(
      samplesOf([
        { cycle: 0, took },
        { cycle: 1, missed },
      ]),
      1000,
    );
  // Done within its step, or late but before the next one was over: the loop waited.
  expect(missedAfter(100, 3)).toBe(0);
  expect(missedAfter(1900, 3)).toBe(0);
  expect(missedAfter(2100, 3)).toBe(1);
  expect(missedAfter(9000, 3)).toBe(3);
  expect(missedAfter(9000, 0)).toBe(0);
});

test('a cycle that begins late has less of its step left', () => {
  const rows = [
    { cycle: 0, missed: 4, late: 4900, took: 1200 },
    { cycle: 1, missed: 1 },
  ];
  expect(countMissedAtWork(samplesOf(rows), 1000)).toBe(1);
});

test('own time is the least in all repetitions, place by place', () => {
  const first = samplesOf([
    { cycle: 0, took: 120 },
    { cycle: 1, took: 900 },
  ]);
  const later = samplesOf([
    { cycle: 4000, took: 110 },
    { cycle: 2001, took: 130 },
  ]);
  expect([...leastOfRepetitions([first, later], 2000)]).toEqual([110, 130]);
});

test('a report counts every cycle of every turn', () => {
  const turns = [0, 1].map((turn) =>
    samplesOf(Array.from({ length: 500 }, (_, k) => ({ cycle: 500 * turn + k, late: 500 * turn + k + 1 }))),
  );
  const garbage = { collectionsMs: [0.3, 0.2, 8], bytesPerTurn: 1000 };
  const report = reportLoop({ host: 'node', load: 'none', loop: 'palpable' }, turns, garbage, {
    stepUs: 1000,
    motionCycles: 2000,
  });
  expect(report.cycles).toBe(1000);
  expect(report.late).toEqual({ p50: 500, p99: 990, p999: 999, max: 1000 });
  expect(report.bytesPerCycle).toBe(2);
  expect(report).toMatchObject({ collections: 3, medianCollectionMs: 0.3, longestCollectionMs: 8 });
  expect(report.lateCurve.at(-1)).toEqual([1000, 1000]);
});

test('collections are those of the thread of the loop, within its turns but the first', () => {
  const event = (name: string, ts: number, tid: number, dur = 0) => ({ name, pid: 1, tid, ts, dur });
  const trace = [
    event('palpable rests', 0, 7),
    event('palpable runs', 10, 7),
    event('MinorGC', 15, 7, 900),
    event('palpable rests', 20, 7),
    event('MinorGC', 25, 7, 900),
    event('palpable runs', 30, 7),
    event('MinorGC', 35, 7, 400),
    event('MajorGC', 36, 8, 900),
    event('V8.GCScavenger', 37, 7, 900),
    event('palpable rests', 40, 7),
    event('palpable runs', 50, 7),
    event('MajorGC', 55, 7, 900),
  ];
  expect(garbageOfThread(trace, 'palpable')).toEqual({ collectionsMs: [0.4], bytesPerTurn: null });
  expect(garbageOfThread(trace, 'empty').collectionsMs).toEqual([]);
});
