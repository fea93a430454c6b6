import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSceneFile, openAssetCache, prepareScene, soundScene } from '@palpable/cli/internal';
import {
  EXIT_MS,
  FAULT_MODULE,
  faultScene,
  GIVE_UP_MS,
  judgeExit,
  judgeRecording,
  judgeRelease,
  NOTICE_MS,
  newestForce,
  PATIENCE_MS,
  pause,
  RELEASE_MS,
  type Receiver,
  type RunningServo,
  readModuleLog,
  restAfter,
  startServo,
  untilPushing,
  waitFor,
} from '@palpable/lab/bench/fault-driver';
import { MODULE_LOG_FILE, type ModuleFault } from '@palpable/lab/bench/fault-module';
import { wallMs } from '@palpable/lab/bench/lateness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTurn } from './lib/receivers.js';

// However `palpable servo` ends, the motors let go: every ending with a device behind a socket, in a user's module and
// simulated. A strict device in a process of its own judges what it is sent. The machine may be busy: whatever is judged
// by the clock is judged beside timers that have nothing to do.

const playsAll = process.env.PALPABLE_TEST_ALL !== undefined;

type DeviceKind = 'vrpn' | 'module' | 'simulated';

/** One servo that runs and pushes. */
interface Run {
  readonly servo: RunningServo;
  readonly receiver: Receiver | null;
  readonly recording: string;
}

interface Ending {
  readonly name: string;
  /** All of them with `npm run test:all`; else the first alone, but for `ON_ALL_DEVICES`. */
  readonly devices: readonly DeviceKind[];
  readonly args?: readonly string[];
  readonly moduleFault?: ModuleFault;
  /** Brings the end about; returns when that was (ms since 1970), or null if nobody can know. */
  readonly end: (run: Run) => Promise<number | null>;
  readonly codes: readonly number[];
  readonly says?: RegExp;
  readonly exitMs?: number;
  readonly releaseMs?: number;
  /** `whole` with its index, or `readable` as far as it goes. */
  readonly recording?: 'whole' | 'readable';
  /** The loop itself took the force away, so that its last row has none. */
  readonly endsAtRest?: boolean;
  /** More to look at. */
  readonly check?: (run: Run, cause: number) => Promise<string[]>;
}

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'palpable-endings-'));
  const scene = faultScene();
  const { block } = scene.bodies;
  writeFileSync(join(folder, 'plate.json'), JSON.stringify(scene));
  const bodies = { ...scene.bodies, other: { ...block, position: [0.06, 0, 0.03] } };
  writeFileSync(join(folder, 'two.json'), JSON.stringify({ ...scene, bodies, tool: ['block', 'other'] }));
  // Once for all that follow.
  const two = join(folder, 'two.json');
  await prepareScene(soundScene(await checkSceneFile(two)), two, { cache: openAssetCache() });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const signal =
  (name: NodeJS.Signals) =>
  async ({ servo }: Run) => {
    const cause = wallMs();
    servo.child.kill(name);
    return cause;
  };

const type =
  (line: string) =>
  async ({ servo }: Run) => {
    const cause = wallMs();
    servo.child.stdin.write(`${line}\n`);
    return cause;
  };

const order =
  (target: string, action: 'throw' | 'exit' | 'reject' | 'spin') =>
  async ({ servo }: Run) =>
    servo.order({ target, action });

/** As `| head -1` does when it has its line. */
async function closePipes({ servo }: Run, ...names: ('stdout' | 'stderr')[]): Promise<void> {
  for (const name of names) {
    const stream = servo.child[name];
    stream.destroy();
    if (!stream.closed) await once(stream, 'close');
  }
}

