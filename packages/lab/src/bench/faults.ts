import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandDefinition, ExitCode, formatTable, printReport, wholeNumber } from '@palpable/cli/internal';
import {
  blame,
  describeViolation,
  EXIT_MS,
  FAULT_MODULE,
  faultScene,
  GIVE_UP_MS,
  judgeExit,
  judgeRecording,
  judgeRelease,
  NOTICE_MS,
  pause,
  RELEASE_MS,
  type Receiver,
  type RunningServo,
  restAfter,
  startReceiver,
  startServo,
  untilPushing,
  waitFor,
} from './fault-driver.js';
import type { ConnectionReport } from './fault-judge.js';
import { wallMs } from './lateness.js';

export const benchFaultsCommand: CommandDefinition<[], FaultsOptions> = {
  usage: 'faults',
  summary: 'inject faults while a servo pushes on a strict device; it must let go each time',
  examples: ['palpable bench faults', 'palpable bench faults --count 20 --seed 7'],
  options: (command) =>
    command
      .option('--count <faults>', 'number of faults', wholeNumber(1, 1_000_000), 200)
      .option(
        '--seed <number>',
        'seed of the faults; the same seed gives the same faults in the same order',
        wholeNumber(0, 2 ** 32 - 1),
        1,
      ),
  async run(context, { count, seed }) {
    const onProgress = (done: number) => context.progress.update('Breaking things', done / count);
    const report = await runFaults({ count, seed }, onProgress);
    printReport(context, report, () => formatFaultsReport(report));
    return report.failures.length === 0 ? ExitCode.done : ExitCode.difference;
  },
};

interface FaultsOptions {
  /** Number of faults. */
  readonly count: number;
  /** The same seed gives the same faults in the same order. */
  readonly seed: number;
}

/** What came of the faults of one kind. */
export interface FaultTally {
  readonly kind: FaultKind;
  count: number;
  /** The oldest push, whoever was late, ms. */
  worstAgeMs: number;
  /**
   * From the fault, or from the Ctrl-C after one that was survived, to the released field, or to no force where it may
   * come back, whoever was late, ms.
   */
  worstReleaseMs: number;
  violations: number;
}

/** A rule that was broken, with what it takes to see it again. */
export interface FaultFailure {
  readonly index: number;
  readonly kind: FaultKind;
  readonly problem: string;
}

/** `starts`: Servos that were started: those that survive a fault get the next one. */
export type FaultsReport = Awaited<ReturnType<typeof runFaults>>;

export type FaultKind = (typeof SURVIVED)[number] | (typeof ENDING)[number];

/** After these it goes on, and pushes again. */
const SURVIVED = [
  'process stopped',
  'link dropped',
  'device silent',
  'clock jumps',
  'loop hangs briefly',
  'recorder hangs briefly',
  'contacts die',
  'contacts hang',
  'recorder dies',
  'disk full',
] as const;

/** These end it. */
const ENDING = [
  'loop throws',
  'loop dies',
  'loop hangs',
  'module throws',
  'module rejects',
  'stderr closed',
  'stdout closed',
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'SIGQUIT',
  'SIGKILL',
] as const;

const EXIT_CODES: Readonly<Partial<Record<FaultKind, readonly number[]>>> = {
  'loop throws': [2],
  'loop dies': [2],
  'loop hangs': [2],
  'module throws': [1],
  'module rejects': [1],
  SIGTERM: [143],
  SIGHUP: [129],
  SIGQUIT: [131],
  SIGKILL: [137],
};

/**
 * A fault with its number, drawn before anything runs, so that a seed is a list of faults. `ms`: How long it lasts,
 * where that can be chosen, ms.
 */
type Fault = ReturnType<typeof drawFaults>[number];

/** Most faults that one servo gets: so that an ending is seen often, too. */
const FAULTS_PER_SERVO = 5;
/** Of a stop, a silence or a hang that is survived, ms. */
const [SHORTEST_MS, LONGEST_MS] = [20, 300];

