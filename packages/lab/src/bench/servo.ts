import { loadavg } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { LoopSamples } from '@palpable/engine';
import { openChromium } from './servo-browser.js';
import { LOOP_NAMES, type LoopHostName, type LoopName, loadCornerSetup, type MeasuredLoops } from './servo-loops.js';
import { openNodeLoops } from './servo-node.js';
import { type Load, type LoopReport, reportLoop } from './servo-times.js';

/**
 * The loop at its rate in a thread of its own, beside an empty one: how late, how long, how much garbage.
 * `loadBefore`: Threads that wanted to run in the minute before, on average: what else the machine had to do.
 * `seconds`: Of each loop in each round, in turns of so long.
 */
export type ServoBenchReport = Awaited<ReturnType<typeof benchServo>>;

export interface ServoBenchOptions {
  readonly seconds: number;
  readonly loads: readonly Load[];
  readonly browser: boolean;
  readonly onProgress: (stage: string, fraction: number) => void;
}

/** Turns are so short that both loops meet the same weather. */
const TURN_SECONDS = 5;
/** Code is compiled in here. */
const WARM_UP_SECONDS = 1;

interface BenchHost {
  readonly name: LoopHostName;
  open(): Promise<MeasuredLoops>;
}

interface RoundPlan {
  readonly host: BenchHost;
  readonly load: Load;
  readonly turns: number;
  readonly turnSeconds: number;
  readonly stepUs: number;
}

export async function benchServo(options: ServoBenchOptions) {
  const { seconds, loads, onProgress } = options;
  const loadBefore = loadavg()[0]!;
  const corner = await loadCornerSetup(onProgress);
  const { timeStep } = corner;
  const chromium = options.browser ? await openChromium(corner) : null;
  const hosts: BenchHost[] = [{ name: 'node', open: () => openNodeLoops(corner) }];
  if (chromium) hosts.push({ name: 'chromium', open: () => chromium.openLoops() });
  // Two at least: the garbage of one alone says little.
  const turns = Math.max(2, Math.ceil(seconds / TURN_SECONDS));
  const turnSeconds = seconds / turns;
  const rounds = hosts.flatMap((host) =>
    loads.map((load): RoundPlan => ({ host, load, turns, turnSeconds, stepUs: 1e6 * timeStep })),
  );
  try {
    const loops: LoopReport[] = [];
    for (const [k, round] of rounds.entries()) {
      const label = `${round.host.name}, ${loadName(round.load)}`;
      loops.push(...(await measureRound(round, (part) => onProgress(label, (k + part) / rounds.length))));
    }
    return { loadBefore, rateHz: Math.round(1 / timeStep), seconds, turnSeconds, loops };
  } finally {
    await chromium?.close();
  }
}

export function loadName(load: Load): string {
  return load === 'none' ? 'as it is' : 'one core loaded';
}

async function measureRound(plan: RoundPlan, onProgress: (fraction: number) => void): Promise<LoopReport[]> {
  const { host, load, turns, turnSeconds, stepUs } = plan;
  const loops = await host.open();
  const busy = load === 'one' ? startBusyThread() : null;
  const samples: Record<LoopName, LoopSamples[]> = { empty: [], palpable: [] };
  try {
    for (const loop of LOOP_NAMES) await loops.take(loop, WARM_UP_SECONDS);
    for (let turn = 0; turn < turns; turn += 1) {
      for (const loop of LOOP_NAMES) samples[loop].push(await loops.take(loop, turnSeconds));
      onProgress((turn + 1) / turns);
    }
    const garbage = await loops.end();
    return LOOP_NAMES.map((loop) => reportLoop({ host: host.name, load, loop }, samples[loop], garbage[loop], stepUs));
  } finally {
    await loops.abandon();
    await busy?.terminate();
  }
}

/** Keeps one core at work until it is terminated. */
function startBusyThread(): Worker {
  return new Worker('for (;;) {}', { eval: true });
}
