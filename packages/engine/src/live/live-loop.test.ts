import { beforeAll, describe, expect, test } from 'vitest';
import type { PreparedBody } from '../asset/prepared-body.js';
import { createRing, createRingReader, type Ring } from '../base/ring.js';
import { LIVE_COLUMNS, LIVE_WIDTH } from '../record/live-row.js';
import { PuppetDevice } from '../servo/rig.fixture.js';
import { type LiveCommand, postCommand } from './command-mailbox.js';
import {
  createLiveMemory,
  openTelemetry,
  runLiveLoop,
  TELEMETRY_CYCLES,
  TELEMETRY_DROPPED,
  TELEMETRY_FAULTS_SEEN,
  TELEMETRY_MISSED,
  TELEMETRY_WORST_CYCLE_US,
  TELEMETRY_WORST_LATE_US,
} from './live-loop.js';
import { createLiveSession, type LiveEvent } from './live-session.js';
import { createPacer } from './pacer.js';
import { BALL_ON_PLATE, prepareScene, TWO_BALLS } from './scenes.fixture.js';

let one: Map<string, PreparedBody>;
let two: Map<string, PreparedBody>;
beforeAll(async () => {
  one = await prepareScene(BALL_ON_PLATE);
  two = await prepareScene(TWO_BALLS);
});

/** A loop whose clock is the test's: `onCycle` is called in every cycle, from where a host would act meanwhile. */
function createRig(hands: 1 | 2, rows: Ring | null, onCycle: (cycle: number, rig: Rig) => void) {
  const devices = Array.from({ length: hands }, () => new PuppetDevice());
  const tools = hands === 1 ? ['ball'] : ['left', 'right'];
  const session = createLiveSession(
    hands === 1 ? BALL_ON_PLATE : TWO_BALLS,
    hands === 1 ? one : two,
    devices.map((device, h) => ({ device, tool: tools[h] })),
  );
  const memory = createLiveMemory(hands, rows);
  const clock = { ms: 0 };
  let seen = 0;
  const pacer = createPacer(0.001, () => {
    clock.ms += 0.1;
    if (session.cycles > seen) {
      seen = session.cycles;
      onCycle(seen, rig);
    }
    return clock.ms;
  });
  pacer.bed[0] = 1;
  const events: LiveEvent[] = [];
  const rig = {
    session,
    memory,
    clock,
    events,
    devices,
    post: (command: LiveCommand) => expect(postCommand(memory.mailbox, command)).toBe(true),
    run: () => runLiveLoop(session, pacer, memory, (event) => events.push(event)),
  };
  return rig;
}

interface Rig {
  readonly clock: { ms: number };
  post(command: LiveCommand): void;
}

const column = (name: (typeof LIVE_COLUMNS)[number]) => LIVE_COLUMNS.indexOf(name);