/** After this nothing of a stop is left in the lateness of the control, ms. */
const SETTLE_MS = 600;

/** Lets `count` faults happen to servos that push on a strict device, and judges every one. */
async function runFaults(options: FaultsOptions, onProgress: (done: number) => void) {
  const started = wallMs();
  const run = new FaultRun();
  try {
    const faults = drawFaults(options);
    for (const fault of faults) {
      await run.run(fault);
      onProgress(fault.index + 1);
    }
    await run.finish();
    const { count, seed } = options;
    return { count, seed, ...run.result(), seconds: (wallMs() - started) / 1000 };
  } finally {
    run.dispose();
  }
}

/** Each kind once before any comes again. */
function drawFaults({ count, seed }: FaultsOptions) {
  const random = createRandom(seed);
  const deck: FaultKind[] = [];
  return Array.from({ length: count }, (_, index) => {
    if (deck.length === 0) deck.push(...SURVIVED, ...ENDING);
    const kind = deck.splice(Math.floor(random() * deck.length), 1)[0]!;
    return { index, kind, ms: Math.round(SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS)) };
  });
}

/** Numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A servo with its device; `faults` are those that it has survived so far. */
interface Pair {
  readonly servo: RunningServo;
  readonly receiver: Receiver;
  readonly recording: string;
  readonly hasModule: boolean;
  faults: number;
  /** Nothing more is written after the recorder died or the disk was full. */
  isRecordingCut: boolean;
}

class FaultRun {
  readonly #folder = mkdtempSync(join(tmpdir(), 'palpable-faults-'));
  readonly #tallies = new Map<FaultKind, FaultTally>();
  readonly #failures: FaultFailure[] = [];
  #starts = 0;
  #pair: Pair | null = null;
  #last: Fault | null = null;

  constructor() {
    // With contacts in a thread of their own, which can be lost as well.
    const scene = faultScene('modular');
    const other = { ...scene.bodies.block, position: [0.06, 0, 0.03] };
    this.#write('plate.json', scene);
    this.#write('two.json', { ...scene, bodies: { ...scene.bodies, other }, tool: ['block', 'other'] });
  }