const ENDINGS: readonly Ending[] = [
  {
    name: '--seconds',
    devices: ['vrpn', 'simulated'],
    args: ['--seconds', '2'],
    end: async () => null,
    codes: [0],
    endsAtRest: true,
  },
  { name: 'stop', devices: ['vrpn', 'module'], end: type('stop'), codes: [0], endsAtRest: true },
  {
    name: 'the end of standard input, after which it goes on, and Ctrl-C',
    devices: ['vrpn'],
    end: async (running) => {
      running.servo.child.stdin.end();
      await pause(300);
      await untilPushing(running.receiver!, running.servo);
      return signal('SIGINT')(running);
    },
    codes: [0],
    endsAtRest: true,
  },
  { name: 'SIGINT', devices: ['vrpn', 'module', 'simulated'], end: signal('SIGINT'), codes: [0], endsAtRest: true },
  { name: 'SIGTERM', devices: ['vrpn', 'simulated'], end: signal('SIGTERM'), codes: [143], endsAtRest: true },
  { name: 'SIGHUP', devices: ['vrpn', 'module'], end: signal('SIGHUP'), codes: [129], endsAtRest: true },
  { name: 'SIGQUIT', devices: ['vrpn'], end: signal('SIGQUIT'), codes: [131], endsAtRest: true },
  {
    name: 'standard output that nobody reads, and stop',
    devices: ['vrpn'],
    end: async (running) => {
      await closePipes(running, 'stdout');
      return type('stop')(running);
    },
    codes: [0],
    endsAtRest: true,
  },
  {
    name: 'standard error that nobody reads',
    devices: ['vrpn', 'module', 'simulated'],
    end: async (running) => {
      await closePipes(running, 'stderr');
      // It is found out when something is said.
      return type('set friction.coefficient 0.6')(running);
    },
    codes: [0],
    endsAtRest: true,
  },
  {
    name: 'both in a pipe that nobody reads',
    devices: ['vrpn'],
    end: async (running) => {
      await closePipes(running, 'stdout', 'stderr');
      return type('set friction.coefficient 0.6')(running);
    },
    codes: [0],
    endsAtRest: true,
  },
  {
    name: 'a module that throws in a timer',
    devices: ['module'],
    end: order('module', 'throw'),
    codes: [1],
    says: /palpable: .*lost its motor/,
    endsAtRest: true,
  },
  {
    name: 'a module that rejects a promise nobody waits for',
    devices: ['module'],
    end: order('module', 'reject'),
    codes: [1],
    says: /palpable: .*does not answer/,
    endsAtRest: true,
  },
  {
    name: 'a module that ends the process',
    devices: ['module'],
    end: order('module', 'exit'),
    codes: [1],
    says: /palpable: .*process\.exit/,
  },
  {
    name: 'a module that never closes, and stop',
    devices: ['module'],
    moduleFault: 'hang-close',
    end: type('stop'),
    codes: [0, 1],
    endsAtRest: true,
  },
  {
    name: 'a module that throws when it is closed, and stop',
    devices: ['module'],
    moduleFault: 'throw-close',
    end: type('stop'),
    codes: [1],
    says: /The module of a device failed: /,
    endsAtRest: true,
  },
  {
    name: 'a loop that throws',
    devices: ['vrpn', 'simulated'],
    end: order('loop-worker', 'throw'),
    codes: [2],
    says: /The loop was lost: /,
  },
  {
    name: 'a loop that dies',
    devices: ['vrpn', 'module'],
    end: order('loop-worker', 'exit'),
    codes: [2],
    says: /The loop was lost: /,
  },
  {
    name: 'a loop that hangs',
    devices: ['vrpn'],
    end: order('loop-worker', 'spin'),
    codes: [2],
    says: /The loop was lost: /,
    releaseMs: GIVE_UP_MS + RELEASE_MS,
    exitMs: GIVE_UP_MS + EXIT_MS,
    check: checkNoticed,
  },
  {
    name: 'a recorder that dies, after which it goes on, and Ctrl-C',
    devices: ['vrpn'],
    end: async (running) => {
      await order('recorder-worker', 'throw')(running);
      await pause(300);
      await untilPushing(running.receiver!, running.servo);
      return signal('SIGINT')(running);
    },
    codes: [1, 2],
    says: /palpable: .*recorder/i,
    recording: 'readable',
  },
];

/** What devices do not have in common shows in these. */
const ON_ALL_DEVICES = ['stop', 'SIGINT'];

function devicesOf({ name, devices }: Ending): readonly DeviceKind[] {
  return playsAll || ON_ALL_DEVICES.includes(name) ? devices : devices.slice(0, 1);
}

const SAID_ONCE_MS = 5000;

/** A loop that hangs has no force after 50 ms; a line says so when it has stood still for so long. */
async function checkNoticed({ servo, receiver }: Run, cause: number): Promise<string[]> {
  const problems: string[] = [];
  const allowed = (at: number) => NOTICE_MS + servo.lateBetween(cause, at);
  if (receiver) {
    const rest = restAfter((await receiver.ask({ kind: 'report' })).connections.at(-1)!, 'zero', cause);
    if (rest === null || rest - cause > allowed(rest))
      problems.push(`no rest within ${NOTICE_MS} ms: ${rest! - cause}`);
  }
  // One line in five seconds is enough for a loop that a busy machine holds up again and again.
  const line = servo.said.find(({ at, text }) => at > cause - SAID_ONCE_MS && /the loop stands still/.test(text));
  if (!line || line.at - cause > NOTICE_MS + allowed(line.at)) {
    problems.push(`said after ${line ? line.at - cause : Number.NaN} ms: ${line?.text}`);
  }
  return problems;
}

