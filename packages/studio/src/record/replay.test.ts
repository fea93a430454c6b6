import { cellOf } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import { Replay } from './replay.js';
import { createTakeRecorder } from './take.js';
import { createRowQueue, SAMPLE_START, sampleRow, sampleTake } from './take-samples.js';

const open = (count: number) => new Replay(sampleTake(count).hands[0]!);

describe('a replay', () => {
  it('follows the clock of the page at its speed, and stops at the end', () => {
    const replay = open(5001);
    expect(replay.duration).toBeCloseTo(5, 9);
    replay.play();
    // The first picture only says when it is.
    expect(replay.advance(70_000)).toBe(false);
    expect(replay.advance(70_500)).toBe(true);
    expect(replay.time).toBeCloseTo(0.5, 9);
    expect(replay.moment.toolPose[0]).toBeCloseTo(0.5, 9);
    replay.setSpeed(4);
    replay.advance(71_000);
    expect(replay.time).toBeCloseTo(2.5, 9);
    replay.advance(80_000);
    expect(replay).toMatchObject({ time: replay.duration, isPlaying: false });
    expect(cellOf(replay.moment.row, 'fz')).toBe(5000);
    expect(replay.advance(81_000)).toBe(false);
    replay.play();
    expect(replay).toMatchObject({ time: 0, isPlaying: true });
  });

  it('does not jump over the time of a pause', () => {
    const replay = open(5001);
    replay.play();
    replay.advance(0);
    replay.advance(100);
    replay.pause();
    expect(replay.advance(5000)).toBe(false);
    replay.play();
    replay.advance(9000);
    expect(replay.time).toBeCloseTo(0.1, 9);
  });

  it('shows the cycle that was in force, and keeps times and speeds within their bounds', () => {
    const replay = open(1001);
    for (const [time, force] of [
      [0.25, 250],
      [0.2509, 250],
      [0, 0],
      [-3, 0],
      [99, 1000],
    ] as const) {
      replay.seek(time);
      expect(cellOf(replay.moment.row, 'fz')).toBe(force);
      expect(replay.moment.wrench[2]).toBe(force);
    }
    replay.setSpeed(100);
    expect(replay.speed).toBe(4);
    replay.setSpeed(0);
    expect(replay.speed).toBe(0.1);
  });

  it('holds the last cycle over those that were missed', () => {
    const ring = createRowQueue();
    const recorder = createTakeRecorder(ring);
    recorder.start(SAMPLE_START);
    ring.put(sampleRow(1, 0.1), sampleRow(1.001, 0.2), sampleRow(1.05, 0.3));
    recorder.drain();
    const replay = new Replay(recorder.stop().hands[0]!);
    replay.seek(0.04);
    expect(replay.moment.devicePose[0]).toBe(0.2);
    replay.seek(0.05);
    expect(replay.moment.devicePose[0]).toBe(0.3);
  });
});
