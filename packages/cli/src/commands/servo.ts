import { createInterface } from 'node:readline';
import { type LiveCommand, PalpableError } from '@palpable/engine';
import {
  cellOf,
  faultWords,
  lengthOf,
  STATE_NAMES,
  TELEMETRY_CYCLES,
  TELEMETRY_DROPPED,
  TELEMETRY_FAULTS_SEEN,
  TELEMETRY_MISSED,
  TELEMETRY_WORST_CYCLE_US,
  TELEMETRY_WORST_LATE_US,
} from '@palpable/engine/advanced';
import { DEVICE_KINDS } from '../servo/device-request.js';
import { ServoHost } from '../servo/servo-host.js';
import { ExitCode } from '../terminal/exit-codes.js';
import { interruptCode } from '../terminal/interrupt.js';
import { printJson } from '../terminal/json.js';
import { positiveNumber, wholeNumber } from '../terminal/option-values.js';
import { formatNumber } from '../terminal/table.js';
import type { CommandContext, CommandDefinition } from './command.js';
import { addCacheOption, type CacheOption, preparing } from './shared-options.js';

interface ServoFlags extends CacheOption {
  readonly device?: readonly string[];
  readonly seconds?: number;
  readonly record?: string;
  readonly overwrite?: boolean;
  readonly stdin?: boolean;
  readonly serveVrpn?: number;
  readonly stopButton?: number;
  readonly oneThread?: boolean;
}

/** Keys on a terminal, while no commands are typed there. */
const KEYS = 'Space is the emergency stop, R releases it, P pauses, C continues, Q ends';

export const servoCommand: CommandDefinition<[scene: string], ServoFlags> = {
  usage: 'servo <scene>',
  summary: `feel a scene through a device, a thousand times a second, without a window; on a terminal ${KEYS}`,
  examples: [
    'palpable servo scenes/corner-cube.json --seconds 10',
    'palpable servo scenes/corner-cube.json --device vrpn:Phantom0@localhost --record felt.mcap',
    'palpable servo scenes/clip-two-hands.json --device clip=haply --device pipe=simulated',
  ],
  options: (command) =>
    addCacheOption(
      command
        .option('--device <device>', `one per tool, as tool=device if there are several: ${describeKinds()}`, collect)
        .option('--seconds <number>', 'stop after this many seconds (default: at Ctrl-C)', positiveNumber)
        .option('--record <file>', 'write every cycle to a file, .mcap or .csv')
        .option('--overwrite', 'replace the recording if it exists')
        .option('--stdin', `read commands from standard input, one per line: ${TYPED_COMMANDS}`)
        .option(
          '--one-thread',
          'find contacts in the loop itself, so a recording of modular or deformable can be replayed',
        )
        .option('--serve-vrpn <port>', 'show the tools to VRPN clients on this machine', wholeNumber(1, 65_535))
        .option('--stop-button <number>', 'device button, from 0, that is an emergency stop', wholeNumber(0, 30)),
    ),
  async run(context, flags, scenePath) {
    const prepare = preparing(context, flags);
    const { signal } = prepare;
    const line = createStatusLine(context);
    const { overwrite = false, oneThread = false, serveVrpn, stopButton } = flags;
    const host = new ServoHost({
      scenePath,
      devices: flags.device ?? [],
      record: flags.record,
      overwrite,
      oneThread,
      ...(serveVrpn !== undefined && { serveVrpn }),
      ...(stopButton !== undefined && { stopButton }),
      onLog: line.log,
      ...prepare,
    });
    try {
      await host.open();
      context.progress.done();
      await watch(host, flags, signal, line);
    } finally {
      await host.end();
      line.clear();
    }
    report(context, host, flags);
    if (host.recorded?.problem) return ExitCode.badInput;
    // Ctrl-C is the usual end.
    return signal.aborted && interruptCode() !== ExitCode.interrupted ? interruptCode() : undefined;
  },
};

