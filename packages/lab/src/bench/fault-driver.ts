/*
 * Starts `palpable servo` with something to push, lets something go wrong, and judges how it ended: for the tests of its
 * endings and for `palpable bench faults`.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { McapIndexedReader } from '@mcap/core';
import { type Recording, readRecording } from '@palpable/cli/internal';
import { LIVE_WIDTH, lengthOf } from '@palpable/engine/advanced';
import type { ConnectionReport, JudgeLimits, Violation } from './fault-judge.js';
import {
  MODULE_FAULT_VARIABLE,
  MODULE_LOG_FILE,
  MODULE_ORDER_FILE,
  type ModuleFault,
  PRESS_AMPLITUDE,
  PRESS_Z,
} from './fault-module.js';
import { FAULT_FOLDER_VARIABLE, type FaultOrder, LATE_FILE, ORDER_FILE } from './fault-orders.js';
import type { ReceiverOptions, ReceiverReport, ReceiverRequest } from './fault-receiver.js';
import { type LatenessControl, type LateTick, lateBetween, wallMs, watchLateness } from './lateness.js';

/** Zero force and a released field are on the wire so long after whatever ends a servo. */
export const RELEASE_MS = 100;
/** The process has written its recording and is gone. */
export const EXIT_MS = 2000;
/** A loop that hangs is noticed after so long, and given up after so long. */
export const NOTICE_MS = 50;
export const GIVE_UP_MS = 5000;

/** What `palpable servo` asks of a VRPN device of which it knows nothing. */
const LIMITS: JudgeLimits = { force: 8, torque: 0.1, forceRate: 1600, torqueRate: 20 };
const DEVICE_NAME = 'Hand0';

/** A block that is pressed onto a plate; small, so that it is prepared at once. */
export function faultScene(method: 'penalty' | 'modular' = 'penalty') {
  const block = { mesh: { box: [0.02, 0.02, 0.02] }, position: [0, 0, 0.03], shell: { spacing: 0.004 } };
  return {
    palpable: 1,
    bodies: {
      plate: { mesh: { box: [0.2, 0.2, 0.02] }, field: { resolution: 48 } },
      block: { ...block, field: { resolution: 32 } },
    },
    tool: 'block',
    method: { kind: method },
    friction: { coefficient: 0.5 },
  };
}

const PROGRAM = fileURLToPath(new URL('../../../cli/bin/palpable.js', import.meta.url));
const HOOK = fileURLToPath(new URL('./fault-hook.js', import.meta.url));

/** For `--device`. */
export const FAULT_MODULE = `module:${fileURLToPath(new URL('./fault-module.js', import.meta.url))}`;

/** A receiver in a process of its own. */
export interface Receiver {
  readonly port: number;
  /** For `--device`. */
  readonly device: string;
  ask(request: Exclude<ReceiverRequest, { kind: 'start' }>): Promise<ReceiverReport>;
  stop(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(fileURLToPath(new URL('./fault-receiver.js', import.meta.url)), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting: ((report: ReceiverReport) => void)[] = [];
  child.on('message', (report: ReceiverReport) => waiting.shift()?.(report));
  const ask = (request: ReceiverRequest) =>
    new Promise<ReceiverReport>((resolve, reject) => {
      waiting.push(resolve);
      child.once('exit', (code) => reject(new Error(`the receiver left with code ${code}`)));
      child.send(request);
    }).finally(() => child.removeAllListeners('exit'));
  const options: ReceiverOptions = {
    ...{ name: DEVICE_NAME, port: 0, limits: LIMITS },
    ...{ z: PRESS_Z, amplitude: PRESS_AMPLITUDE },
  };
  const { port } = await ask({ kind: 'start', options });
  return { port, device: `vrpn:${DEVICE_NAME}@127.0.0.1:${port}`, ask, stop: () => void child.kill() };
}

export interface ServoStart {
  /** For the orders to this servo, and what it leaves behind. */
  readonly folder: string;
  /** Behind `palpable servo`. */
  readonly args: readonly string[];
  readonly moduleFault?: ModuleFault;
}

/** How a process left. Codes of signals as shells have them. */
export interface Exit {
  readonly at: number;
  readonly code: number;
}

export interface RunningServo {
  readonly folder: string;
  readonly child: ChildProcess & { readonly stdin: Writable; readonly stdout: Readable; readonly stderr: Readable };
  /** What it has said on standard error, with the time of each piece. */
  readonly said: { readonly at: number; readonly text: string }[];
  readonly exited: Promise<Exit>;
  exit: Exit | null;
  /** Resolves with the time at which it is done. */
  order(order: Omit<FaultOrder, 'id'>): Promise<number>;
  /** How late timers were that ran beside it, in the same process and in ours, ms: the machine's share of every delay. */
  lateBetween(from: number, to: number): number;
}

const SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGTERM: 15,
};

let ownControl: LatenessControl | null = null;

export function startServo({ folder, args, moduleFault }: ServoStart): RunningServo {
  mkdirSync(folder, { recursive: true });
  ownControl ??= watchLateness();
  const control = ownControl;
  const child = spawn(process.execPath, ['--import', HOOK, PROGRAM, 'servo', ...args], {
    stdio: 'pipe',
    env: {
      ...process.env,
      [FAULT_FOLDER_VARIABLE]: folder,
      ...(moduleFault && { [MODULE_FAULT_VARIABLE]: moduleFault }),
    },
  });
  const said: RunningServo['said'] = [];
  child.stderr.on('data', (chunk) => said.push({ at: wallMs(), text: String(chunk) }));
  child.stdout.resume();
  // A process that has gone takes no more commands.
  child.stdin.on('error', () => {});
  let orders = 0;
  const servo: RunningServo = {
    folder,
    child,
    said,
    exit: null,
    exited: new Promise((resolve) => {
      child.on('exit', (code, signal) => {
        servo.exit = { at: wallMs(), code: code ?? 128 + (SIGNALS[signal!] ?? 0) };
        // What it said last may still be on its way.
        setImmediate(() => resolve(servo.exit!));
      });
    }),
    async order(given) {
      orders += 1;
      const id = orders;
      const path = join(folder, given.target === 'module' ? MODULE_ORDER_FILE : ORDER_FILE);
      writeFileSync(`${path}.new`, JSON.stringify({ id, ...given }));
      renameSync(`${path}.new`, path);
      const acted = join(folder, `acted-${id}`);
      await waitFor(`${given.target} to ${given.action}`, () => existsSync(acted));
      return Number(readFileSync(acted, 'utf8'));
    },
    lateBetween: (from, to) =>
      lateBetween(readLateTicks(join(folder, LATE_FILE)), from, to) + control.between(from, to),
  };
  return servo;
}

function readLateTicks(path: string): LateTick[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => line.split(' ').map(Number) as unknown as LateTick);
}