/** A servo that does not stay, whatever came of it. */
function withRun(
  name: string,
  device: DeviceKind,
  given: Pick<Ending, 'args' | 'moduleFault'>,
  action: (run: Run) => Promise<void>,
): Promise<void> {
  return inTurn(async (lane) => {
    const own = join(folder, name.replace(/\W+/g, '-'));
    const receiver = device === 'vrpn' ? lane : null;
    const recording = join(own, 'felt.mcap');
    const servo = startServo({
      folder: own,
      args: [
        ...[join(folder, 'plate.json'), '--device', receiver?.device ?? (device === 'module' ? FAULT_MODULE : device)],
        ...['--stdin', '--record', recording, ...(given.args ?? [])],
      ],
      ...(given.moduleFault && { moduleFault: given.moduleFault }),
    });
    try {
      await action({ servo, receiver, recording });
    } finally {
      await stopHard(servo);
    }
  });
}

async function stopHard(servo: RunningServo): Promise<void> {
  if (servo.exit) return;
  servo.child.kill('SIGKILL');
  await servo.exited;
}

/** Until something is felt: at the device, or by what is recorded of a device that is simulated. */
async function untilFelt({ servo, receiver, recording }: Run, device: DeviceKind): Promise<void> {
  if (receiver) return untilPushing(receiver, servo);
  const isFelt = async () =>
    device === 'module' ? readModuleLog(servo.folder).isPushing : (await newestForce(recording)) > 0.1;
  await waitFor(
    'something to feel',
    async () => {
      if (servo.exit) throw new Error(`it ended at once: ${textOf(servo)}`);
      return isFelt();
    },
    100,
  );
}

function textOf({ said }: RunningServo): string {
  return said.map(({ text }) => text).join('');
}

const HOW = { concurrent: true, retry: 0, timeout: 120_000 };

describe('the motors let go at the end of palpable servo', HOW, () => {
  const cases = ENDINGS.flatMap((ending) =>
    devicesOf(ending).map((device) => ({ title: `${device}: ${ending.name}`, device, ending })),
  );

  it.for(cases)('$title', ({ title, device, ending }) =>
    withRun(title, device, ending, async (running) => {
      const { servo, recording } = running;
      const { codes, says, exitMs = EXIT_MS, endsAtRest = false } = ending;
      if (ending.args === undefined) await untilFelt(running, device);
      const cause = await ending.end(running);
      await Promise.race([servo.exited, pause(cause === null ? PATIENCE_MS : exitMs + 3000)]);
      const ended = cause ?? servo.exit?.at ?? wallMs();
      const problems = judgeExit(servo, ended, { codes, withinMs: exitMs, ...(says && { says }) });
      problems.push(...(await judgeDevice(running, cause, ending.releaseMs ?? RELEASE_MS)));
      problems.push(...(await judgeRecording(recording, ending.recording !== 'readable', endsAtRest)));
      if (ending.check) problems.push(...(await ending.check(running, ended)));
      expect(problems).toEqual([]);
    }),
  );
});

/** What the device was given last, and when. */
async function judgeDevice({ servo, receiver }: Run, cause: number | null, allowedMs: number): Promise<string[]> {
  if (receiver) {
    const report = await receiver.ask({ kind: 'report' });
    const last = report.connections.at(-1);
    // When nobody knows when it was to end, only that it let go.
    const { problems } = judgeRelease(servo, report, cause ?? 0, cause === null ? Number.POSITIVE_INFINITY : allowedMs);
    if (last?.closedBy !== 'peer') problems.push(`the connection was closed by ${last?.closedBy}`);
    return problems;
  }
  if (!existsSync(join(servo.folder, MODULE_LOG_FILE))) return [];
  const { hasPushed, letGoAt, closes } = readModuleLog(servo.folder);
  if (!hasPushed) return ['the module was never given a force'];
  if (letGoAt === null) return [`the module was never made to let go (${closes} closes)`];
  const late = cause === null ? 0 : letGoAt - cause - servo.lateBetween(cause, letGoAt);
  return late > allowedMs ? [`let go after ${late} ms; allowed ${allowedMs} ms`] : [];
}

