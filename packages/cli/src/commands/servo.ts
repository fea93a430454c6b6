import { createInterface } from 'node:readline';
import {
  cellOf,
  faultWords,
  type LiveEvent,
  openTelemetry,
  PalpableError,
  TELEMETRY_CYCLES,
  TELEMETRY_DROPPED,
  TELEMETRY_FAULTS_SEEN,
  TELEMETRY_MISSED,
  TELEMETRY_WORST_CYCLE_US,
  TELEMETRY_WORST_LATE_US,
} from '@palpable/engine';
import { serveVrpn, type VrpnServer } from '../device/vrpn/vrpn-server.js';
import { openAssetCache } from '../prepare/asset-cache.js';
import { recordingFormatOf } from '../record/create-recorder.js';
import { type RunningRecorder, startRecorder } from '../record/start-recorder.js';
import { checkSceneFile } from '../scene/load-scene.js';
import { DEVICE_KINDS } from '../servo/device-request.js';
import { readTypedCommand, TYPED_COMMANDS } from '../servo/live-command-line.js';
import { closeLinks, createSetup, type OpenedLive, openLive, prepareLiveScene } from '../servo/open-live.js';
import { describeRecording } from '../servo/recording-options.js';
import { type RunningLoop, startLoop } from '../servo/start-loop.js';
import { describeHand } from '../servo/status-line.js';
import { printJson } from '../terminal/json.js';
import { positiveNumber, wholeNumber } from '../terminal/option-values.js';
import { formatNumber } from '../terminal/table.js';
import type { CommandContext, CommandDefinition } from './command.js';

interface ServoFlags {
  readonly device?: readonly string[];
  readonly seconds?: number;
  readonly record?: string;
  readonly overwrite?: boolean;
  readonly stdin?: boolean;
  readonly serveVrpn?: number;
  readonly oneThread?: boolean;
  readonly cache?: string;
}

export const servoCommand: CommandDefinition<[scene: string], ServoFlags> = {
  usage: 'servo <scene>',
  summary: 'feel a scene through a device, a thousand times a second and without a window',
  examples: [
    'palpable servo scenes/corner-cube.json --seconds 10',
    'palpable servo scenes/corner-cube.json --device vrpn:Phantom0@localhost --record felt.mcap',
    'palpable servo scenes/clip-two-hands.json --device clip=haply --device pipe=simulated',
  ],
  options: (command) =>
    command
      .option('--device <device>', `one per tool, as tool=device when there are several: ${describeKinds()}`, collect)
      .option('--seconds <number>', 'end after so long (default: at Ctrl-C)', positiveNumber)
      .option('--record <file>', 'write every cycle to a file, .mcap or .csv')
      .option('--overwrite', 'replace the recording if it is there already')
      .option('--stdin', `take commands from standard input, one a line: ${TYPED_COMMANDS}`)
      .option(
        '--one-thread',
        'find contacts in the loop itself, so that a recording of modular or deformable can be replayed',
      )
      .option('--serve-vrpn <port>', 'show the tools to VRPN clients on this machine', wholeNumber(1, 65_535))
      .option('--cache <folder>', 'where prepared assets are kept (default: the folder of the system for caches)'),
  async run(context, flags, scenePath) {
    const signal = context.interrupt();
    const line = createStatusLine(context);
    const opened = await openLive({
      scenePath,
      devices: flags.device ?? [],
      cache: openAssetCache(flags.cache),
      record: flags.record !== undefined,
      oneThread: flags.oneThread === true,
      onLog: line.log,
      onProgress: context.progress.update,
      signal,
    });
    context.progress.done();
    const host = await startHost(opened, flags, line.log);
    try {
      await watch(host, flags, signal, line);
    } finally {
      await host.stop();
      line.clear();
    }
    report(context, host, flags);
    return undefined;
  },
};

