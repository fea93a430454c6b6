import { expect, test } from 'vitest';
import { createRing, createRingWriter } from '../base/ring.js';
import { LIVE_COLUMNS, LIVE_WIDTH } from '../record/live-row.js';
import { createMailboxReader } from './command-mailbox.js';
import { createLiveMemory } from './live-loop.js';
import { openTurns } from './loop-turns.js';
import { TURN_PARKED, TURN_RUNNING } from './measured-loop.js';

/** A loop that does a cycle per millisecond of a clock that goes on only while the host sleeps. */
function createRig() {
  const memory = createLiveMemory(1, createRing(LIVE_WIDTH, 256));
  const turn = new SharedArrayBuffer(4);
  const cell = new Int32Array(turn);
  const commands = createMailboxReader(memory.mailbox);
  const rows = createRingWriter(memory.rows!);
  const row = new Float64Array(LIVE_WIDTH);
  const rig = { ms: 0, cycle: 0, heard: [] as string[], failure: undefined as Error | undefined };
  const runCycle = () => {
    const command = commands.take();
    if (command) {
      rig.heard.push(command.kind);
      cell[0] = TURN_PARKED;
      return;
    }
    row[LIVE_COLUMNS.indexOf('cycle')] = rig.cycle;
    row[LIVE_COLUMNS.indexOf('us_late')] = rig.cycle / 2;
    rows.write(row);
    rig.cycle += 1;
  };
  const sleep = async (ms: number) => {
    for (let k = 0; k < ms && cell[0] === TURN_RUNNING; k += 1) runCycle();
    rig.ms += ms;
    if (rig.failure) throw rig.failure;
  };
  const setup = { scene: {}, bodies: new Map(), hands: [], memory, options: {} };
  return { rig, cell, turns: openTurns({ setup, isEmpty: true, turn }, { now: () => rig.ms, sleep }) };
}

test('a turn tells every cycle but the two that the pause fell into', async () => {
  const { rig, cell, turns } = createRig();
  for (const first of [0, 100, 200]) {
    const { cycle, lateUs, missed } = await turns.take(0.1);
    expect(cycle).toEqual(Array.from({ length: 98 }, (_, k) => first + 2 + k));
    expect(lateUs).toEqual(cycle.map((number) => number / 2));
    expect(missed).toHaveLength(98);
    expect(cell[0]).toBe(TURN_PARKED);
  }
  expect(rig.heard).toEqual(['resume', 'resume', 'resume']);
});

test('the end lets the loop run once more, to hear of it', async () => {
  const { rig, cell, turns } = createRig();
  await turns.take(0.1);
  await turns.end();
  expect(cell[0]).toBe(TURN_RUNNING);
  expect(rig.heard).toEqual(['resume']);
});

test('a loop that fails is not waited for', async () => {
  const { rig, turns } = createRig();
  rig.failure = new Error('no such body');
  await expect(turns.take(0.1)).rejects.toThrow('no such body');
});
