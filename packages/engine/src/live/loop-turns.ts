import { createRingReader } from '../base/ring.js';
import type { Clock } from '../method/method.js';
import { LIVE_COLUMNS, LIVE_WIDTH } from '../record/live-row.js';
import { type LiveCommand, postCommand } from './command-mailbox.js';
import { type MeasuredLoop, TURN_PARKED, TURN_RUNNING } from './measured-loop.js';

/** The times of one turn, a number per cycle in each list, so that they can be sent anywhere. */
export interface LoopSamples {
  /** Number of the cycle since the start. */
  readonly cycle: number[];
  /** Cycles left out before it. */
  readonly missed: number[];
  /** How late it began, how long all of it took, and the method alone, microseconds. */
  readonly lateUs: number[];
  readonly cycleUs: number[];
  readonly methodUs: number[];
}

export interface TurnsHost {
  readonly now: Clock;
  /** Rejects when the loop's thread has failed. */
  sleep(ms: number): Promise<void>;
}

/** The other side of a measured loop, which must be ready. */
export interface LoopTurns {
  /** Lets the loop run for so long. */
  take(seconds: number): Promise<LoopSamples>;
  /** Ends it; its thread says `ended`. */
  end(): Promise<void>;
}

const DRAIN_MS = 20;
const RETRY_MS = 2;
/** The cycle that was under way when the last turn ended, and the next, which counts all of the pause as missed. */
const ROWS_OF_PAUSE = 2;

const COLUMNS = {
  cycle: LIVE_COLUMNS.indexOf('cycle'),
  missed: LIVE_COLUMNS.indexOf('missed'),
  lateUs: LIVE_COLUMNS.indexOf('us_late'),
  cycleUs: LIVE_COLUMNS.indexOf('us_cycle'),
  methodUs: LIVE_COLUMNS.indexOf('us_total'),
} as const satisfies Record<keyof LoopSamples, number>;
const NAMES = Object.keys(COLUMNS) as (keyof LoopSamples)[];

/** Lets a measured loop run in turns and collects the samples of each. */
export function openTurns({ setup: { memory }, turn }: MeasuredLoop, { now, sleep }: TurnsHost): LoopTurns {
  const cell = new Int32Array(turn);
  const reader = createRingReader(memory.rows!);
  const row = new Float64Array(LIVE_WIDTH);
  const drain = (samples: LoopSamples) => {
    while (reader.read(row)) for (const name of NAMES) samples[name].push(row[COLUMNS[name]]);
  };
  const run = () => {
    Atomics.store(cell, 0, TURN_RUNNING);
    Atomics.notify(cell, 0);
  };
  const send = async (command: LiveCommand) => {
    while (!postCommand(memory.mailbox, command)) await sleep(RETRY_MS);
  };
  return {
    async take(seconds) {
      const samples: LoopSamples = { cycle: [], missed: [], lateUs: [], cycleUs: [], methodUs: [] };
      const end = now() + 1000 * seconds;
      run();
      while (now() < end) {
        await sleep(DRAIN_MS);
        drain(samples);
      }
      await send({ kind: 'resume' });
      while (Atomics.load(cell, 0) !== TURN_PARKED) await sleep(RETRY_MS);
      drain(samples);
      for (const name of NAMES) samples[name].splice(0, ROWS_OF_PAUSE);
      return samples;
    },
    async end() {
      await send({ kind: 'stop' });
      run();
    },
  };
}