function describeKinds(): string {
  return Object.values(DEVICE_KINDS).join('; ');
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** A loop with all that is connected to it. */
interface ServoHost {
  opened: OpenedLive;
  readonly loop: RunningLoop;
  readonly recorder: RunningRecorder | null;
  readonly servers: readonly VrpnServer[];
  /** The newest row of each hand. */
  readonly newest: Float64Array[];
  look(): void;
  /** Another scene with the same devices. */
  load(path: string): Promise<void>;
  recorded: { readonly rows: number; readonly dropped: number; readonly bytes: number } | null;
  stop(): Promise<void>;
}

async function startHost(opened: OpenedLive, flags: ServoFlags, log: (line: string) => void): Promise<ServoHost> {
  const tools = opened.hands.map(({ hand }) => hand.tool);
  const ring = opened.setup.memory.rows;
  const recorder =
    flags.record !== undefined && ring
      ? await startRecorder({
          ring,
          path: flags.record,
          format: recordingFormatOf(flags.record),
          info: describeRecording(flags.record, opened),
          overwrite: flags.overwrite === true,
          onError: ({ message }) => log(message),
        })
      : null;
  const onEvent = ({ cycle, command, problem }: LiveEvent) => {
    recorder?.event({ cycle, hand: null, kind: 'command', command, ...(problem !== undefined && { problem }) });
  };
  const loop = await startLoop(opened.setup, onEvent, log);
  recorder?.begin(Date.now());
  const servers = await serveTools(tools, flags.serveVrpn, log);
  let readers = tools.map((_, hand) => openTelemetry(opened.setup.memory, hand));
  const host: ServoHost = {
    opened,
    loop,
    recorder,
    servers,
    newest: readers.map(({ block }) => block),
    recorded: null,
    look() {
      readers.forEach((reader, hand) => {
        if (reader.take()) host.newest[hand] = reader.block;
      });
    },
    async load(path) {
      const { setup, ...live } = await reopen(host.opened, path, flags);
      await loop.load(setup);
      readers = tools.map((_, hand) => openTelemetry(setup.memory, hand));
      host.opened = { ...live, setup };
    },
    async stop() {
      await loop.stop().catch(() => {});
      await Promise.all([closeLinks(host.opened.hands), ...servers.map((server) => server.close())]);
      if (recorder) host.recorded = await recorder.stop();
    },
  };
  return host;
}

async function reopen(opened: OpenedLive, path: string, { cache, oneThread }: ServoFlags): Promise<OpenedLive> {
  const tools = opened.hands.map(({ hand }) => hand.tool);
  const live = await prepareLiveScene(await checkSceneFile(path), tools, { cache: openAssetCache(cache) });
  return { ...live, hands: opened.hands, setup: createSetup(live, opened.hands, null, oneThread) };
}

/** The first tool on the port that was asked for, the others on those after it. */
async function serveTools(
  tools: readonly string[],
  port: number | undefined,
  onLog: (line: string) => void,
): Promise<VrpnServer[]> {
  if (port === undefined) return [];
  return Promise.all(tools.map((name, index) => serveVrpn({ name, port: port + index, onLog })));
}

const STATUS_EVERY_MS = 100;
const SERVE_EVERY_MS = 1;

async function watch(host: ServoHost, flags: ServoFlags, signal: AbortSignal, line: StatusLine): Promise<void> {
  const show = setInterval(() => line.show(host), STATUS_EVERY_MS);
  const serve = host.servers.length > 0 ? setInterval(() => serveNewest(host), SERVE_EVERY_MS) : undefined;
  const typed = flags.stdin === true ? createInterface({ input: process.stdin }) : null;
  try {
    await new Promise<void>((resolve, reject) => {
      if (flags.seconds !== undefined) setTimeout(resolve, 1000 * flags.seconds);
      signal.addEventListener('abort', () => resolve());
      host.loop.ended.then(resolve, reject);
      // One after the other: a scene takes a while, and what comes after it is meant for it.
      let before = Promise.resolve();
      typed?.on('line', (text) => {
        before = before.then(async () => {
          if (await obey(host, text, line.log)) resolve();
        });
      });
    });
  } finally {
    clearInterval(show);
    clearInterval(serve);
    typed?.close();
    host.look();
  }
}

/** True when that was the end. What cannot be done is told, and everything goes on. */
async function obey(host: ServoHost, text: string, log: (line: string) => void): Promise<boolean> {
  try {
    const command = readTypedCommand(text);
    if (!command) return false;
    if (command.kind === 'stop') return true;
    if (command.kind === 'scene') {
      if (host.recorder)
        throw new PalpableError('option-invalid', 'A recording holds one scene: stop, and record anew.');
      await host.load(command.path);
      log(`now feeling ${command.path}`);
      return false;
    }
    const { problem } = await host.loop.command(command);
    log(problem ?? `done: ${text.trim()}`);
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
  }
  return false;
}

function serveNewest(host: ServoHost): void {
  host.look();
  host.newest.forEach((row, hand) => {
    host.servers[hand]!.setPose(
      POSE.map((column) => cellOf(row, column)),
      cellOf(row, 'buttons'),
    );
    host.servers[hand]!.setWrench(WRENCH.map((column) => cellOf(row, column)));
  });
}

const POSE = ['tpx', 'tpy', 'tpz', 'tqx', 'tqy', 'tqz', 'tqw'] as const;
const WRENCH = ['fx', 'fy', 'fz', 'tx', 'ty', 'tz'] as const;

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
      const hands = host.opened.hands.map(({ hand, link }, index) => {
        const state = link && link.state !== 'connected' ? `  ${link.state}` : '';
        return describeHand(hand.tool, host.newest[index]!) + state;
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
        `the latest came ${formatNumber(worstLateUs)} µs late, the longest took ${formatNumber(worstCycleUs)} µs.` +
        `${faultsSeen.length > 0 ? ` Faults: ${faultsSeen.join(', ')}.` : ''}\n`,
    );
  }
  if (record !== undefined && recorded) {
    stdout.write(
      `${record}: ${formatNumber(recorded.rows)} rows, ${formatNumber(recorded.bytes / 1e6)} MB, ${formatNumber(recorded.dropped)} dropped.\n`,
    );
  }
}
