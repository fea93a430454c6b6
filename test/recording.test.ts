import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { createMcapRecorder, OutputFile, readRecording, trajectoryFromRecording } from '@palpable/cli/internal';
import { LIVE_COLUMNS, LIVE_WIDTH } from '@palpable/engine/advanced';
import protobuf from 'protobufjs';
import 'protobufjs/ext/descriptor/index.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { palpable, workIn } from './lib/palpable.js';
import {
  CHANGE,
  countMessages,
  createFolder,
  expectedRows,
  openIndexed,
  PAUSE,
  record as recordTo,
  sameBits,
  stream,
  TOOLS,
} from './record/sample-recording.js';
import { fillRow, sampleInfo } from './record/synthetic-row.mjs';

const folder = createFolder();
beforeAll(() => workIn(folder));
const inFolder = (name: string) => join(folder, name);
const record = (name: string, cycles: number) => recordTo(inFolder(name), cycles);
const START = BigInt(sampleInfo(TOOLS).startTimeNs);
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
        expect([logTime, sequence]).toEqual([START + BigInt(cycle) * 1_000_000n, cycle]);
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
      timestamp: { sec: Date.parse('2026-01-02T03:04:05Z') / 1000, nsec: 698_901_234 },
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
    const recorder = createMcapRecorder(new OutputFile(path, false), sampleInfo(['cube']));
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
    recorder.end(0);
    recorder.close();
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

describe('palpable recording', () => {
  const recording = async (...args: string[]) => await palpable('recording', ...args);

  it('says what is in a recording', async () => {
    record('said.mcap', 500);
    const { status, stdout, stderr } = await recording('said.mcap');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('said.mcap: 0.5 s, 1 000 cycles of cube and peg.'.replace('1 000', '1\u202f000'));
    expect(stdout).toContain('Faults of cube: device silent, device sent no pose.');
    expect(stdout).toContain('Events: pause 1, parameter 1.');
    expect(stdout).toContain('The recorder fell behind: 3 cycles are missing.');
    const summary = JSON.parse((await recording('said.mcap', '--json')).stdout);
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

  it('turns one format into the other and back', async () => {
    record('there.mcap', 300);
    expect((await recording('there.mcap', '--out', 'there.csv')).status).toBe(0);
    expect((await recording('there.csv', '--out', 'back.mcap')).status).toBe(0);
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

  it('says plainly what it cannot do', async () => {
    record('one.mcap', 10);
    writeFileSync(inFolder('other.txt'), 'time,px\n0,1\n');
    writeFileSync(inFolder('taken.csv'), 'precious');
    for (const [args, sentence] of [
      [['absent.mcap'], 'absent.mcap: The file does not exist'],
      [['other.txt'], 'other.txt, line 1: found no column dpx'],
      [['one.mcap', '--out', 'one.txt'], 'written as .mcap or .csv'],
      [['one.mcap', '--out', './one.mcap', '--overwrite'], 'The recording would overwrite itself'],
      [['one.mcap', '--out', 'taken.csv'], 'taken.csv: The file already exists'],
      [['one.mcap', '--out', 'nowhere/x.mcap'], 'cannot be written'],
    ] as const) {
      const { status, stderr } = await recording(...args);
      expect(stderr).toContain(sentence);
      expect(status).toBe(1);
    }
    expect((await recording('one.mcap', '--out', 'taken.csv', '--overwrite')).status).toBe(0);
  });
});
