import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { McapIndexedReader, McapStreamReader, type TypedMcapRecord } from '@mcap/core';
import {
  createRandom,
  createRing,
  createRingWriter,
  isPalpableError,
  LIVE_COLUMNS,
  LIVE_WIDTH,
} from '@palpable/engine';
import protobuf from 'protobufjs';
import 'protobufjs/ext/descriptor/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCsvRecorder } from '../packages/cli/dist/record/csv-recorder.js';
import { createMcapRecorder } from '../packages/cli/dist/record/mcap-recorder.js';
import { readRecording, trajectoryFromRecording } from '../packages/cli/dist/record/read-recording.js';
import { startRecorder } from '../packages/cli/dist/record/start-recorder.js';
import { fillRow, sampleInfo } from './record/synthetic-row.mjs';

const program = fileURLToPath(new URL('../packages/cli/bin/palpable.js', import.meta.url));
const child = fileURLToPath(new URL('record/record-child.mjs', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'palpable-recording-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (name: string) => join(folder, name);
const TOOLS = ['cube', 'peg'];
const PAUSE = { cycle: 100, hand: null, kind: 'pause' };
const CHANGE = { cycle: 200, hand: 1, kind: 'parameter', path: 'friction.coefficient', value: 0.25 };

/** A recording of two hands, in the format that its name says. */
function record(name: string, cycles: number, close = true): string {
  const path = inFolder(name);
  const create = name.endsWith('.csv') ? createCsvRecorder : createMcapRecorder;
  const recorder = create(path, sampleInfo(TOOLS), { overwrite: true });
  const row = new Float64Array(LIVE_WIDTH);
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    if (cycle === PAUSE.cycle) recorder.event(PAUSE);
    if (cycle === CHANGE.cycle) recorder.event(CHANGE);
    for (const hand of [0, 1]) {
      fillRow(row, cycle, hand);
      recorder.append(row);
    }
    if (cycle % 20 === 19) recorder.flush();
  }
  recorder.flush();
  if (close) recorder.close(3);
  return path;
}

/** All rows of a hand as they must be. */
function expectedRows(cycles: number, hand: number): Float64Array {
  const rows = new Float64Array(cycles * LIVE_WIDTH);
  for (let n = 0; n < cycles; n += 1) fillRow(rows.subarray(n * LIVE_WIDTH, (n + 1) * LIVE_WIDTH), n, hand);
  return rows;
}

function sameBits(a: Float64Array, b: Float64Array): boolean {
  const bytes = (array: Float64Array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  return bytes(a).equals(bytes(b));
}

/** What an independent reader finds from start to end. */
function stream(bytes: Uint8Array): { records: TypedMcapRecord[]; done: boolean } {
  const reader = new McapStreamReader({ validateCrcs: true });
  reader.append(bytes);
  const records: TypedMcapRecord[] = [];
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) records.push(record);
  return { records, done: reader.done() };
}

function openIndexed(bytes: Uint8Array) {
  return McapIndexedReader.Initialize({
    readable: {
      size: async () => BigInt(bytes.length),
      read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
    },
  });
}

const countMessages = (records: readonly TypedMcapRecord[]) =>
  records.filter((record) => record.type === 'Message').length;

describe('a recording as MCAP', () => {
  it('comes back to the bit, with its events and all that it is about', async () => {
    const recording = await readRecording(record('whole.mcap', 3000));
    expect(recording).toMatchObject({ format: 'mcap', truncated: false, damage: null, info: sampleInfo(TOOLS) });
    expect(recording.end).toEqual({ rows: 6000, dropped: 3 });
    for (const hand of [0, 1]) {
      expect(recording.hands[hand]!.tool).toBe(TOOLS[hand]);
      expect(sameBits(recording.hands[hand]!.rows, expectedRows(3000, hand))).toBe(true);
    }
    expect(recording.events).toEqual([
      { time: 0.099, ...PAUSE },
      { time: 0.199, ...CHANGE },
    ]);
  });

  it('is opened by an independent reader through its index, and decoded with the schemas in it', async () => {
    const bytes = readFileSync(record('indexed.mcap', 3000));
    const reader = await openIndexed(bytes);
    expect(reader.header.library).toBe('palpable 0.1.0');
    const topics = [...reader.channelsById.values()].map(({ topic, schemaId, messageEncoding }) => {
      const { name, encoding } = reader.schemasById.get(schemaId)!;
      return [topic, messageEncoding, encoding, name].join(' ');
    });
    expect(topics).toEqual([
      ...TOOLS.flatMap((tool) => [
        `/${tool}/cycle protobuf protobuf palpable.Cycle`,
        `/${tool}/device json jsonschema foxglove.PoseInFrame`,
        `/${tool}/tool json jsonschema foxglove.PoseInFrame`,
        `/${tool}/wrench json jsonschema foxglove.SceneUpdate`,
      ]),
      '/events json jsonschema palpable.Event',
    ]);
    const schema = [...reader.schemasById.values()].find(({ name }) => name === 'palpable.Cycle')!;
    const Cycle = decoderOf(schema.data).lookupType('palpable.Cycle');
    expect(Cycle.fieldsArray.map(({ name, type }) => `${name} ${type}`)).toEqual(
      LIVE_COLUMNS.map((name) => `${name} double`),
    );
    const expected = new Float64Array(LIVE_WIDTH);
    const start = BigInt(Date.parse('2026-01-02T03:04:05.678Z')) * 1_000_000n;
    for (const [hand, tool] of TOOLS.entries()) {
      let cycle = 0;
      for await (const { data, logTime, sequence } of reader.readMessages({ topics: [`/${tool}/cycle`] })) {
        const message = Cycle.decode(data) as unknown as Record<string, number>;
        fillRow(expected, cycle, hand);
        expect(
          sameBits(
            Float64Array.from(LIVE_COLUMNS, (name) => message[name]!),
            expected,
          ),
        ).toBe(true);
        expect([logTime, sequence]).toEqual([start + BigInt(cycle) * 1_000_000n, cycle]);
        cycle += 1;
      }
      expect(cycle).toBe(3000);
    }
  });

  it('shows poses and wrench fifty times a second in the form that Foxglove draws', async () => {
    const reader = await openIndexed(readFileSync(record('view.mcap', 1000)));
    const messagesOf = async (topic: string) => {
      const messages = [];
      for await (const { data } of reader.readMessages({ topics: [topic] })) {
        messages.push(JSON.parse(Buffer.from(data).toString('utf8')));
      }
      return messages;
    };
    const poses = await messagesOf('/cube/device');
    expect(poses).toHaveLength(50);
    const row = new Float64Array(LIVE_WIDTH);
    fillRow(row, 20, 0);
    expect(poses[1]).toEqual({
      timestamp: { sec: Date.parse('2026-01-02T03:04:05Z') / 1000, nsec: 698_000_000 },
      frame_id: 'world',
      pose: {
        position: { x: row[1], y: row[2], z: row[3] },
        orientation: { x: 0, y: 0, z: 0.6, w: 0.8 },
      },
    });
    expect(await messagesOf('/peg/tool')).toHaveLength(50);
    const [first] = await messagesOf('/cube/wrench');
    expect(first.entities[0]).toMatchObject({ frame_id: 'world', id: 'wrench' });
    for (const { pose } of first.entities[0].arrows) {
      const { x, y, z, w } = pose.orientation;
      expect(x * x + y * y + z * z + w * w).toBeCloseTo(1, 12);
    }
  });

  it('turns the arrows of the wrench from +x to where force and torque point', async () => {
    const path = inFolder('arrows.mcap');
    const recorder = createMcapRecorder(path, sampleInfo(['cube']));
    const wrenches = [
      [0, 2, 0, 0, 0, -3],
      [-4, 0, 0, 5, 0, 0],
      [1, 2, 3, 0, 0, 0],
    ];
    const row = new Float64Array(LIVE_WIDTH);
    wrenches.forEach((wrench, n) => {
      fillRow(row, 20 * n, 0);
      row.set(wrench, LIVE_COLUMNS.indexOf('fx'));
      recorder.append(row);
    });
    recorder.close(0);
    const reader = await openIndexed(readFileSync(path));
    const found: number[][] = [];
    for await (const { data } of reader.readMessages({ topics: ['/cube/wrench'] })) {
      const { arrows } = JSON.parse(Buffer.from(data).toString('utf8')).entities[0];
      found.push(
        ...arrows.map(({ pose, shaft_length: length }: { pose: Pose; shaft_length: number }) =>
          turnedX(pose.orientation).map((part) => part * length),
        ),
      );
    }
    const expected = [
      [0, 0.02, 0],
      [0, 0, -0.3],
      [-0.04, 0, 0],
      [0.5, 0, 0],
      [0.01, 0.02, 0.03],
    ];
    expect(found).toHaveLength(expected.length);
    const flat = found.flat();
    for (const [k, part] of expected.flat().entries()) expect(flat[k]).toBeCloseTo(part, 12);
  });

  it('has an index, statistics and checksums that are true', async () => {
    const bytes = readFileSync(record('sound.mcap', 3000));
    const reader = await openIndexed(bytes);
    const { records, done } = stream(bytes);
    expect(done).toBe(true);
    expect(reader.chunkIndexes.length).toBeGreaterThan(2);
    expect(crc32(bytes.subarray(0, Number(reader.dataEndOffset)))).toBe(reader.dataSectionCrc);
    expect(Number(reader.statistics!.messageCount)).toBe(countMessages(records));
    const counts = [...reader.channelsById.keys()].map((id) => Number(reader.statistics!.channelMessageCounts.get(id)));
    expect(counts).toEqual([3000, 150, 150, 150, 3000, 150, 150, 150, 2]);
    const attachments = [];
    for await (const { name, data } of reader.readAttachments()) {
      attachments.push([name, Buffer.from(data).toString('utf8')]);
    }
    expect(attachments).toEqual([
      ['scene.json', sampleInfo(TOOLS).sceneText],
      ['servo.json', '{"device":"simulated","rate":1000}'],
    ]);
    const metadata = [];
    for await (const { name } of reader.readMetadata()) metadata.push(name);
    expect(metadata).toEqual(['palpable.recording', 'palpable.end']);
  });

  it('is a sound file after every flush, and between the two writes of one', () => {
    const path = inFolder('growing.mcap');
    const recorder = createMcapRecorder(path, sampleInfo(['cube']));
    const row = new Float64Array(LIVE_WIDTH);
    let before = readFileSync(path);
    for (let cycle = 0; cycle < 4000; cycle += 1) {
      fillRow(row, cycle, 0);
      recorder.append(row);
      if (cycle % 100 !== 99) continue;
      recorder.flush();
      const after = readFileSync(path);
      const messages = cycle + 1 + (3 * (cycle + 1)) / 20;
      expect(countMessages(stream(after).records)).toBe(messages);
      // Appended, but the chunk's head is still the old one.
      const between = Buffer.concat([before, after.subarray(before.length)]);
      expect(countMessages(stream(between).records)).toBe(messages);
      before = after;
    }
    recorder.close(0);
  });

  it('gives every whole message of a file that was cut at any byte', async () => {
    for (const [name, close] of [
      ['cut-whole.mcap', true],
      ['cut-open.mcap', false],
    ] as const) {
      const bytes = readFileSync(record(name, 20, close));
      const cut = inFolder('cut.mcap');
      const ends = messageEnds(bytes);
      expect(ends).toHaveLength(20 * 2 + 6);
      for (let length = bytes.length - 1; length >= Math.max(0, bytes.length - 3000); length -= 1) {
        writeFileSync(cut, bytes.subarray(0, length));
        const recording = await readRecording(cut);
        const rows = recording.hands.reduce((sum, hand) => sum + hand.count, 0);
        const whole = ends.filter(({ end, isCycle }) => isCycle && end <= length).length;
        if (rows !== whole || !recording.truncated) {
          expect({ length, rows, truncated: recording.truncated }).toEqual({ length, rows: whole, truncated: true });
        }
      }
    }
  });

  it('never fails in another way than by words when it is cut in its head or damaged anywhere', async () => {
    const bytes = readFileSync(record('damaged.mcap', 30));
    const damaged = inFolder('damage.mcap');
    const random = createRandom(5);
    const outcomes = new Set<string>();
    const tryToRead = async (content: Uint8Array) => {
      writeFileSync(damaged, content);
      try {
        outcomes.add((await readRecording(damaged)).truncated ? 'truncated' : 'whole');
      } catch (error) {
        if (!isPalpableError(error)) throw error;
        outcomes.add(error.code);
      }
    };
    for (let length = 0; length < 2000; length += 7) await tryToRead(bytes.subarray(0, length));
    for (let n = 0; n < 600; n += 1) {
      const flipped = Uint8Array.from(bytes);
      flipped[Math.floor(random() * flipped.length)]! ^= 1 << Math.floor(random() * 8);
      await tryToRead(flipped);
    }
    expect([...outcomes].sort()).toEqual(['format-invalid', 'truncated', 'whole']);
  });
});

interface Pose {
  readonly orientation: { readonly x: number; readonly y: number; readonly z: number; readonly w: number };
}

/** The first column of a rotation's matrix. */
function turnedX({ x, y, z, w }: Pose['orientation']): [number, number, number] {
  return [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)];
}