function describeKinds(): string {
  return Object.values(DEVICE_KINDS).join('; ');
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

const STATUS_EVERY_MS = 100;

async function watch(host: ServoHost, flags: ServoFlags, signal: AbortSignal, line: StatusLine): Promise<void> {
  const show = setInterval(() => line.show(host), STATUS_EVERY_MS);
  const typed = flags.stdin === true ? createInterface({ input: process.stdin }) : null;
  const keys = typed ? null : listenToKeys((text) => void obey(host, text, line.log));
  let limit: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      if (signal.aborted) resolve();
      if (flags.seconds !== undefined) limit = setTimeout(resolve, 1000 * flags.seconds);
      onAbort = () => resolve();
      signal.addEventListener('abort', onAbort);
      host.failed.catch(reject);
      // One after the other: a scene takes a while, and what comes after it is meant for it.
      let before = Promise.resolve();
      typed?.on('line', (text) => {
        // But for the emergency stop, which waits for nothing.
        if (text.trim() === 'halt') return void obey(host, text, line.log);
        before = before.then(async () => {
          if (await obey(host, text, line.log)) resolve();
        });
      });
    });
  } finally {
    clearInterval(show);
    clearTimeout(limit);
    signal.removeEventListener('abort', onAbort);
    typed?.close();
    keys?.close();
  }
}

/** True when that was the end. What cannot be done is reported, and everything goes on. */
async function obey(host: ServoHost, text: string, log: (line: string) => void): Promise<boolean> {
  try {
    const command = readTypedCommand(text);
    if (!command) return false;
    if (command.kind === 'stop') return true;
    if (command.kind === 'scene') {
      if (host.isRecording)
        throw new PalpableError('option-invalid', 'A recording holds one scene: stop, then record again.');
      await host.load(command.path);
      log(`now rendering ${command.path}`);
      return false;
    }
    const { problem } = await host.command(command);
    log(problem ?? `done: ${text.trim()}`);
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
  }
  return false;
}

interface StatusLine {
  show(host: ServoHost): void;
  log(line: string): void;
  clear(): void;
}

/** The state of things on a terminal; elsewhere only what happens. */
function createStatusLine({ stderr }: CommandContext): StatusLine {
  const isTerminal = (stderr as { isTTY?: boolean }).isTTY === true;
  const clear = () => {
    if (isTerminal) stderr.write('\r\x1b[2K');
  };
  return {
    clear,
    show(host) {
      host.look();
      if (!isTerminal) return;
      const hands = host.opened.hands.map(({ hand, linkState }, index) => {
        const state = linkState();
        return describeHand(hand.tool, host.newest[index]!) + (state && state !== 'connected' ? `  ${state}` : '');
      });
      const { columns = 80 } = stderr as { columns?: number };
      clear();
      stderr.write(hands.join(' | ').slice(0, columns - 1));
    },
    log(line) {
      clear();
      stderr.write(`palpable: ${line}\n`);
    },
  };
}

function report(
  { stdout, json }: CommandContext,
  { newest, opened, recorded }: ServoHost,
  { record }: ServoFlags,
): void {
  const hands = opened.hands.map(({ hand, request }, index) => {
    const row = newest[index]!;
    return {
      tool: hand.tool,
      device: request.kind,
      seconds: cellOf(row, 'time'),
      cycles: row[TELEMETRY_CYCLES]!,
      missed: row[TELEMETRY_MISSED]!,
      worstLateUs: row[TELEMETRY_WORST_LATE_US]!,
      worstCycleUs: row[TELEMETRY_WORST_CYCLE_US]!,
      energy: cellOf(row, 'energy'),
      faultsSeen: faultWords(row[TELEMETRY_FAULTS_SEEN]!),
      dropped: row[TELEMETRY_DROPPED]!,
    };
  });
  if (json) {
    printJson(
      { scene: opened.file.path, hands, recording: record === undefined ? null : { file: record, ...recorded } },
      stdout,
    );
    return;
  }
  for (const { tool, device, seconds, cycles, missed, worstLateUs, worstCycleUs, faultsSeen } of hands) {
    stdout.write(
      `${tool}, ${device}: ${formatNumber(cycles)} cycles in ${formatNumber(seconds)} s, ${formatNumber(missed)} missed; ` +
        `the latest began ${formatNumber(worstLateUs)} µs late, the longest took ${formatNumber(worstCycleUs)} µs.` +
        `${faultsSeen.length > 0 ? ` Faults: ${faultsSeen.join(', ')}.` : ''}\n`,
    );
  }
  if (record !== undefined && recorded) {
    stdout.write(
      `${record}: ${formatNumber(recorded.rows)} rows, ${formatNumber(recorded.bytes / 1e6)} MB, ${formatNumber(recorded.dropped)} dropped.\n`,
    );
  }
}