describe('what nobody can catch', HOW, () => {
  it('a process that is killed hangs up, and leaves a recording that can be read', () =>
    withRun('kill', 'vrpn', {}, async (running) => {
      const { servo, receiver, recording } = running;
      await untilFelt(running, 'vrpn');
      servo.child.kill('SIGKILL');
      const { at: goneAt } = await servo.exited;
      const closedAt = await waitFor('the end of the connection', async () => {
        const last = (await receiver!.ask({ kind: 'report' })).connections.at(-1)!;
        return last.closedBy === 'peer' ? last.closedAt : null;
      });
      expect(closedAt - goneAt).toBeLessThan(RELEASE_MS + servo.lateBetween(goneAt, closedAt));
      expect(await judgeRecording(recording, false, false)).toEqual([]);
    }));

  it('a process that is stopped says nothing, so that a device must let go by itself; it comes back gently', () =>
    withRun('stop', 'vrpn', {}, async (running) => {
      const { servo, receiver } = running;
      const newest = async () => (await receiver!.ask({ kind: 'report' })).connections.at(-1)!;
      await untilFelt(running, 'vrpn');
      servo.child.kill('SIGSTOP');
      // What was on its way when it was stopped.
      await pause(50);
      const before = await newest();
      await pause(200);
      const after = await newest();
      expect([after.wrenches, after.closedAt]).toEqual([before.wrenches, null]);
      servo.child.kill('SIGCONT');
      await untilPushing(receiver!, servo);
      const cause = await signal('SIGINT')(running);
      await servo.exited;
      expect(await judgeDevice(running, cause, RELEASE_MS)).toEqual([]);
    }));
});

interface BadStart {
  readonly title: string;
  readonly scene?: string;
  readonly record: string;
  readonly args?: readonly string[];
  readonly moduleFault?: ModuleFault;
  readonly says: RegExp;
}

describe('a start that fails', HOW, () => {
  const cases: readonly BadStart[] = [
    {
      title: 'a port that is taken',
      record: 'taken.mcap',
      args: ['--serve-vrpn', 'TAKEN'],
      says: /another program is using it/,
    },
    {
      title: 'a port beyond the last one',
      scene: 'two.json',
      record: 'beyond.mcap',
      args: ['--device', 'other=simulated', '--serve-vrpn', '65535'],
      says: /65.?53[56]/,
    },
    { title: 'a recording that exists', record: 'kept.mcap', says: /already exists/ },
    { title: 'a recording of another kind', record: 'felt.txt', says: /\.mcap or \.csv/ },
    {
      title: 'a module that throws at once',
      scene: 'two.json',
      record: 'module.mcap',
      args: ['--device', `other=${FAULT_MODULE}`],
      moduleFault: 'throw-connect',
      says: /on fire/,
    },
  ];

  it.for(cases)('$title: one sentence, no force, no recording', ({ title, scene, record, args, moduleFault, says }) =>
    inTurn(async (receiver) => {
      const recording = join(folder, record);
      writeFileSync(join(folder, 'kept.mcap'), 'precious');
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const taken = String((other.address() as { port: number }).port);
      const servo = startServo({
        folder: join(folder, title.replace(/\W+/g, '-')),
        args: [
          ...[join(folder, scene ?? 'plate.json'), '--device', `block=${receiver.device}`, '--record', recording],
          ...(args ?? []).map((arg) => arg.replace('TAKEN', taken)),
        ],
        ...(moduleFault && { moduleFault }),
      });
      try {
        await Promise.race([servo.exited, pause(PATIENCE_MS)]);
        expect(judgeExit(servo, servo.exit?.at ?? 0, { codes: [1], says })).toEqual([]);
        // Beside the sentence only what the connection had to say.
        const lines = textOf(servo).trim().split('\n');
        const sentences = lines.filter((line) => !/: (connected|closed|lost)/.test(line));
        expect(sentences).toEqual([expect.stringMatching(/^palpable: /)]);
        if (record === 'kept.mcap') expect(readFileSync(recording, 'utf8')).toBe('precious');
        else expect(existsSync(recording)).toBe(false);
        const { connections } = await receiver.ask({ kind: 'report' });
        for (const { state, lastForce, closedBy, violations } of connections) {
          expect([state, lastForce, closedBy, violations]).toEqual([
            expect.stringMatching(/none|released/),
            0,
            'peer',
            [],
          ]);
        }
      } finally {
        await stopHard(servo);
        other.close();
      }
    }),
  );
});