/** A decoder made of the descriptor in the file, by a library that knows nothing of us. */
function decoderOf(descriptor: Uint8Array): protobuf.Root {
  return (protobuf.Root as unknown as { fromDescriptor(set: Uint8Array): protobuf.Root }).fromDescriptor(descriptor);
}

/** Where each message ends, found by its own walk through the only chunk. */
function messageEnds(bytes: Buffer): { end: number; isCycle: boolean }[] {
  const ends = [];
  let at = 8;
  while (bytes[at] !== 6) at += 9 + Number(bytes.readBigUInt64LE(at + 1));
  const chunkEnd = at + 9 + Number(bytes.readBigUInt64LE(at + 1));
  for (at += 49; at < chunkEnd; ) {
    const end = at + 9 + Number(bytes.readBigUInt64LE(at + 1));
    // Channels 0 and 4 are the cycles of the two hands.
    ends.push({ end, isCycle: bytes.readUInt16LE(at + 9) % 4 === 0 && bytes.readUInt16LE(at + 9) < 8 });
    at = end;
  }
  return ends;
}

describe('a recording as CSV', () => {
  it('comes back to the bit, measured times of whole nanoseconds among them', async () => {
    const recording = await readRecording(record('whole.csv', 300));
    expect(recording).toMatchObject({ format: 'csv', truncated: false, info: sampleInfo(TOOLS) });
    expect(recording.end).toEqual({ rows: 600, dropped: 3 });
    for (const hand of [0, 1]) {
      expect(sameBits(recording.hands[hand]!.rows, expectedRows(300, hand))).toBe(true);
    }
    expect(recording.events.map(({ kind }) => kind)).toEqual(['pause', 'parameter']);
    const line = readFileSync(inFolder('whole.csv'), 'utf8').split('\n')[1]!;
    expect(line.split(',')[LIVE_COLUMNS.indexOf('friction_state')]).toBe('free');
  });

  it('gives every whole line of a file that was cut at any byte', async () => {
    const bytes = readFileSync(record('cut.csv', 3, false));
    const lines = bytes.toString('utf8').split('\n');
    const cut = inFolder('torn.csv');
    copyFileSync(inFolder('cut.csv.json'), `${cut}.json`);
    for (let length = bytes.length; length > lines[0]!.length; length -= 1) {
      writeFileSync(cut, bytes.subarray(0, length));
      const recording = await readRecording(cut);
      const whole = bytes.toString('utf8', 0, length).split('\n').length - 2;
      expect([recording.hands.reduce((sum, hand) => sum + hand.count, 0), recording.truncated]).toEqual([whole, true]);
    }
    writeFileSync(cut, bytes.subarray(0, 20));
    await expect(readRecording(cut)).rejects.toMatchObject({ code: 'format-invalid' });
  });

  it('is read without the files beside it, as far as the rows tell', async () => {
    const path = record('alone.csv', 10);
    rmSync(`${path}.json`);
    const { info, hands, truncated } = await readRecording(path);
    expect([info.tools, hands[1]!.count, truncated]).toEqual([['hand-0', 'hand-1'], 10, false]);
  });
});