/** What a user types while a scene runs. */
export type TypedCommand = LiveCommand | { readonly kind: 'scene'; readonly path: string };

export const TYPED_COMMANDS = 'pause, resume, halt, release, stop, set PATH VALUE, scene FILE';

/** Reads one line; null for an empty one. Throws a sentence that says what would be understood. */
export function readTypedCommand(line: string): TypedCommand | null {
  const text = line.trim();
  if (text === '') return null;
  if (isPlain(text)) return { kind: text };
  const set = /^set\s+(\S+)\s+(.+)$/.exec(text);
  if (set) return { kind: 'set', path: set[1]!, value: readValue(set[2]!) };
  const scene = /^scene\s+(.+)$/.exec(text);
  if (scene) return { kind: 'scene', path: scene[1]! };
  const message = `"${text.slice(0, 60)}" is not a command; the commands are ${TYPED_COMMANDS}.`;
  throw new PalpableError('option-invalid', message);
}

const PLAIN = ['pause', 'resume', 'halt', 'release', 'stop'] as const;

function isPlain(text: string): text is (typeof PLAIN)[number] {
  return (PLAIN as readonly string[]).includes(text);
}

/** JSON, or a word as it stands: `0.8`, `[0, 0, -9.81]`, `pyramid`. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A contact model of this age is no longer worth much, s. */
const STALE_AFTER = 0.1;

/** One hand in one line: what is rendered, and how the loop is doing. */
export function describeHand(tool: string, row: Float64Array): string {
  const contacts = cellOf(row, 'contacts');
  const faults = faultWords(cellOf(row, 'faults'));
  const parts = [
    `${cellOf(row, 'time').toFixed(1)} s`,
    tool,
    // First of all what is wrong: a narrow terminal cuts the rest off.
    ...faults,
    `${lengthOf(row, 'fx').toFixed(2)} N`,
    `${(1000 * lengthOf(row, 'tx')).toFixed(0)} mN m`,
    contacts === 0 ? 'free' : `${contacts} contacts ${STATE_NAMES[cellOf(row, 'friction_state')]}`,
    `${cellOf(row, 'us_cycle').toFixed(0)} µs`,
    `missed ${formatNumber(row[TELEMETRY_MISSED]!)}`,
  ];
  const age = cellOf(row, 'contact_age');
  if (cellOf(row, 'contact_rate') > 0) parts.push(`contacts ${cellOf(row, 'contact_rate').toFixed(0)} /s`);
  if (age > STALE_AFTER) parts.push(`no new contacts for ${age.toFixed(1)} s`);
  if (cellOf(row, 'gain') < 1) parts.push(`force at ${(100 * cellOf(row, 'gain')).toFixed(0)} %`);
  if (cellOf(row, 'damping') > 0) parts.push('damped');
  return parts.join('  ');
}

const COMMANDS: Readonly<Record<string, string>> = { ' ': 'halt', r: 'release', p: 'pause', c: 'resume' };
/** As a terminal gives them while it hands over every key: Ctrl-C, Ctrl-Z, Ctrl-\\, and our own. */
const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
  '\x03': 'SIGINT',
  q: 'SIGINT',
  '\x1a': 'SIGTSTP',
  '\x1c': 'SIGQUIT',
};

export interface TerminalKeys {
  close(): void;
}

/** Gives each key's command to `obey`, at once and without Enter. Null where there is no terminal to listen to. */
export function listenToKeys(obey: (command: string) => void): TerminalKeys | null {
  const { stdin } = process;
  if (!stdin.isTTY) return null;
  const hear = (keys: Buffer) => {
    for (const key of keys.toString().toLowerCase()) {
      if (SIGNALS[key]) process.kill(process.pid, SIGNALS[key]);
      else if (COMMANDS[key]) obey(COMMANDS[key]);
    }
  };
  const begin = () => stdin.setRawMode(true);
  begin();
  stdin.on('data', hear);
  // Whoever comes back from Ctrl-Z finds the terminal as the shell had it.
  process.on('SIGCONT', begin);
  const restore = () => stdin.setRawMode(false);
  process.on('exit', restore);
  return {
    close() {
      process.off('SIGCONT', begin);
      process.off('exit', restore);
      stdin.off('data', hear);
      restore();
      stdin.pause();
    },
  };
}
