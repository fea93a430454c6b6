import type { LoopSamples, ProgressListener } from '@palpable/engine';
import { type ChromiumBench, openChromium } from './servo-browser.js';
import { LOOP_NAMES, type LoopName, loadCornerSetup, type MeasuredLoops } from './servo-loops.js';

/** Two loops in a page that shows nothing, as `bench servo --browser` runs them: what is possible without a stage. */
export type PeerReport = ReturnType<typeof reportLoop>;

export interface StudioPeer {
  /** Each of the two for so long, one after the other. */
  take(seconds: number): Promise<void>;
  report(): PeerReport[];
  close(): Promise<void>;
}

/** Code is compiled in here. */
const WARM_UP_SECONDS = 1;

export async function openPeer(onProgress: ProgressListener): Promise<StudioPeer> {
  const corner = await loadCornerSetup(onProgress);
  const chromium = await openChromium(corner);
  const samples: Record<LoopName, LoopSamples[]> = { empty: [], palpable: [] };
  const loops = await openWarmLoops(chromium).catch(async (error) => {
    await chromium.close();
    throw error;
  });
  return {
    async take(seconds) {
      for (const loop of LOOP_NAMES) samples[loop].push(await loops.take(loop, seconds));
    },
    report: () => LOOP_NAMES.map((loop) => reportLoop(loop, samples[loop], 1 / corner.timeStep)),
    close: () => chromium.close(),
  };
}

async function openWarmLoops(chromium: ChromiumBench): Promise<MeasuredLoops> {
  const loops = await chromium.openLoops();
  for (const loop of LOOP_NAMES) await loops.take(loop, WARM_UP_SECONDS);
  return loops;
}

function reportLoop(loop: LoopName, turns: readonly LoopSamples[], rateHz: number) {
  const cycles = turns.reduce((sum, { cycle }) => sum + cycle.length, 0);
  const missed = turns.flatMap((turn) => turn.missed).reduce((sum, count) => sum + count, 0);
  return { loop, cyclesPerSecond: (rateHz * cycles) / (cycles + missed), cycles, missed };
}