describe('the trajectory of a recording', () => {
  it("is the device's, of the first tool or of the one that is named", async () => {
    const recording = await readRecording(record('trajectory.mcap', 20));
    const rows = expectedRows(20, 1);
    const { count, time, poses } = trajectoryFromRecording(recording, 'peg');
    expect(count).toBe(20);
    expect(time[19]).toBe(0.019);
    expect([...poses.subarray(0, 7)]).toEqual([...rows.subarray(1, 8)]);
    expect(trajectoryFromRecording(recording).poses[0]).toBe(expectedRows(1, 0)[1]);
    expect(() => trajectoryFromRecording(recording, 'pin')).toThrow('no tool "pin"; it has "cube", "peg"');
  });
});

describe('the recorder in its own thread', () => {
  it('counts what found no room in the ring, and writes the rest', async () => {
    const ring = createRing(LIVE_WIDTH, 64);
    const writer = createRingWriter(ring);
    const row = new Float64Array(LIVE_WIDTH);
    for (let cycle = 0; cycle < 100; cycle += 1) {
      fillRow(row, cycle, 0);
      expect(writer.write(row)).toBe(cycle < 64);
    }
    const path = inFolder('full.mcap');
    const recorder = await startRecorder({ ring, path, format: 'mcap', info: sampleInfo(['cube']) });
    recorder.event({ cycle: 64, hand: null, kind: 'resume' });
    const { rows, dropped, bytes } = await recorder.stop();
    expect([rows, dropped, bytes]).toEqual([64, 36, readFileSync(path).length]);
    const recording = await readRecording(path);
    expect(recording.end).toEqual({ rows: 64, dropped: 36 });
    expect(sameBits(recording.hands[0]!.rows, expectedRows(64, 0))).toBe(true);
    expect(recording.events).toEqual([{ time: 0.063, cycle: 64, hand: null, kind: 'resume' }]);
  });

  it('does not overwrite, and says what is in the way of a file', async () => {
    const ring = createRing(LIVE_WIDTH, 64);
    const info = sampleInfo(['cube']);
    const path = inFolder('kept.mcap');
    writeFileSync(path, 'precious');
    await expect(startRecorder({ ring, path, format: 'mcap', info })).rejects.toMatchObject({
      code: 'option-invalid',
      message: expect.stringContaining('The file exists already'),
    });
    expect(readFileSync(path, 'utf8')).toBe('precious');
    const nowhere = inFolder('nowhere/x.csv');
    await expect(startRecorder({ ring, path: nowhere, format: 'csv', info })).rejects.toMatchObject({
      code: 'file-unreadable',
      message: expect.stringContaining('cannot be written'),
    });
    const recorder = await startRecorder({ ring, path, format: 'mcap', info, overwrite: true });
    expect(await recorder.stop()).toMatchObject({ rows: 0, dropped: 0 });
    expect((await readRecording(path)).truncated).toBe(false);
  });
});

