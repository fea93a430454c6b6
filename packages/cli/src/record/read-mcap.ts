import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { MCAP_MAGIC, McapRecordBuilder, McapStreamReader, Opcode, type TypedMcapRecord } from '@mcap/core';
import { isPalpableError, PalpableError } from '@palpable/engine';
import {
  CYCLE_SCHEMA,
  cellOf,
  decodeCycle,
  END_METADATA,
  EVENT_TOPIC,
  INFO_METADATA,
  LIVE_WIDTH,
  nanosecondsOfTime,
  OPTIONS_ATTACHMENT,
  type ProgressListener,
  readRecordingStart,
  SCENE_ATTACHMENT,
} from '@palpable/engine/advanced';
import { type HandRows, handOf, isHand, placesOf } from './hand-rows.js';
import { CHUNK_HEAD_BYTES } from './mcap-file.js';
import type { Recording } from './read-recording.js';
import {
  isEvent,
  type RecordedEvent,
  type RecordingInfo,
  type RecordingTotals,
  unknownInfo,
} from './recording-info.js';

/** Read at a time; files may be larger than memory should hold at once. */
const PIECE_BYTES = 4 * 1024 * 1024;
/** Operation code, length, two places and a checksum; the magic bytes come after it. */
const FOOTER_BYTES = 29;

export function isMcap(start: Uint8Array): boolean {
  return MCAP_MAGIC.every((byte, place) => start[place] === byte);
}

/**
 * Reads a recording from its start to its end or, if it was cut off or damaged, as far as it goes. It may have passed
 * through other programs: only the channels of cycles have to be left of what says what it is about.
 */
export function readMcap(path: string, onProgress: ProgressListener = () => {}): Recording {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const { contents, damage } = readContents(path, file, size, NOTHING, onProgress);
    if (damage === null || contents.hasCycles) return contents.finish(path, damage);
    // Some programs put the channels behind the messages, or nowhere but in the index.
    const again = readContents(path, file, size, declaredInIndex(file, size), onProgress);
    return again.contents.finish(path, again.damage);
  } finally {
    closeSync(file);
  }
}

const NOTHING = new Uint8Array(0);

/** `declared`: schemas and channels, as records, that are known before the file is read. */
function readContents(path: string, file: number, size: number, declared: Uint8Array, onProgress: ProgressListener) {
  const contents = new McapContents();
  const reader = createReader(path, declared);
  let damage: string | null = null;
  try {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, size));
    let at = MCAP_MAGIC.length;
    while (at < size && !reader.done()) {
      const read = readSync(file, piece, 0, piece.length, at);
      if (read === 0) break;
      at += read;
      reader.append(piece.subarray(0, read));
      contents.takeAll(reader);
      onProgress('Reading', at / size);
    }
    if (!reader.done()) {
      damage = 'it ends without an index';
      const rest = new Uint8Array(reader.bytesRemaining());
      readSync(file, rest, 0, rest.length, at - rest.length);
      contents.takeAll(createReader(path, contents.declared.buffer, recordsOfTornChunk(rest)));
    }
  } catch (error) {
    if (isPalpableError(error)) throw error;
    damage = (error as Error).message;
  }
  return { contents, damage };
}

/** A reader of records without the magic bytes before them. */
function createReader(path: string, ...pieces: readonly Uint8Array[]): McapStreamReader {
  const refuse = (compression: string) => () => {
    const message =
      `${path}: The file is compressed (${compression}), which is not supported; write it without compression first, ` +
      'for example with "mcap decompress" of the MCAP command line tool.';
    throw new PalpableError('format-invalid', message, path);
  };
  const decompressHandlers = { lz4: refuse('lz4'), zstd: refuse('zstd') };
  const reader = new McapStreamReader({ noMagicPrefix: true, decompressHandlers });
  for (const piece of pieces) reader.append(piece);
  return reader;
}

/** A chunk that is not whole still has whole records at its beginning. */
function recordsOfTornChunk(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isChunk = bytes.length >= CHUNK_HEAD_BYTES && bytes[0] === Opcode.CHUNK;
  const isCompressed = isChunk && view.getUint32(37, true) > 0;
  return isChunk && !isCompressed ? bytes.subarray(CHUNK_HEAD_BYTES) : NOTHING;
}

/** Schemas and channels of the index at the end of a file; nothing where there is none. */
function declaredInIndex(file: number, size: number): Uint8Array {
  const footer = new DataView(new ArrayBuffer(FOOTER_BYTES));
  readSync(file, footer, 0, FOOTER_BYTES, Math.max(0, size - MCAP_MAGIC.length - FOOTER_BYTES));
  const start = Number(footer.getBigUint64(9, true));
  const found = new McapContents();
  if (footer.getUint8(0) !== Opcode.FOOTER || start === 0 || start >= size) return NOTHING;
  try {
    const index = new Uint8Array(size - start);
    readSync(file, index, 0, index.length, start);
    found.takeAll(createReader('', index));
  } catch {
    // As far as it goes.
  }
  return found.declared.buffer;
}

/** A channel of cycles: whose they are, and the place of each field in a row. */
interface CycleChannel {
  readonly hand: HandRows;
  readonly columnOfField: readonly number[];
}

