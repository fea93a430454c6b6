import { describe, expect, it } from 'vitest';
import { createSharedMemory, FrameNumber, openPageEnd, openThreadEnd } from './contact-channel.js';

const CAPACITY = 5;

function open() {
  const memory = createSharedMemory(CAPACITY);
  return { page: openPageEnd(memory, CAPACITY), thread: openThreadEnd(memory, CAPACITY) };
}

describe('contact channel', () => {
  it('carries the newest pose with its number', () => {
    const { page, thread } = open();
    page.sendPose([1, 2, 3, 0, 0, 0, 1]);
    page.sendPose([4, 5, 6, 0, 0, 0, 1]);
    const { pose, count } = thread.waitForPose();
    expect([...pose]).toEqual([4, 5, 6, 0, 0, 0, 1]);
    expect(count).toBe(2);
  });

  it('carries frames whole, each part in its own memory', () => {
    const { page, thread } = open();
    for (let round = 1; round <= 4; round++) {
      const { block } = thread.frames;
      block.numbers.fill(round);
      block.position.fill(10 * round);
      block.normal.fill(100 * round);
      block.depth.fill(1000 * round);
      thread.publishFrame();
      const frame = page.takeFrame()!;
      expect(new Set(frame.numbers)).toEqual(new Set([round]));
      expect([...frame.position]).toEqual(new Array(3 * CAPACITY).fill(10 * round));
      expect([...frame.normal]).toEqual(new Array(3 * CAPACITY).fill(100 * round));
      expect([...frame.depth]).toEqual(new Array(CAPACITY).fill(1000 * round));
    }
  });

  it('asks for a message only when the page has nothing left to take', () => {
    const { page, thread } = open();
    thread.frames.block.numbers[FrameNumber.contacts] = 7;
    expect(thread.publishFrame()).toBe(true);
    thread.frames.block.numbers[FrameNumber.contacts] = 8;
    expect(thread.publishFrame()).toBe(false);
    expect(page.takeFrame()?.numbers[FrameNumber.contacts]).toBe(8);
    expect(page.takeFrame()).toBeUndefined();
    expect(thread.publishFrame()).toBe(true);
  });
});
