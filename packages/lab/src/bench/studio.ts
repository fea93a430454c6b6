import { loadavg } from 'node:os';
import { openStudioBrowser, VIEWPORT } from './studio-browser.js';
import { measureBundle } from './studio-bundle.js';
import { type DropReport, measureDrop } from './studio-drop.js';
import { type MotionReport, measureMotion } from './studio-motion.js';
import { openPeer } from './studio-peer.js';
import { measureStart, type StartReport } from './studio-start.js';

/**
 * How quickly the studio opens, draws and computes where drawing is done by software. Null: not asked for. `peer`:
 * Half of it before the studio's motion, half after.
 */
export type StudioBenchReport = Awaited<ReturnType<typeof benchStudio>>;

export type StudioPart = 'start' | 'motion' | 'drop' | 'bundle';

export interface StudioBenchOptions {
  readonly parts: readonly StudioPart[];
  readonly seconds: number;
  readonly onProgress: (stage: string, fraction: number) => void;
}

export async function benchStudio({ parts, seconds, onProgress }: StudioBenchOptions) {
  const loadBefore = loadavg()[0]!;
  const wants = (part: StudioPart) => parts.includes(part);
  const studio = await openStudioBrowser();
  try {
    const start = wants('start') ? await measureStart(studio, onProgress) : null;
    const peer = wants('motion') ? await openPeer(onProgress) : null;
    let motion: MotionReport | null = null;
    try {
      await peer?.take(seconds / 2);
      if (wants('motion')) motion = await measureMotion(studio, seconds, onProgress);
      await peer?.take(seconds / 2);
    } finally {
      await peer?.close();
    }
    const drop = wants('drop') ? await measureDrop(studio, onProgress) : null;
    const bundle = wants('bundle') ? await measureBundle() : null;
    return {
      /** Threads that wanted to run in the minute before, on average: what else the machine had to do. */
      loadBefore,
      chromium: studio.browser.version(),
      viewport: VIEWPORT,
      start,
      motion,
      peer: peer?.report() ?? null,
      drop,
      bundle,
      bars: barsOf({ start, motion, drop }),
    };
  } finally {
    await studio.close();
  }
}

/** What the studio is held to. */
export function barsOf({
  start,
  motion,
  drop,
}: {
  start: readonly StartReport[] | null;
  motion: MotionReport | null;
  drop: DropReport | null;
}) {
  const bars = (start ?? []).map(({ scene, median }) => atMost(3, median.picture / 1000, `first frame of ${scene}, s`));
  if (motion) {
    bars.push(
      atLeast(950, motion.motion.cyclesPerSecond, 'cycles per second in motion and contact'),
      atLeast(15, motion.motion.picturesPerSecond, 'frames per second at the same time'),
      atLeast(990, motion.rest.cyclesPerSecond, 'cycles per second while nothing is drawn'),
      atMost(50, motion.tasks.own.longest, 'longest task of our own by the clock, ms'),
      atMost(50, motion.tasks.ownCpu.longest, 'longest task of our own on the processor, ms'),
    );
  }
  if (drop) bars.push(atMost(15, drop.secondsToTouch, 'dropped mesh can be touched, s'));
  return bars;
}

function atLeast(limit: number, value: number, what: string) {
  return { what, bound: 'at least', limit, value, isMet: value >= limit };
}

function atMost(limit: number, value: number, what: string) {
  return { what, bound: 'at most', limit, value, isMet: value <= limit };
}
