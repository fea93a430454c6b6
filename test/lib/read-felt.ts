/** Recordings as another program reads them: MCAP by its own library and the schemas in the file, CSV as text. */
import { readFileSync } from 'node:fs';
import { McapIndexedReader } from '@mcap/core';
import type { LIVE_COLUMNS } from '@palpable/engine/advanced';
import protobuf from 'protobufjs';
import 'protobufjs/ext/descriptor/index.js';

type Column = (typeof LIVE_COLUMNS)[number];

/** What one hand felt, cycle by cycle. */
export interface Felt {
  readonly count: number;
  column(name: Column): number[];
  /** When each cycle was, ms since 1970; of MCAP alone. */
  readonly wallMs: readonly number[];
}

export interface FeltRecording {
  readonly hands: readonly Felt[];
  /** Of MCAP alone. */
  readonly events: readonly { readonly command?: { readonly kind: string } }[];
}

export async function readFelt(path: string): Promise<FeltRecording> {
  const bytes = readFileSync(path);
  return path.endsWith('.csv') ? readCsv(bytes.toString('utf8')) : readMcap(bytes);
}

async function readMcap(bytes: Buffer): Promise<FeltRecording> {
  const reader = await McapIndexedReader.Initialize({
    readable: {
      size: async () => BigInt(bytes.length),
      read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
    },
  });
  const schema = [...reader.schemasById.values()].find(({ name }) => name === 'palpable.Cycle')!;
  const Cycle = decoderOf(schema.data).lookupType('palpable.Cycle');
  const hands: Felt[] = [];
  for (const { topic } of [...reader.channelsById.values()].filter((channel) => channel.topic.endsWith('/cycle'))) {
    const rows: Record<string, number>[] = [];
    const wallMs: number[] = [];
    for await (const { data, logTime } of reader.readMessages({ topics: [topic] })) {
      rows.push(Cycle.decode(data) as unknown as Record<string, number>);
      wallMs.push(Number(logTime) / 1e6);
    }
    hands.push({ count: rows.length, column: (name) => rows.map((row) => row[name]!), wallMs });
  }
  const events: FeltRecording['events'][number][] = [];
  for await (const { data } of reader.readMessages({ topics: ['/events'] })) {
    events.push(JSON.parse(Buffer.from(data).toString('utf8')));
  }
  return { hands, events };
}

function decoderOf(descriptors: Uint8Array): protobuf.Root {
  // The types of protobufjs do not know of its own extension.
  const { Root } = protobuf as unknown as { Root: { fromDescriptor(set: Uint8Array): protobuf.Root } };
  return Root.fromDescriptor(descriptors);
}

function readCsv(text: string): FeltRecording {
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const names = header.split(',');
  const rows = lines.map((line) => line.split(',').map(Number));
  const hand = names.indexOf('hand');
  const count = Math.max(...rows.map((row) => row[hand]!)) + 1;
  const hands = Array.from({ length: count }, (_, n): Felt => {
    const own = rows.filter((row) => row[hand] === n);
    return { count: own.length, column: (name) => own.map((row) => row[names.indexOf(name)]!), wallMs: [] };
  });
  return { hands, events: [] };
}