describe('a recorder that is killed', () => {
  const KILLS = 50;
  const AT_ONCE = 5;
  const MAX_LOST_ROWS = 200;

  /** Records at 1 kHz for a while, then dies without warning. Gives back how many rows had been put into the ring. */
  async function recordAndKill(path: string, format: string, afterMs: number): Promise<number> {
    const process_ = spawn(process.execPath, [child, path, format, `${path}.progress`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(process_, 'exit');
    await once(process_.stdout, 'data');
    await new Promise((done) => setTimeout(done, afterMs));
    process_.kill('SIGKILL');
    expect((await exit)[1]).toBe('SIGKILL');
    const progress = readFileSync(`${path}.progress`);
    return progress.length < 8 ? 0 : progress.readDoubleLE(0);
  }

  async function checkKilled(name: string, afterMs: number): Promise<number> {
    const path = inFolder(name);
    const format = name.endsWith('.csv') ? 'csv' : 'mcap';
    const made = await recordAndKill(path, format, afterMs);
    const recording = await readRecording(path);
    const { count, rows } = recording.hands[0]!;
    expect(sameBits(rows, expectedRows(count, 0))).toBe(true);
    expect(recording.truncated).toBe(true);
    if (format === 'mcap') expect(countMessages(stream(readFileSync(path)).records)).toBeGreaterThanOrEqual(count);
    rmSync(path);
    return made - count;
  }

  it(`leaves ${KILLS} files that open and lack at most 200 ms`, async () => {
    const random = createRandom(2024);
    const lost: number[] = [];
    for (let n = 0; n < KILLS; n += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, (_, k) =>
        checkKilled(`killed-${n + k}.${k === AT_ONCE - 1 ? 'csv' : 'mcap'}`, 300 + 1200 * random()),
      );
      lost.push(...(await Promise.all(batch)));
    }
    expect(lost).toHaveLength(KILLS);
    expect(Math.max(...lost)).toBeLessThanOrEqual(MAX_LOST_ROWS);
  });
});

describe('palpable recording', () => {
  const palpable = (...args: string[]) =>
    spawnSync(process.execPath, [program, 'recording', ...args], { encoding: 'utf8', cwd: folder, timeout: 100_000 });

  it('says what is in a recording', () => {
    record('said.mcap', 500);
    const { status, stdout, stderr } = palpable('said.mcap');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('said.mcap: 0.5 s, 1 000 cycles of cube and peg.'.replace('1 000', '1\u202f000'));
    expect(stdout).toContain('Faults of cube: device silent, device sent no pose.');
    expect(stdout).toContain('Events: pause 1, parameter 1.');
    expect(stdout).toContain('The recorder fell behind: 3 cycles are not in it.');
    const summary = JSON.parse(palpable('said.mcap', '--json').stdout);
    expect(summary).toMatchObject({
      format: 'mcap',
      cycles: 1000,
      dropped: 3,
      truncated: false,
      tools: TOOLS,
      events: { pause: 1, parameter: 1 },
    });
    expect(summary.duration).toBeCloseTo(0.5, 9);
    expect(summary.hands[1]).toMatchObject({ tool: 'peg', cycles: 500, missed: 2, faultCycles: 1, faultBits: 3 });
  });

  it('mends a recording that was cut off, so that the index finds everything', async () => {
    const bytes = readFileSync(record('open.mcap', 500, false));
    writeFileSync(inFolder('broken.mcap'), bytes.subarray(0, bytes.length - 100));
    const { status, stdout } = palpable('broken.mcap', '--out', 'mended.mcap');
    expect(status).toBe(0);
    expect(stdout).toContain('The recording was cut off (it ends without an index); everything before that is here.');
    const mended = await readRecording(inFolder('mended.mcap'));
    const broken = await readRecording(inFolder('broken.mcap'));
    expect([mended.truncated, broken.truncated]).toEqual([false, true]);
    expect(mended.end).toEqual({ rows: 999, dropped: null });
    expect(mended.events).toEqual(broken.events);
    expect(broken.hands.every((hand, n) => sameBits(hand.rows, mended.hands[n]!.rows))).toBe(true);
    const reader = await openIndexed(readFileSync(inFolder('mended.mcap')));
    expect(Number(reader.statistics!.channelMessageCounts.get(0))).toBe(500);
  });

  it('turns one format into the other and back', async () => {
    record('there.mcap', 300);
    expect(palpable('there.mcap', '--out', 'there.csv').status).toBe(0);
    expect(palpable('there.csv', '--out', 'back.mcap').status).toBe(0);
    const [there, back] = await Promise.all(['there.csv', 'back.mcap'].map((name) => readRecording(inFolder(name))));
    expect(back!.info).toEqual(sampleInfo(TOOLS));
    expect(back!.events).toEqual(there!.events);
    expect(back!.end).toEqual({ rows: 600, dropped: 3 });
    expect(back!.hands.every((hand, n) => sameBits(hand.rows, there!.hands[n]!.rows))).toBe(true);
    expect(existsSync(inFolder('there.csv.tmp'))).toBe(false);
  });

  it('reads CSV from before there were contact threads', async () => {
    record('new.csv', 20);
    const lines = readFileSync(inFolder('new.csv'), 'utf8').trimEnd().split('\n');
    const names = lines[0]!.split(',');
    const later = ['contact_age', 'contact_rate'].map((name) => names.indexOf(name));
    const older = lines.map((line) => {
      const cells = line.split(',');
      return cells.filter((_, place) => !later.includes(place)).join(',');
    });
    expect(older[0]!.split(',')).toHaveLength(names.length - 2);
    writeFileSync(inFolder('old.csv'), `${older.join('\n')}\n`);
    const [now, before] = await Promise.all(['new.csv', 'old.csv'].map((name) => readRecording(inFolder(name))));
    expect(before!.damage).toBeNull();
    const expected = now!.hands[0]!.rows.map((value, place) =>
      ['contact_age', 'contact_rate'].includes(LIVE_COLUMNS[place % LIVE_WIDTH]!) ? 0 : value,
    );
    expect(before!.hands[0]!.rows).toEqual(expected);
  });

  it('says plainly what it cannot do', () => {
    record('one.mcap', 10);
    writeFileSync(inFolder('other.txt'), 'time,px\n0,1\n');
    writeFileSync(inFolder('taken.csv'), 'precious');
    for (const [args, sentence] of [
      [['absent.mcap'], 'absent.mcap: The file does not exist'],
      [['other.txt'], 'other.txt, line 1: found no column dpx'],
      [['one.mcap', '--out', 'one.txt'], 'written as .mcap or .csv'],
      [['one.mcap', '--out', './one.mcap', '--overwrite'], 'The recording would overwrite itself'],
      [['one.mcap', '--out', 'taken.csv'], 'taken.csv: The file exists already'],
      [['one.mcap', '--out', 'nowhere/x.mcap'], 'cannot be written'],
    ] as const) {
      const { status, stderr } = palpable(...args);
      expect(stderr).toContain(sentence);
      expect(status).toBe(1);
    }
    expect(palpable('one.mcap', '--out', 'taken.csv', '--overwrite').status).toBe(0);
  });
});