/** What the records of a file amount to. */
class McapContents {
  /** All schemas and channels, once. */
  readonly declared = new McapRecordBuilder();
  private about: Map<string, string> | undefined;
  /** Of a channel of cycles; says less than `about`. */
  private channelAbout: Map<string, string> | undefined;
  /** By the first row and its time in the file, nanoseconds since 1970. */
  private firstStart: bigint | null = null;
  private end: RecordingTotals | null = null;
  private sceneText = '';
  private options: unknown = null;
  private readonly schemaNames = new Map<number, string>();
  private readonly channels = new Set<number>();
  private readonly cycleChannels = new Map<number, CycleChannel>();
  private readonly eventChannels = new Set<number>();
  private readonly hands: HandRows[] = [];
  private readonly events: RecordedEvent[] = [];
  private readonly row = new Float64Array(LIVE_WIDTH);

  get hasCycles(): boolean {
    return this.cycleChannels.size > 0;
  }

  takeAll(reader: McapStreamReader): void {
    for (let record = reader.nextRecord(); record; record = reader.nextRecord()) this.take(record);
  }

  private take(record: TypedMcapRecord): void {
    if (record.type === 'Message') this.takeMessage(record);
    else if (record.type === 'Schema') this.takeSchema(record);
    else if (record.type === 'Channel') this.takeChannel(record);
    else if (record.type === 'Metadata') this.takeMetadata(record.name, record.metadata);
    else if (record.type === 'Attachment') this.takeAttachment(record.name, record.data);
  }

  private takeMessage({ channelId, logTime, data }: TypedMcapRecord & { type: 'Message' }): void {
    const cycle = this.cycleChannels.get(channelId);
    if (cycle) {
      if (!decodeCycle(this.row, data, cycle.columnOfField)) throw new Error('a cycle does not match its schema');
      this.firstStart ??= logTime - nanosecondsOfTime(cellOf(this.row, 'time'));
      cycle.hand.add(this.row);
    } else if (this.eventChannels.has(channelId)) {
      const event: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
      if (!isEvent(event)) throw new Error('an event does not match its schema');
      this.events.push(event);
    }
  }

  private takeSchema(schema: TypedMcapRecord & { type: 'Schema' }): void {
    if (this.schemaNames.has(schema.id)) return;
    this.schemaNames.set(schema.id, schema.name);
    this.declared.writeSchema(schema);
  }

  /** Every chunk declares its channels, and the index at the end does so again. */
  private takeChannel(channel: TypedMcapRecord & { type: 'Channel' }): void {
    const { id, schemaId, topic, metadata } = channel;
    if (this.channels.has(id)) return;
    this.channels.add(id);
    this.declared.writeChannel(channel);
    if (topic === EVENT_TOPIC) this.eventChannels.add(id);
    if (this.schemaNames.get(schemaId) === CYCLE_SCHEMA) this.takeCycleChannel(id, topic, metadata);
  }

  private takeCycleChannel(id: number, topic: string, metadata: Map<string, string>): void {
    const number = Number(metadata.get('hand') ?? Number.NaN);
    const columns = metadata.get('columns');
    if (!isHand(number) || columns === undefined) throw new Error(`${topic} does not state its hand and columns`);
    const hand = handOf(this.hands, number);
    // Older recordings say it only as the topic.
    if (!this.about) hand.tool = metadata.get('tool') ?? topic.replace(/^\/(.*)\/cycle$/, '$1');
    this.channelAbout ??= metadata;
    // Fields count from 1.
    this.cycleChannels.set(id, { hand, columnOfField: [-1, ...placesOf(columns.split(','))] });
  }

  private takeMetadata(name: string, entries: Map<string, string>): void {
    if (name === END_METADATA) {
      this.end = {
        rows: Number(entries.get('rows')),
        dropped: JSON.parse(entries.get('dropped') ?? 'null') as number | null,
      };
    }
    if (name !== INFO_METADATA || this.about) return;
    this.about = entries;
    const tools = JSON.parse(entries.get('tools') ?? '[]') as string[];
    tools.forEach((tool, hand) => {
      handOf(this.hands, hand).tool = tool;
    });
  }

  private takeAttachment(name: string, data: Uint8Array): void {
    const text = () => Buffer.from(data).toString('utf8');
    if (name === SCENE_ATTACHMENT) this.sceneText = text();
    else if (name === OPTIONS_ATTACHMENT) this.options = JSON.parse(text());
  }

  finish(path: string, damage: string | null): Recording {
    if (!this.about && !this.hasCycles) {
      const reason = damage
        ? 'ends before its description; nothing can be recovered from it'
        : 'was not made by Palpable; name a recording of palpable servo';
      throw new PalpableError('format-invalid', `${path}: The file ${reason}.`, path);
    }
    return {
      format: 'mcap',
      info: this.info(),
      hands: this.hands.map((hand) => hand.finish()),
      events: this.events,
      end: this.end,
      truncated: damage !== null,
      damage,
    };
  }

  private info(): RecordingInfo {
    const { about, channelAbout } = this;
    const unknown = unknownInfo(this.hands.map((hand) => hand.tool));
    return {
      ...unknown,
      version: about?.get('version') ?? unknown.version,
      sceneSha256: about?.get('scene_sha256') ?? '',
      sceneText: this.sceneText,
      options: this.options,
      timeStep: Number(about?.get('time_step') ?? channelAbout?.get('time_step') ?? Number.NaN),
      method: about?.get('method') ?? channelAbout?.get('method') ?? unknown.method,
      ...(about
        ? readRecordingStart(about.get('start_time'), about.get('start_time_ns'))
        : readRecordingStart(undefined, String(this.firstStart))),
    };
  }
}
