import { beforeAll, describe, expect, test } from 'vitest';
import type { PreparedBody } from '../asset/prepared-body.js';
import { createRandom, type RandomSource } from '../base/random.js';
import type { Device } from '../device/device.js';
import { createReplayDevice } from '../device/replay-device.js';
import { createSimulatedHand } from '../device/simulated-hand.js';
import { BASES, mapDevice, type WorkspaceOptions } from '../device/workspace.js';
import { createPose, type Pose } from '../math/pose.js';
import { turnPose } from '../math/rotation.js';
import { LIVE_COLUMNS, LIVE_WIDTH, writeLiveRow } from '../record/live-row.js';
import { FAULT_DEVICE_JUMPED, FAULT_DEVICE_SILENT, FAULT_SAMPLE_BAD } from '../servo/sample-guard.js';
import { FAULT_LOOP_STALLED } from '../servo/servo.js';
import type { LiveCommand } from './command-mailbox.js';
import {
  commandLive,
  createLiveSession,
  type HandDevice,
  type LiveEvent,
  type LiveSession,
  stepLive,
} from './live-session.js';
import { BALL_ON_PLATE, prepareScene, TWO_BALLS } from './scenes.fixture.js';

/** What is kept of a run: the rows of every hand, and the events. */
interface Recording {
  readonly rows: readonly Float64Array[];
  readonly events: readonly LiveEvent[];
}

/** Commands before a cycle, and cycles missed before it. */
interface Course {
  commandsBefore(cycle: number): readonly LiveCommand[];
  missedBefore(cycle: number): number;
}

let one: Map<string, PreparedBody>;
let two: Map<string, PreparedBody>;
beforeAll(async () => {
  one = await prepareScene(BALL_ON_PLATE);
  two = await prepareScene(TWO_BALLS);
});

/** As the loop does it. */
function record(session: LiveSession, cycles: number, course: Course): Recording {
  const rows = session.hands.map(() => new Float64Array(cycles * LIVE_WIDTH));
  const events: LiveEvent[] = [];
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    for (const command of course.commandsBefore(cycle)) events.push(commandLive(session, command));
    const missed = course.missedBefore(cycle);
    stepLive(session, missed);
    const time = (session.cycles - 1 + session.missed) * session.scene.timeStep;
    session.hands.forEach(({ servo, pace }, hand) => {
      const row = rows[hand].subarray(cycle * LIVE_WIDTH, (cycle + 1) * LIVE_WIDTH);
      writeLiveRow(row, servo, hand, { time, missed, lateUs: Math.sqrt(cycle), cycleUs: cycle }, pace.numbers);
    });
  }
  return { rows, events };
}

function at(name: (typeof LIVE_COLUMNS)[number]): number {
  return LIVE_COLUMNS.indexOf(name);
}

function column(rows: Float64Array, name: (typeof LIVE_COLUMNS)[number]): Float64Array {
  return Float64Array.from({ length: rows.length / LIVE_WIDTH }, (_, cycle) => rows[cycle * LIVE_WIDTH + at(name)]);
}

/** A device that says what the rows hold. */
function replayed(rows: Float64Array, device: Device): Device {
  const count = rows.length / LIVE_WIDTH;
  const poses = new Float64Array(7 * count);
  for (let cycle = 0; cycle < count; cycle += 1) {
    const from = cycle * LIVE_WIDTH + at('dpx');
    poses.set(rows.subarray(from, from + 7), 7 * cycle);
  }
  const samples = {
    count,
    poses,
    fresh: column(rows, 'fresh'),
    buttons: column(rows, 'buttons'),
    released: column(rows, 'released'),
  };
  const { silentAfter } = device;
  return createReplayDevice(samples, device.limits, silentAfter === undefined ? {} : { silentAfter });
}

/** Runs a recording again, from what it holds. */
function replay(recording: Recording, value: unknown, bodies: Map<string, PreparedBody>, hands: readonly HandDevice[]) {
  const session = createLiveSession(
    value,
    bodies,
    hands.map((hand, h) => ({ ...hand, device: replayed(recording.rows[h], hand.device) })),
    { rampIn: RAMP_IN },
  );
  const missed = column(recording.rows[0], 'missed');
  return record(session, missed.length, {
    commandsBefore: (cycle) => recording.events.filter((event) => event.cycle === cycle).map(({ command }) => command),
    missedBefore: (cycle) => missed[cycle],
  });
}

/** Names of the columns that differ in any bit, each with the first cycle; times of the machine are no matter. */
function differences(a: Recording, b: Recording): string[] {
  const found: string[] = [];
  a.rows.forEach((rows, hand) => {
    const [mine, other] = [rows, b.rows[hand]].map((each) => new BigUint64Array(each.buffer));
    LIVE_COLUMNS.forEach((name, place) => {
      if (name.startsWith('us_')) return;
      for (let k = place; k < mine.length; k += LIVE_WIDTH) {
        if (mine[k] === other[k]) continue;
        found.push(`hand ${hand}, cycle ${(k - place) / LIVE_WIDTH}: ${name}`);
        return;
      }
    });
  });
  return found;
}