describe('the loop', () => {
  test('runs until it is told to stop, and tells of every command', () => {
    const rig = createRig(1, null, (cycle, { post }) => {
      if (cycle === 10) post({ kind: 'pause' });
      if (cycle === 20) post({ kind: 'set', path: 'coupling.stiffness', value: -1 });
      if (cycle === 30) post({ kind: 'set', path: 'coupling.stiffness', value: 400 });
      if (cycle === 50) post({ kind: 'stop' });
    });
    expect(rig.run()).toBe('stop');
    expect(rig.events.map(({ cycle, command, problem }) => [cycle, command.kind, problem === undefined])).toEqual([
      [10, 'pause', true],
      [20, 'set', false],
      [30, 'set', true],
      [50, 'stop', true],
    ]);
    expect(rig.session.cycles).toBe(50);
    expect(rig.session.scene.coupling.stiffness).toBe(400);
  });

  test('one command in a cycle, in order', () => {
    const queue: LiveCommand[] = [1, 2, 3, 4].map((n) => ({
      kind: 'set',
      path: 'friction.coefficient',
      value: n / 10,
    }));
    const rig = createRig(1, null, (cycle, { post }) => {
      if (cycle >= 5 && queue.length > 0) post(queue.shift()!);
      if (cycle === 20) post({ kind: 'stop' });
    });
    rig.run();
    expect(rig.events.slice(0, 4).map(({ cycle, command }) => [cycle, 'value' in command && command.value])).toEqual([
      [5, 0.1],
      [6, 0.2],
      [7, 0.3],
      [8, 0.4],
    ]);
  });

  test('every row of every hand goes into the ring, in order, with the cycles that were missed', () => {
    const ring = createRing(LIVE_WIDTH, 1024);
    const rig = createRig(2, ring, (cycle, { clock, post }) => {
      if (cycle === 40) clock.ms += 5.5;
      if (cycle === 100) post({ kind: 'stop' });
    });
    rig.run();
    const reader = createRingReader(ring);
    const row = new Float64Array(LIVE_WIDTH);
    const told: number[][] = [];
    while (reader.read(row)) {
      told.push(['cycle', 'hand', 'missed', 'time'].map((name) => row[column(name as 'cycle')]));
    }
    expect(told.length).toBe(200);
    const missed = told.filter(([, , count]) => count > 0);
    expect(missed.map(([cycle, hand]) => [cycle, hand])).toEqual([
      [40, 0],
      [40, 1],
    ]);
    const gap = missed[0][2];
    expect(gap).toBeGreaterThanOrEqual(4);
    told.forEach(([cycle, hand, , time], k) => {
      expect([cycle, hand]).toEqual([Math.floor(k / 2), k % 2]);
      expect(time).toBeCloseTo(0.001 * (cycle + (cycle >= 40 ? gap : 0)), 12);
    });
    expect(rig.session.missed).toBe(gap);
  });

  test('the newest row with its totals is there for whoever looks', () => {
    const ring = createRing(LIVE_WIDTH, 32);
    const rig = createRig(1, ring, (cycle, { clock, post }) => {
      if (cycle === 30) clock.ms += 12;
      if (cycle === 60) post({ kind: 'stop' });
    });
    const telemetry = openTelemetry(rig.memory, 0);
    expect(telemetry.take()).toBe(false);
    rig.run();
    expect(telemetry.take()).toBe(true);
    const { block } = telemetry;
    expect(block[column('cycle')]).toBe(59);
    expect(block[TELEMETRY_CYCLES]).toBe(60);
    expect(block[TELEMETRY_MISSED]).toBe(rig.session.missed);
    expect(block[TELEMETRY_DROPPED]).toBe(60 - 32);
    expect(block[TELEMETRY_FAULTS_SEEN]).toBe(rig.session.hands[0].servo.faultsSeen);
    expect(block[TELEMETRY_FAULTS_SEEN]).toBeGreaterThan(0);
    expect(block[TELEMETRY_WORST_LATE_US]).toBeGreaterThan(11_000);
    expect(block[TELEMETRY_WORST_LATE_US]).toBeLessThan(13_000);
    expect(block[TELEMETRY_WORST_CYCLE_US]).toBeGreaterThan(0);
    expect(createRingReader(ring).dropped).toBe(60 - 32);
    expect(telemetry.take()).toBe(false);
  });

  test('left to listen and entered again, the host always sees whole and newest rows', () => {
    const seen: number[] = [];
    const rig = createRig(1, null, (cycle, { post }) => {
      if (cycle % 3 === 0 && telemetry.take()) seen.push(telemetry.block[TELEMETRY_CYCLES]);
      if (cycle > 0 && cycle % 7 === 0) post({ kind: 'listen' });
    });
    const telemetry = openTelemetry(rig.memory, 0);
    for (let times = 0; times < 20; times += 1) {
      expect(rig.run()).toBe('listen');
      // Looked at here and there, so that the blocks are in any order when the loop begins again.
      if (times % 2 === 0 && telemetry.take()) seen.push(telemetry.block[TELEMETRY_CYCLES]);
      const held = telemetry.block[TELEMETRY_CYCLES];
      const [cell] = new Int32Array(rig.memory.telemetry[0], 0, 1);
      expect([0, 2, 4].map((bits) => (cell >> bits) & 3).sort()).toEqual([0, 1, 2]);
      expect(telemetry.block[TELEMETRY_CYCLES]).toBe(held);
    }
    expect(seen.length).toBeGreaterThan(40);
    expect(seen.every((cycles, k) => k === 0 || cycles > seen[k - 1])).toBe(true);
  });
});
