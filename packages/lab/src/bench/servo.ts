import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { formatNumber, formatTable, wholeNumber } from '@palpable/cli/internal';
import { PalpableError } from '@palpable/engine';
import { type LoopSamples, openTurns, type ProgressListener, percentile } from '@palpable/engine/advanced';
import { Option } from 'commander';
import { rounded } from '../play/statistics.js';
import { benchCommand } from './bench-command.js';
import { openChromium } from './servo-browser.js';
import {
  type CornerSetup,
  createMeasuredLoop,
  type GarbageReport,
  LOOP_NAMES,
  type LoopHostName,
  type LoopName,
  loadCornerSetup,
  type MeasuredLoops,
} from './servo-loops.js';
import { type Load, type LoopReport, type Percentiles, reportLoop } from './servo-times.js';
import type { FromServoWorker, TurnGarbage } from './servo-worker.js';

export const benchServoCommand = benchCommand({
  usage: 'servo',
  summary: 'the loop beside an empty one: cycles missed, lateness, compute time, garbage',
  examples: [
    'palpable bench servo',
    'palpable bench servo --seconds 10 --load none --browser --plot servo.svg',
    'palpable bench servo --rate 10000',
  ],
  options: (command) =>
    command
      .option('--rate <Hz>', 'cycles per second', wholeNumber(100, 20_000), 1000)
      .option('--seconds <number>', 'seconds for each loop in each round', wholeNumber(2, 86_400), 60)
      .addOption(
        new Option('--load <cores>', 'rounds: on the machine as it is, with one core kept busy, or both')
          .choices(['none', 'one', 'both'])
          .default('both'),
      )
      .option('--browser', 'the same in Chromium')
      .option('--plot <file.svg>', 'write the distribution of lateness as an SVG file'),
  measure: benchServo,
  plots,
  lines: (report) => [...sentences(report), ''],
});

function sentences(report: ServoBenchReport): string[] {
  const { loadBefore, rateHz, seconds, turnSeconds, loops } = report;
  return [
    `load average before: ${rounded(loadBefore)}`,
    `Cube in a corner (static friction) at ${formatNumber(rateHz)} Hz in its own thread, a repeating hand motion, ${seconds} s; an empty loop with the same pacing alternates with it every ${formatNumber(turnSeconds)} s.`,
    '',
    'How late cycles began, µs. The empty loop has nothing to do: its lateness is the machine’s.',
    formatTable(
      loops.map((loop) => ({
        ...nameCells(loop),
        cycles: loop.cycles,
        missed: loop.missed,
        ...percentileCells(loop.late),
      })),
    ),
    '',
    'How long they took, µs, garbage collection included; "own" is without what the machine adds: every cycle of the motion with its minimum over all repetitions.',
    formatTable(
      loops.map((loop) => ({
        ...nameCells(loop),
        ...percentileCells(loop.compute),
        'method p50': rounded(loop.method.p50),
        'own p50': rounded(loop.ownCompute.p50),
        'own max': rounded(loop.ownCompute.max),
        collections: loop.collections,
        'p50, ms': rounded(loop.medianCollectionMs),
        'longest, ms': rounded(loop.longestCollectionMs),
        'bytes a cycle': loop.bytesPerCycle === null ? 'unknown' : Math.round(loop.bytesPerCycle),
      })),
    ),
    '',
    ...verdicts(report),
  ];
}

function nameCells({ host, load, loop }: LoopReport) {
  return { thread: host, machine: loadName(load), loop };
}

function percentileCells({ p50, p99, p999, max }: Percentiles) {
  return { p50: rounded(p50), p99: rounded(p99), 'p99.9': rounded(p999), max: rounded(max) };
}

/** For every round: whose are the cycles that were missed? */
function verdicts({ loops, rateHz }: ServoBenchReport): string[] {
  const stepUs = 1e6 / rateHz;
  return loops
    .filter(({ loop }) => loop === 'palpable')
    .map((ours) => {
      const { host, load, missed, missedAtWork, cycles, ownCompute, medianCollectionMs } = ours;
      const empty = loops.find((each) => each.loop === 'empty' && each.host === host && each.load === load)!;
      const beside = `${formatNumber(missed)} of ${formatNumber(cycles + missed)} cycles missed, ${formatNumber(empty.missed)} by the empty loop beside it`;
      const asleep = missed === 0 ? '' : `; ${formatNumber(missed - missedAtWork)} while it was waiting`;
      const work = `The longest work of its own is ${rounded(ownCompute.max)} µs, a collection in the median ${rounded(1000 * medianCollectionMs)} µs, a step ${formatNumber(stepUs)} µs`;
      const fits = ownCompute.max + 1000 * medianCollectionMs < stepUs;
      const whose = fits ? 'both together fit into one' : 'together they may cost a cycle';
      return `${host}, ${loadName(load)}: ${beside}${asleep}. ${work}: ${whose}.`;
    });
}

function plots({ loops, rateHz }: ServoBenchReport) {
  const plot = {
    title: `Lateness of cycles at ${formatNumber(rateHz)} Hz`,
    x: { label: 'one cycle in so many', log: true },
    y: { label: 'began later than, µs', log: true },
    series: loops.map(({ host, load, loop, lateCurve }) => ({
      name: `${host}, ${loadName(load)}, ${loop}`,
      points: lateCurve,
    })),
  };
  return { 'servo.svg': plot };
}