export const pause = (ms: number): Promise<void> => setTimeout(ms);

/** However busy the machine is, ms. */
export const PATIENCE_MS = 45_000;

/** Checks every few milliseconds until there is something; throws when that takes too long. */
export async function waitFor<T>(
  what: string,
  check: () => T | Promise<T>,
  everyMs = 10,
): Promise<Exclude<T, null | undefined | false>> {
  const end = wallMs() + PATIENCE_MS;
  for (;;) {
    const found = await check();
    if (found) return found as Exclude<T, null | undefined | false>;
    if (wallMs() > end) throw new Error(`waited in vain for ${what}`);
    await pause(everyMs);
  }
}

/** N. More than a touch: something to let go. */
const PUSH = 0.5;

/** Resolves when the newest connection pushes. */
export async function untilPushing(receiver: Receiver, servo: RunningServo): Promise<void> {
  await waitFor('a push', async () => {
    if (servo.exit) throw new Error(`the servo ended before it pushed: ${tail(servo)}`);
    const last = (await receiver.ask({ kind: 'report' })).connections.at(-1);
    return last?.closedAt === null && last.lastForce > PUSH;
  });
}

function tail({ said }: RunningServo): string {
  return said
    .map(({ text }) => text)
    .join('')
    .trim()
    .slice(-300);
}

/** What was pushed on a device of a module: when the last push and the first rest after it were noted. */
export function readModuleLog(folder: string) {
  const path = join(folder, MODULE_LOG_FILE);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  const entries = lines.map((line) => line.split(' ') as [string, string]);
  const lastPush = entries.findLastIndex(([, what]) => what !== 'close' && Number(what) > 0);
  const letGo = entries[lastPush + 1];
  return {
    hasPushed: lastPush >= 0,
    isPushing: Number(entries.at(-1)?.[1]) > PUSH,
    letGoAt: lastPush >= 0 && letGo ? Number(letGo[0]) : null,
    closes: entries.filter(([, what]) => what === 'close').length,
  };
}

/** Violations that the sender's own process is to blame for: an old push counts only for the time that it could run. */
export function blame(servo: RunningServo, connections: readonly ConnectionReport[]): Violation[] {
  return connections.flatMap(({ violations }) =>
    violations.filter(({ rule, from, to, value, allowed }) => {
      return rule !== 'age' || value > allowed + servo.lateBetween(from, to);
    }),
  );
}

export function describeViolation({ rule, from, value, allowed, what }: Violation, cause: number): string {
  const numbers =
    rule === 'protocol' || rule === 'number' ? '' : `: ${value.toFixed(3)}, allowed ${allowed.toFixed(3)}`;
  return `${rule} at ${(from - cause).toFixed(0)} ms (${what})${numbers}`;
}

/** When the first rest after `cause` began that is never broken again; null for never. `wanted` is what counts as rest. */
export function restAfter({ changes }: ConnectionReport, wanted: 'zero' | 'released', cause: number): number | null {
  const isRest = (state: string) => state === 'released' || state === wanted;
  const lastOther = changes.findLastIndex(({ state }) => !isRest(state));
  const rest = changes[lastOther + 1];
  return rest ? Math.max(rest.at, cause) : null;
}