const RAMP_IN = 0.03;
const CLUTCH = 0;

/** A device that goes in and out of contact and has every fault a device can have. */
function createFaultyDevice(random: RandomSource, home: Pose, way: readonly number[], silentAfter?: number): Device {
  const pose = createPose();
  let cycle = 0;
  let silentUntil = 0;
  const device = {
    limits: { force: 8, torque: 0.4 },
    buttons: 0,
    isReleased: false,
    ...(silentAfter !== undefined && { silentAfter }),
    read(out: Pose): boolean {
      cycle += 1;
      if (random() < 0.002) silentUntil = cycle + 40 * random();
      if (random() < 0.004) device.buttons ^= 1 << Math.floor(2 * random());
      if (random() < 0.003) device.isReleased = !device.isReleased;
      if (device.isReleased && random() < 0.03) device.isReleased = false;
      if (cycle < silentUntil) return false;
      pose.set(home);
      const depth = 0.5 - 0.5 * Math.cos(cycle / 250);
      for (let k = 0; k < 3; k += 1) pose[k] += depth * way[k] + 2e-4 * (random() - 0.5);
      turnPose(pose, Float64Array.of(0.2 * Math.sin(cycle / 300), 0.1 * Math.cos(cycle / 170), 0.1), 0);
      out.set(pose);
      // Rotations of any length, and of either sign.
      const length = random() < 0.5 ? 1 : (random() < 0.5 ? -1 : 1) * (0.5 + random());
      for (let k = 3; k < 7; k += 1) out[k] *= length;
      const fault = random();
      if (fault < 0.002) out[Math.floor(7 * random())] = Number.NaN;
      else if (fault < 0.003) out.fill(0, 3);
      else if (fault < 0.004) out[1] = Number.NEGATIVE_INFINITY;
      else if (fault < 0.006) out[0] += 0.1;
      return true;
    },
    write(): void {},
  };
  return device;
}

/** Commands of all kinds, good and bad, and a loop that comes late. */
function createCourse(random: RandomSource): Course {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const make: readonly (() => LiveCommand)[] = [
    () => ({ kind: 'pause' }),
    () => ({ kind: 'resume' }),
    () => ({ kind: 'resume' }),
    () => ({
      kind: 'set',
      path: 'method.kind',
      value: pick(['penalty', 'static-friction', 'god-object', 'modular', 'none']),
    }),
    () => ({ kind: 'set', path: 'friction.coefficient', value: random() }),
    () => ({
      kind: 'set',
      path: 'friction.model',
      value: pick(['cone', 'none', 'quadratic', 'springs', 'gauss-seidel']),
    }),
    () => ({ kind: 'set', path: 'coupling.stiffness', value: 2000 * random() - 100 }),
    () => ({ kind: 'set', path: 'contact.margin', value: pick([0, 0.001, 0.002]) }),
    () => ({ kind: 'set', path: 'gravity', value: [0, 0, -10 * random()] }),
    () => ({ kind: 'set', path: 'timeStep', value: 0.002 }),
  ];
  return {
    commandsBefore: () =>
      random() < 0.02 ? Array.from({ length: 1 + Math.floor(2 * random()) }, () => pick(make)()) : [],
    missedBefore: () => {
      const chance = random();
      return chance < 0.002 ? Math.floor(40 * random()) : chance < 0.02 ? 1 + Math.floor(3 * random()) : 0;
    },
  };
}

const DEVICE_FAULTS = FAULT_SAMPLE_BAD | FAULT_DEVICE_SILENT | FAULT_DEVICE_JUMPED;

/** That the run held what it is meant to test. */
function expectEventful({ rows, events }: Recording, expected = DEVICE_FAULTS | FAULT_LOOP_STALLED): void {
  const faults = rows.reduce((bits, each) => column(each, 'faults').reduce((sum, value) => sum | value, bits), 0);
  expect(faults & (DEVICE_FAULTS | FAULT_LOOP_STALLED)).toBe(expected);
  expect(new Set(column(rows[0], 'fresh'))).toEqual(new Set([0, 1, 2]));
  expect(new Set(column(rows[0], 'released'))).toEqual(new Set([0, 1]));
  expect(Math.max(...column(rows[0], 'contacts'))).toBeGreaterThan(0);
  expect(Math.max(...column(rows[0], 'gain'))).toBe(1);
  expect(Math.max(...column(rows[0], 'fz').map(Math.abs))).toBeGreaterThan(0.05);
  expect(events.filter(({ problem }) => problem !== undefined).length).toBeGreaterThan(2);
  expect(events.filter(({ problem }) => problem === undefined).length).toBeGreaterThan(20);
}

const HOME = createPose(0, 0, 0.06);
const DOWN = [0.005, 0, -0.035];