/**
 * The loop at its rate in a thread of its own, beside an empty one: how late, how long, how much garbage.
 * `loadBefore`: Threads that wanted to run in the minute before, on average: what else the machine had to do.
 * `seconds`: Of each loop in each round, in turns of so long.
 */
type ServoBenchReport = Awaited<ReturnType<typeof benchServo>>;

interface Flags {
  readonly rate: number;
  /** Of each loop in each round. */
  readonly seconds: number;
  readonly load: Load | 'both';
  readonly browser?: true;
}

/** Turns are so short that both loops meet the same machine. */
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
  readonly motionCycles: number;
}

async function benchServo({ rate, seconds, load, browser }: Flags, onProgress: ProgressListener) {
  const loads: readonly Load[] = load === 'both' ? ['none', 'one'] : [load];
  const loadBefore = loadavg()[0]!;
  const corner = await loadCornerSetup(rate, onProgress);
  const chromium = browser ? await openChromium(corner) : null;
  const hosts: BenchHost[] = [{ name: 'node', open: () => openNodeLoops(corner) }];
  if (chromium) hosts.push({ name: 'chromium', open: () => chromium.openLoops() });
  // Two at least: the garbage of one alone says little.
  const turns = Math.max(2, Math.ceil(seconds / TURN_SECONDS));
  const turnSeconds = seconds / turns;
  const rounds = hosts.flatMap((host) =>
    loads.map(
      (load): RoundPlan => ({
        host,
        load,
        turns,
        turnSeconds,
        stepUs: 1e6 / rate,
        motionCycles: corner.hand.device.samples.count,
      }),
    ),
  );
  try {
    const loops: LoopReport[] = [];
    for (const [k, round] of rounds.entries()) {
      const label = `${round.host.name}, ${loadName(round.load)}`;
      loops.push(...(await measureRound(round, (part) => onProgress(label, (k + part) / rounds.length))));
    }
    return { loadBefore, rateHz: rate, seconds, turnSeconds, loops };
  } finally {
    await chromium?.close();
  }
}

function loadName(load: Load): string {
  return load === 'none' ? 'as it is' : 'one core loaded';
}

async function measureRound(plan: RoundPlan, onProgress: (fraction: number) => void): Promise<LoopReport[]> {
  const { host, load, turns, turnSeconds } = plan;
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
    return LOOP_NAMES.map((loop) => reportLoop({ host: host.name, load, loop }, samples[loop], garbage[loop], plan));
  } finally {
    await loops.abandon();
    await busy?.terminate();
  }
}

/** Keeps one core at work until it is terminated. */
function startBusyThread(): Worker {
  return new Worker('for (;;) {}', { eval: true });
}

/** The two loops in threads of Node. */
export async function openNodeLoops(corner: CornerSetup): Promise<MeasuredLoops> {
  // Threads that begin after this have a function that collects garbage.
  setFlagsFromString('--expose-gc');
  const [empty, palpable] = await Promise.all(LOOP_NAMES.map((name) => startLoop(corner, name)));
  const loops: Record<LoopName, NodeLoop> = { empty: empty!, palpable: palpable! };
  return {
    take: (loop, seconds) => loops[loop].turns.take(seconds),
    async end() {
      for (const name of LOOP_NAMES) await loops[name].turns.end();
      return { empty: await loops.empty.garbage, palpable: await loops.palpable.garbage };
    },
    async abandon() {
      for (const name of LOOP_NAMES) await loops[name].worker.terminate();
    },
  };
}

type NodeLoop = Awaited<ReturnType<typeof startLoop>>;

async function startLoop(corner: CornerSetup, name: LoopName) {
  const measured = createMeasuredLoop(corner, name);
  const worker = new Worker(new URL('./servo-worker.js', import.meta.url));
  const hear = <Kind extends FromServoWorker['kind']>(kind: Kind) =>
    new Promise<Extract<FromServoWorker, { kind: Kind }>>((resolve) => {
      worker.on('message', (message: FromServoWorker) => {
        if (message.kind === kind) resolve(message as Extract<FromServoWorker, { kind: Kind }>);
      });
    });
  let failure: Error | undefined;
  const failed = new Promise<never>((_, reject) => {
    worker.on('error', reject);
    void hear('failed').then(({ message }) => reject(new PalpableError('worker-failed', message)));
  });
  failed.catch((error) => {
    failure = error;
  });
  const garbage = Promise.race([hear('garbage').then(({ turns }) => summariseGarbage(turns)), failed]);
  // Whoever waits for something else hears of a failure there.
  garbage.catch(() => {});
  const ready = hear('ready');
  worker.postMessage(measured);
  await Promise.race([ready, failed]);
  const sleep = async (ms: number) => {
    await setTimeout(ms);
    if (failure) throw failure;
  };
  return { worker, garbage, turns: openTurns(measured, { now: () => performance.now(), sleep }) };
}

/** The first turn is only there to warm up. */
function summariseGarbage([, ...turns]: readonly TurnGarbage[]): GarbageReport {
  const quiet = turns.filter(({ collectionsMs }) => collectionsMs.length === 0);
  return {
    collectionsMs: turns.flatMap(({ collectionsMs }) => collectionsMs),
    bytesPerTurn:
      quiet.length === 0
        ? null
        : percentile(
            quiet.map(({ heapGrowth }) => heapGrowth),
            50,
          ),
  };
}