/** What is wrong with a release; how long it took, ms. */
export function judgeRelease(
  servo: RunningServo,
  { connections }: ReceiverReport,
  cause: number,
  allowedMs = RELEASE_MS,
): { problems: string[]; releaseMs: number } {
  const last = connections.at(-1);
  const at = last ? restAfter(last, 'released', cause) : null;
  const problems = blame(servo, connections).map((violation) => describeViolation(violation, cause));
  if (!last || last.lastPushAt === null) return { problems: ['it never pushed'], releaseMs: Number.NaN };
  if (at === null) {
    const { lastForce, lastRadius } = last;
    return {
      problems: [...problems, `never released: last ${lastForce.toFixed(2)} N, radius ${lastRadius} m`],
      releaseMs: Number.POSITIVE_INFINITY,
    };
  }
  const releaseMs = at - cause;
  const late = servo.lateBetween(cause, at);
  if (releaseMs > allowedMs + late) {
    problems.push(
      `released after ${releaseMs.toFixed(0)} ms; allowed ${allowedMs} ms, and ${late.toFixed(0)} for the machine`,
    );
  }
  return { problems, releaseMs };
}

/** How a process should have ended. */
export interface ExpectedExit {
  readonly codes: readonly number[];
  /** Since the cause, ms. */
  readonly withinMs?: number;
  /** Something that must stand on standard error. */
  readonly says?: RegExp;
}

export function judgeExit(
  servo: RunningServo,
  cause: number,
  { codes, withinMs = EXIT_MS, says }: ExpectedExit,
): string[] {
  const text = servo.said.map((piece) => piece.text).join('');
  const problems: string[] = [];
  const { exit } = servo;
  if (!exit) return ['it never ended'];
  if (!codes.includes(exit.code)) problems.push(`exit code ${exit.code}; expected ${codes.join(' or ')}`);
  const late = servo.lateBetween(cause, exit.at);
  if (exit.at - cause > withinMs + late)
    problems.push(`gone after ${(exit.at - cause).toFixed(0)} ms; allowed ${withinMs} ms`);
  if (/\n\s+at /.test(text)) problems.push(`a stack on standard error: ${text.slice(0, 200)}`);
  if (says && !says.test(text)) problems.push(`standard error does not say ${says}: ${text.slice(-300)}`);
  return problems;
}

/** N, of the last cycle of a hand. */
function lastForceOf({ count, rows }: Recording['hands'][number]): number {
  return lengthOf(rows.subarray((count - 1) * LIVE_WIDTH), 'fx');
}

/** The largest force of any hand in the newest row of a recording that may still be written, N; 0 without one. */
export async function newestForce(path: string): Promise<number> {
  if (!existsSync(path)) return 0;
  const recording = await readRecording(path).catch(() => null);
  return Math.max(0, ...(recording?.hands ?? []).filter(({ count }) => count > 0).map(lastForceOf));
}

/**
 * What is wrong with a recording. A `whole` one has its index, and an independent reader finds every cycle through it; of
 * another one our reader gets what is there. `endsAtRest`: no force in the last cycle of any hand.
 */
export async function judgeRecording(path: string, isWhole: boolean, endsAtRest: boolean): Promise<string[]> {
  if (!existsSync(path)) return ['there is no recording'];
  try {
    const recording = await readRecording(path);
    const rows = recording.hands.reduce((sum, { count }) => sum + count, 0);
    const problems = rows === 0 ? ['the recording is empty'] : [];
    if (isWhole) {
      if (recording.truncated || recording.end === null)
        problems.push(`the recording is cut off (${recording.damage})`);
      else problems.push(...(await judgeIndex(path, rows)));
    }
    if (endsAtRest) {
      for (const hand of recording.hands) {
        const force = lastForceOf(hand);
        if (force !== 0) problems.push(`the last cycle of ${hand.tool} has ${force.toFixed(2)} N`);
      }
    }
    return problems;
  } catch (error) {
    return [`the recording cannot be read: ${(error as Error).message}`];
  }
}

async function judgeIndex(path: string, rows: number): Promise<string[]> {
  const bytes = readFileSync(path);
  const readable = {
    size: async () => BigInt(bytes.length),
    read: async (offset: bigint, size: bigint) => bytes.subarray(Number(offset), Number(offset + size)),
  };
  const reader = await McapIndexedReader.Initialize({ readable });
  const topics = [...reader.channelsById.values()]
    .map(({ topic }) => topic)
    .filter((topic) => topic.endsWith('/cycle'));
  let found = 0;
  for await (const _ of reader.readMessages({ topics })) found += 1;
  return found === rows ? [] : [`@mcap/core finds ${found} cycles through the index, our reader ${rows}`];
}
