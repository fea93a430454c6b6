import { McapStreamReader, Opcode, type TypedMcapRecord } from '@mcap/core';
import { RESULT_COLUMNS, readResult, readTrajectory } from '@palpable/engine';
import { decodeCycle, LIVE_COLUMNS, LIVE_WIDTH, RESULT_WIDTH } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import type { VariantResult } from './compare.js';
import { csvOfRun, csvOfTake, fileName } from './export.js';
import { mcapOfTake } from './mcap-of-take.js';
import { rowOf, type Take, trajectoryOf } from './take.js';
import { sampleTake } from './take-samples.js';

const hooks = { pause: () => Promise.resolve() };

async function recordsOf(blob: Blob): Promise<TypedMcapRecord[]> {
  const reader = new McapStreamReader();
  reader.append(new Uint8Array(await blob.arrayBuffer()));
  const records: TypedMcapRecord[] = [];
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) records.push(record);
  expect(reader.done()).toBe(true);
  return records;
}

describe('a take as CSV', () => {
  it('has the columns of the loop, and reads back to the same bits', async () => {
    const take = sampleTake(1234);
    const text = await (await csvOfTake(take, hooks)).text();
    const lines = text.trimEnd().split('\n');
    expect(lines[0]).toBe(LIVE_COLUMNS.join(','));
    expect(lines).toHaveLength(1235);
    const { poses, time } = readTrajectory(text);
    expect(poses).toEqual(trajectoryOf(take.hands[0]!).poses);
    expect(time[1233]).toBe(2 + 0.001 * 1233);
  });

  it('tells how far it is and lets the page go on', async () => {
    const fractions: number[] = [];
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    await csvOfTake(sampleTake(1200), { pause, onProgress: (fraction) => fractions.push(fraction) });
    expect(pauses).toBe(2);
    expect(fractions).toEqual([500 / 1200, 1000 / 1200, 1]);
  });
});

it('a run as CSV is a result', async () => {
  const rows = new Float64Array(700 * RESULT_WIDTH);
  for (let i = 0; i < 700; i += 1) rows[i * RESULT_WIDTH] = i;
  const run = { label: 'run', count: 700, rows } as unknown as VariantResult;
  const result = readResult(await (await csvOfRun(run, hooks)).text());
  expect(result.count).toBe(700);
  expect(result.column(RESULT_COLUMNS[0])[699]).toBe(699);
});

describe('a take as MCAP', () => {
  it('holds every cycle to the bit, the scene and the commands', async () => {
    const event = { cycle: 2050, command: { kind: 'set', path: 'friction.coefficient', value: 0.2 } } as const;
    const take: Take = { ...sampleTake(300), commands: [event], dropped: 4 };
    const records = await recordsOf(await mcapOfTake(take, hooks));
    const ofType = <Type extends TypedMcapRecord['type']>(type: Type) =>
      records.filter((record): record is Extract<TypedMcapRecord, { type: Type }> => record.type === type);
    const channels = new Map(ofType('Channel').map(({ topic, id }) => [topic, id]));
    const messages = (topic: string) => ofType('Message').filter(({ channelId }) => channelId === channels.get(topic));
    const metadataOf = (name: string) =>
      Object.fromEntries(ofType('Metadata').find((record) => record.name === name)!.metadata);
    const fields = [-1, ...LIVE_COLUMNS.map((_, place) => place)];
    const row = new Float64Array(LIVE_WIDTH);
    const cycles = messages('/ball/cycle');
    expect(cycles).toHaveLength(300);
    cycles.forEach(({ data, logTime }, i) => {
      expect(decodeCycle(row, data, fields)).toBe(true);
      expect(row).toEqual(rowOf(take.hands[0]!, i));
      if (i === 0) expect(logTime).toBe(BigInt(Date.parse(take.startTime)) * 1_000_000n);
    });
    expect(ofType('Channel').find(({ topic }) => topic === '/ball/cycle')!.metadata).toEqual(
      new Map([
        ['hand', '0'],
        ['tool', 'ball'],
        ['columns', LIVE_COLUMNS.join(',')],
        ['time_step', '0.001'],
        ['method', metadataOf('palpable.recording').method],
      ]),
    );
    // 0.3 s of pictures at 50 a second.
    expect(messages('/ball/tool')).toHaveLength(15);
    const told = messages('/events').map(({ data }) => JSON.parse(new TextDecoder().decode(data)));
    expect(told).toMatchObject([{ ...event, hand: null, kind: 'command' }]);
    const scene = ofType('Attachment').find(({ name }) => name === 'scene.json')!;
    expect(JSON.parse(new TextDecoder().decode(scene.data))).toEqual(take.scene);
    expect(metadataOf('palpable.end')).toEqual({ rows: '300', dropped: '4' });
    expect(metadataOf('palpable.recording')).toMatchObject({
      time_step: '0.001',
      tools: '["ball"]',
      // Two seconds before the take began.
      start_time: '2026-01-02T03:04:03.000Z',
      start_time_ns: '1767323043000000000',
    });
    expect(ofType('Statistics')[0]).toMatchObject({ messageCount: 300n + 45n + 1n });
  });
});

it('a take as MCAP names its schemas and channels inside of its chunks, before their messages', async () => {
  const bytes = Buffer.from(await (await mcapOfTake(sampleTake(300), hooks)).arrayBuffer());
  const kinds: number[] = [];
  for (let at = 8; bytes[at] !== Opcode.DATA_END; at += 9 + Number(bytes.readBigUInt64LE(at + 1)))
    kinds.push(bytes[at]!);
  expect(kinds).toContain(Opcode.CHUNK);
  for (const kind of [Opcode.SCHEMA, Opcode.CHANNEL, Opcode.MESSAGE]) expect(kinds).not.toContain(kind);
});

it('names of files are plain', () => {
  expect(fileName('Take 3: Gauß–Seidel!', 'csv')).toBe('take-3-gau-seidel.csv');
  expect(fileName('…', 'mcap')).toBe('take.mcap');
});
