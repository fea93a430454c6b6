import { describe, expect, it } from 'vitest';
import { barsOf } from './studio.js';
import { partOf } from './studio-bundle.js';
import { longestStandstill } from './studio-drop.js';
import { BEGIN_MARK, END_MARK, readTasks } from './studio-motion.js';

const thread = { pid: 1, tid: 1 };
const event = (name: string, ts: number, dur: number, tdur: number, cat = 'devtools.timeline') => ({
  ...thread,
  ph: 'X',
  name,
  ts,
  dur,
  tdur,
  cat,
});
const mark = (name: string, ts: number) => ({ ...thread, ph: 'I', name, ts, cat: 'blink.user_timing' });

describe('tasks of a trace', () => {
  const trace = [
    event('RunTask', 0, 90_000, 90_000),
    mark(BEGIN_MARK, 100_000),
    event('RunTask', 200_000, 80_000, 30_000),
    event('FireAnimationFrame', 201_000, 70_000, 28_000),
    event('Layout', 202_000, 20_000, 15_000),
    event('CommandBufferHelper::Finish', 230_000, 40_000, 1000, 'gpu'),
    event('CommandBufferProxyImpl::WaitForGetOffset', 231_000, 38_000, 500, 'gpu'),
    event('RunTask', 300_000, 4000, 4000),
    { ...event('RunTask', 310_000, 99_000, 99_000), tid: 2 },
    mark(END_MARK, 400_000),
    event('RunTask', 410_000, 90_000, 90_000),
  ];

  it('are those of the marked thread between the marks, with the rasteriser apart', () => {
    const { tasks, wall, own, ownCpu, graphics } = readTasks(trace);
    expect(tasks).toBe(2);
    expect(wall).toMatchObject({ total: 84, longest: 80, above50: 1 });
    // Calls within calls count once.
    expect(graphics).toMatchObject({ total: 40, longest: 40, above50: 0 });
    expect(own).toMatchObject({ total: 44, longest: 40, above50: 0 });
    expect(ownCpu).toMatchObject({ total: 33, longest: 29 });
  });

  it('name the parts of the longest', () => {
    expect(readTasks(trace).longest[0]!.parts).toEqual([
      ['CommandBufferHelper::Finish', 40],
      ['Layout', 20],
    ]);
  });

  it('cannot be told without marks', () => {
    expect(() => readTasks([event('RunTask', 0, 1, 1)])).toThrow('no marks');
  });
});

it('finds the longest standstill, also the one before the end', () => {
  const shown = [
    [0, ''],
    [100, 'Reading'],
    [700, 'Building 10 %'],
  ] as const;
  expect(longestStandstill({ shown, touchMs: 1000 })).toEqual({
    longestStandstill: 0.6,
    shownMeanwhile: 'Reading',
    changes: 2,
  });
  expect(longestStandstill({ shown, touchMs: 2700 })).toMatchObject({ longestStandstill: 2 });
});

it.each([
  ['index.html', 'page'],
  ['app/index-Ab_12345.js', 'page'],
  ['app/index-Ab_12345.css', 'style'],
  ['app/servo-worker-Ab-12345.js', 'thread'],
  ['app/servo-bench-worker-Ab-12345.js', 'benchmark'],
  ['bench.html', 'benchmark'],
  ['app/mcap-of-take-Ab_12345.js', 'on demand'],
  ['app/kernel-Ab_12345.wasm', 'on demand'],
  ['app/bunny-Ab_12345.obj', 'mesh'],
  ['assets/cube-256.palpable', 'prepared body'],
  ['gallery/corner-cube.png', 'picture'],
])('%s is a %s', (file, part) => {
  expect(partOf(file, '<script src="./app/index-Ab_12345.js">')).toBe(part);
});

it('holds only what was measured to its bars', () => {
  expect(barsOf({ start: null, motion: null, drop: null })).toEqual([]);
  const median = { page: 200, picture: 3100, touchable: 3300 };
  const [bar] = barsOf({ start: [{ scene: 'corner-cube', runs: [median], median }], motion: null, drop: null });
  expect(bar).toMatchObject({ bound: 'at most', limit: 3, value: 3.1, isMet: false });
});
