import { cellOf, createRing, createRingReader, createRingWriter, LIVE_WIDTH } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import { createTakeRecorder, rowOf, secondsOf, timeOf, trajectoryOf } from './take.js';
import { createRowQueue, SAMPLE_START, sampleRow, sampleTake } from './take-samples.js';

describe('a take', () => {
  it('keeps every row between start and stop, over many blocks', () => {
    const take = sampleTake(10_000);
    const [hand] = take.hands;
    const { tools: _, ...about } = SAMPLE_START;
    expect(take).toMatchObject({ ...about, dropped: 0, end: 'stopped' });
    expect(hand).toMatchObject({ tool: 'ball', count: 10_000 });
    for (const i of [0, 1, 4095, 4096, 9999]) {
      expect(cellOf(rowOf(hand!, i), 'fz')).toBe(i);
      expect(timeOf(hand!, i)).toBe(2 + 0.001 * i);
    }
    expect(secondsOf(hand!)).toBeCloseTo(9.999, 9);
  });

  it('leaves out what was written before it began, and shows every row to whoever watches', () => {
    const ring = createRowQueue();
    const recorder = createTakeRecorder(ring);
    const seen: number[] = [];
    const watch = (row: Float64Array) => seen.push(cellOf(row, 'time'));
    ring.put(sampleRow(1, 0));
    recorder.drain(watch);
    ring.put(sampleRow(2, 0));
    recorder.start(SAMPLE_START);
    ring.put(sampleRow(3, 0), sampleRow(3.5, 0));
    recorder.drain(watch);
    expect(recorder).toMatchObject({ isRecording: true, rows: 2, seconds: 0.5 });
    expect(seen).toEqual([1, 3, 3.5]);
    expect(recorder.stop().hands[0]!.count).toBe(2);
    expect(recorder).toMatchObject({ isRecording: false, rows: 0, seconds: 0 });
  });

  it('counts what a real ring had no room for', () => {
    const ring = createRing(LIVE_WIDTH, 4);
    const writer = createRingWriter(ring);
    const recorder = createTakeRecorder(createRingReader(ring));
    for (let i = 0; i < 6; i += 1) writer.write(sampleRow(i, 0));
    recorder.start(SAMPLE_START);
    for (let i = 6; i < 13; i += 1) writer.write(sampleRow(i, 0));
    recorder.drain();
    expect(recorder.dropped).toBe(3);
    const take = recorder.stop();
    expect(take.dropped).toBe(3);
    expect(take.hands[0]!.count).toBe(4);
  });

  it('ends by itself at the longest time, and when the loop begins again', () => {
    const ring = createRowQueue();
    const recorder = createTakeRecorder(ring, 0.01);
    recorder.start(SAMPLE_START);
    for (let i = 0; i < 30; i += 1) ring.put(sampleRow(0.001 * i, 0));
    expect(recorder.drain()).toMatchObject({ end: 'full', hands: [{ count: 11 }] });
    expect(recorder.isRecording).toBe(false);
    recorder.start(SAMPLE_START);
    ring.put(sampleRow(5, 0), sampleRow(5.001, 0), sampleRow(0, 0));
    expect(recorder.drain()).toMatchObject({ end: 'loop-ended', hands: [{ count: 2 }] });
  });

  it('keeps commands, and refuses to stop what was not started', () => {
    const recorder = createTakeRecorder(createRowQueue());
    const event = { cycle: 7, command: { kind: 'pause' } } as const;
    recorder.note(event);
    recorder.start(SAMPLE_START);
    recorder.note(event);
    const take = recorder.stop();
    expect(take.commands).toEqual([event]);
    expect(secondsOf(take.hands[0]!)).toBe(0);
    expect(trajectoryOf(take.hands[0]!).count).toBe(0);
    expect(() => recorder.stop()).toThrow(/No recording/);
  });

  it('gives the motion of the device from time 0 on', () => {
    const { count, time, poses } = trajectoryOf(sampleTake(5000).hands[0]!);
    expect(count).toBe(5000);
    expect([time[0], time[4999]]).toEqual([0, expect.closeTo(4.999, 9)]);
    expect([...poses.subarray(7 * 4999)]).toEqual([0.001 * 4999, 0, 0, 0, 0, 0, 1]);
  });
});