  #write(name: string, scene: unknown): void {
    writeFileSync(join(this.#folder, name), JSON.stringify(scene));
  }

  result() {
    return { tallies: [...this.#tallies.values()], failures: this.#failures, starts: this.#starts };
  }

  dispose(): void {
    if (this.#pair) this.#discard(this.#pair);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async run(fault: Fault): Promise<void> {
    const tally = this.#tallyOf(fault.kind);
    tally.count += 1;
    try {
      const needsModule = fault.kind.startsWith('module');
      if (this.#pair && (this.#pair.hasModule !== needsModule || this.#pair.faults >= FAULTS_PER_SERVO)) {
        await this.finish();
      }
      this.#pair ??= await this.#start(needsModule);
      this.#last = fault;
      await untilPushing(this.#pair.receiver, this.#pair.servo);
      await this.#pair.receiver.ask({ kind: 'reset' });
      if (isSurvived(fault.kind)) await this.#survive(this.#pair, fault, fault.kind);
      else await this.#end(this.#pair, fault);
    } catch (error) {
      this.#fail(fault, (error as Error).message);
      if (this.#pair) this.#discard(this.#pair);
    }
  }

  /** Ends the servo that is still there, as Ctrl-C does. */
  async finish(): Promise<void> {
    const [pair, fault] = [this.#pair, this.#last];
    if (!pair || !fault) return;
    const cause = wallMs();
    pair.servo.child.kill('SIGINT');
    await this.#judgeEnd(pair, fault, cause, pair.isRecordingCut ? [0, 1, 2] : [0]);
  }

  async #start(hasModule: boolean): Promise<Pair> {
    this.#starts += 1;
    const folder = join(this.#folder, String(this.#starts));
    const recording = join(this.#folder, `${this.#starts}.mcap`);
    const receiver = await startReceiver();
    const servo = startServo({
      folder,
      args: [
        ...[join(this.#folder, hasModule ? 'two.json' : 'plate.json'), '--stdin', '--record', recording],
        ...['--device', `block=${receiver.device}`, ...(hasModule ? ['--device', `other=${FAULT_MODULE}`] : [])],
      ],
    });
    return { servo, receiver, recording, hasModule, faults: 0, isRecordingCut: false };
  }

  async #survive(pair: Pair, fault: Fault, kind: (typeof SURVIVED)[number]): Promise<void> {
    pair.faults += 1;
    const cause = wallMs();
    await this.#inject(pair, kind, fault.ms);
    // A contact thread lets go softly and comes back by itself; the others end with the fault.
    await pause(100);
    await untilPushing(pair.receiver, pair.servo);
    const { connections } = await pair.receiver.ask({ kind: 'report' });
    this.#noteAge(fault, connections);
    for (const violation of blame(pair.servo, connections)) this.#fail(fault, describeViolation(violation, cause));
    if (pair.isRecordingCut) await this.finish();
  }

  async #inject(pair: Pair, kind: (typeof SURVIVED)[number], ms: number): Promise<void> {
    const { servo, receiver } = pair;
    const spin = async (target: string) => {
      await servo.order({ target, action: 'spin', ms });
      await pause(ms);
    };
    const cutRecording = (action: 'throw' | 'disk-full') => {
      pair.isRecordingCut = true;
      return servo.order({ target: 'recorder-worker', action });
    };
    const faults: Record<typeof kind, () => Promise<unknown>> = {
      'process stopped': async () => {
        servo.child.kill('SIGSTOP');
        await pause(ms);
        servo.child.kill('SIGCONT');
        // The control was stopped as well: what comes next is judged without that.
        await pause(SETTLE_MS);
      },
      'link dropped': () => receiver.ask({ kind: 'drop' }),
      'device silent': async () => {
        await receiver.ask({ kind: 'silence', silent: true });
        await pause(ms);
        await receiver.ask({ kind: 'silence', silent: false });
      },
      // By up to five hours back or forth.
      'clock jumps': () => servo.order({ target: 'all', action: 'clock', ms: 1e5 * (ms - LONGEST_MS / 2) }),
      'loop hangs briefly': () => spin('loop-worker'),
      'recorder hangs briefly': () => spin('recorder-worker'),
      'contacts die': () => servo.order({ target: 'contact-worker', action: 'throw' }),
      'contacts hang': () => spin('contact-worker'),
      'recorder dies': () => cutRecording('throw'),
      'disk full': () => cutRecording('disk-full'),
    };
    await faults[kind]();
  }

  async #end(pair: Pair, fault: Fault): Promise<void> {
    const cause = await this.#causeEnd(pair, fault.kind);
    if (fault.kind === 'SIGKILL') await this.#judgeKill(pair, fault);
    else await this.#judgeEnd(pair, fault, cause, EXIT_CODES[fault.kind] ?? [0]);
  }

  async #causeEnd({ servo }: Pair, kind: FaultKind): Promise<number> {
    if (kind === 'loop throws') return servo.order({ target: 'loop-worker', action: 'throw' });
    if (kind === 'loop dies') return servo.order({ target: 'loop-worker', action: 'exit' });
    if (kind === 'loop hangs') return servo.order({ target: 'loop-worker', action: 'spin' });
    if (kind === 'module throws') return servo.order({ target: 'module', action: 'throw' });
    if (kind === 'module rejects') return servo.order({ target: 'module', action: 'reject' });
    const cause = wallMs();
    if (kind === 'stderr closed' || kind === 'stdout closed') {
      servo.child[kind === 'stderr closed' ? 'stderr' : 'stdout'].destroy();
      // Found out when something is said there: the answer to a command, or the report at the end.
      servo.child.stdin.write(kind === 'stderr closed' ? 'set friction.coefficient 0.6\n' : 'stop\n');
    } else servo.child.kill(kind as NodeJS.Signals);
    return cause;
  }

  async #judgeEnd(pair: Pair, fault: Fault, cause: number, codes: readonly number[]): Promise<void> {
    const { servo, receiver, recording, isRecordingCut } = pair;
    const hangs = fault.kind === 'loop hangs';
    // A loop that hangs may come back, so that only its force goes at once.
    const waitMs = hangs ? GIVE_UP_MS : 0;
    await Promise.race([servo.exited, pause(2 * GIVE_UP_MS)]);
    const report = await receiver.ask({ kind: 'report' });
    const { problems, releaseMs } = judgeRelease(servo, report, cause, RELEASE_MS + waitMs);
    const restMs = hangs ? (restAfter(report.connections.at(-1)!, 'zero', cause) ?? Number.NaN) - cause : releaseMs;
    const fairMs = restMs - servo.lateBetween(cause, cause + restMs);
    if (hangs && !(fairMs <= NOTICE_MS)) problems.push(`the force of the loop was gone after ${restMs.toFixed(0)} ms`);
    problems.push(...judgeExit(servo, cause, { codes, withinMs: EXIT_MS + waitMs }));
    problems.push(...(await judgeRecording(recording, !isRecordingCut, false)));
    const tally = this.#tallyOf(fault.kind);
    tally.worstReleaseMs = Math.max(tally.worstReleaseMs, restMs);
    this.#noteAge(fault, report.connections);
    for (const problem of problems) this.#fail(fault, problem);
    this.#discard(pair);
  }

  /** Nobody can let go after that; the other side hears the end of the connection. */
  async #judgeKill(pair: Pair, fault: Fault): Promise<void> {
    const { receiver, recording } = pair;
    await waitFor('the end of the connection', async () => {
      return (await receiver.ask({ kind: 'report' })).connections.at(-1)!.closedBy === 'peer';
    });
    for (const problem of await judgeRecording(recording, false, false)) this.#fail(fault, problem);
    this.#discard(pair);
  }

  #discard({ servo, receiver }: Pair): void {
    this.#pair = null;
    this.#last = null;
    if (!servo.exit) servo.child.kill('SIGKILL');
    receiver.stop();
  }

  /** A process that is stopped can do nothing about the age of its push. */
  #noteAge({ kind, ms }: Fault, connections: readonly ConnectionReport[]): void {
    const tally = this.#tallyOf(kind);
    const stoppedMs = kind === 'process stopped' ? ms : 0;
    for (const { worstAgeMs } of connections) tally.worstAgeMs = Math.max(tally.worstAgeMs, worstAgeMs - stoppedMs);
  }

  #fail({ index, kind }: Fault, problem: string): void {
    this.#failures.push({ index, kind, problem });
    this.#tallyOf(kind).violations += 1;
  }

  #tallyOf(kind: FaultKind): FaultTally {
    const known = this.#tallies.get(kind) ?? { kind, count: 0, worstAgeMs: 0, worstReleaseMs: 0, violations: 0 };
    this.#tallies.set(kind, known);
    return known;
  }
}

function isSurvived(kind: FaultKind): kind is (typeof SURVIVED)[number] {
  return (SURVIVED as readonly string[]).includes(kind);
}

/** The report for people: a line per kind of fault, then every rule that was broken. */
function formatFaultsReport({ count, seed, tallies, failures, starts, seconds }: FaultsReport): string {
  const rows = tallies
    .toSorted((a, b) => a.kind.localeCompare(b.kind))
    .map(({ kind, count: times, worstAgeMs, worstReleaseMs, violations }) => ({
      fault: kind,
      count: times,
      'worst age ms': Math.round(worstAgeMs),
      'worst release ms': Math.round(worstReleaseMs),
      violations,
    }));
  const verdict = failures.length === 0 ? 'no rule broken' : `${failures.length} VIOLATIONS`;
  return [
    `${count} faults, seed ${seed}: ${verdict}; ${starts} servos, ${seconds.toFixed(1)} s in all.`,
    formatTable(rows),
    ...failures.map(({ index, kind, problem }) => `Fault ${index} of seed ${seed} (${kind}): ${problem}`),
  ].join('\n');
}