describe('a recording that is replayed gives the same bits in all columns but the times of the machine', () => {
  test.each([1, 2, 3, 4])('faults of the device, commands, missed cycles (seed %i)', (seed) => {
    const random = createRandom(seed);
    const silentAfter = [undefined, 0.004, 0.02, undefined][seed % 4];
    const hands = [{ tool: 'ball', device: createFaultyDevice(random, HOME, DOWN, silentAfter) }];
    const recording = record(
      createLiveSession(BALL_ON_PLATE, one, hands, { rampIn: RAMP_IN, clock: createClock() }),
      4000,
      createCourse(random),
    );
    expectEventful(recording);
    const again = replay(recording, BALL_ON_PLATE, one, hands);
    expect(differences(recording, again)).toEqual([]);
    expect(again.events).toEqual(recording.events);
  });

  test.each([
    ['turned and scaled, with a clutch', { basis: BASES.chai3d, scale: 2.5, clutch: CLUTCH }],
    ['smoothed', { smoothing: 0.02, scale: 1 }],
    ['all of it', { basis: BASES['y-up'], scale: 3, grip: [0.1, 0.2, 0, 1], clutch: CLUTCH, smoothing: 0.01 }],
  ] as [string, Partial<WorkspaceOptions>][])('a device in a workspace: %s', (_, workspace) => {
    const random = createRandom(9);
    // The workspace of the device, so that in the world the ball comes to the plate.
    const scale = workspace.scale!;
    const towards = workspace.basis === BASES['y-up'] ? [0, DOWN[2] / scale, 0] : [0, 0, DOWN[2] / scale];
    const bare = createFaultyDevice(random, createPose(), towards);
    const hands = [
      { tool: 'ball', device: mapDevice(bare, { ...workspace, origin: [0, 0, 0.06] }, 0.001), workspaceScale: scale },
    ];
    const session = createLiveSession(BALL_ON_PLATE, one, hands, { rampIn: RAMP_IN });
    const recording = record(session, 4000, createCourse(random));
    // What is smoothed does not jump.
    const jumps = workspace.smoothing === undefined ? FAULT_DEVICE_JUMPED : 0;
    expectEventful(recording, FAULT_SAMPLE_BAD | FAULT_DEVICE_SILENT | FAULT_LOOP_STALLED | jumps);
    expect(differences(recording, replay(recording, BALL_ON_PLATE, one, hands))).toEqual([]);
  });

  test('two hands that touch', () => {
    const random = createRandom(21);
    const hands = [
      { tool: 'left', device: createFaultyDevice(random, createPose(-0.05), [0.024, 0, 0.002]) },
      { tool: 'right', device: createFaultyDevice(random, createPose(0.05), [-0.024, 0, 0.003]) },
    ];
    const session = createLiveSession(TWO_BALLS, two, hands, { rampIn: RAMP_IN });
    const recording = record(session, 3000, createCourse(random));
    expect(Math.max(...column(recording.rows[0], 'contacts'))).toBeGreaterThan(0);
    expect(Math.max(...column(recording.rows[1], 'contacts'))).toBeGreaterThan(0);
    expect(differences(recording, replay(recording, TWO_BALLS, two, hands))).toEqual([]);
  });

  test('a hand in the closed loop, which moves by what it feels', () => {
    const random = createRandom(5);
    const intent = (out: Pose, time: number) => {
      out.set(HOME);
      out[2] -= 0.02 * (1 - Math.cos(3 * time));
    };
    const hands = [{ tool: 'ball', device: createSimulatedHand({ timeStep: 0.001, intent }) as Device }];
    const session = createLiveSession(BALL_ON_PLATE, one, hands, { rampIn: RAMP_IN });
    const recording = record(session, 3000, createCourse(random));
    expect(Math.max(...column(recording.rows[0], 'contacts'))).toBeGreaterThan(0);
    expect(differences(recording, replay(recording, BALL_ON_PLATE, one, hands))).toEqual([]);
  });

  test('and another one does not: a bit in one sample is found', () => {
    const random = createRandom(1);
    const hands = [{ tool: 'ball', device: createFaultyDevice(random, HOME, DOWN) }];
    const session = createLiveSession(BALL_ON_PLATE, one, hands, { rampIn: RAMP_IN });
    const recording = record(session, 600, createCourse(random));
    const changed = { ...recording, rows: recording.rows.map((rows) => rows.slice()) };
    const fresh = column(recording.rows[0], 'fresh');
    const cycle = fresh.findIndex((value, k) => k > 300 && value === 1);
    changed.rows[0][cycle * LIVE_WIDTH + at('dpx')] += 2 ** -50;
    const found = differences(recording, replay(changed, BALL_ON_PLATE, one, hands));
    expect(found[0]).toBe(`hand 0, cycle ${cycle}: dpx`);
  });
});

/** Of the machine: the times of the stages are no part of what is compared. */
function createClock(): () => number {
  let ms = 0;
  return () => {
    ms += 0.001;
    return ms;
  };
}
