import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { MCAP_MAGIC, McapStreamReader, Opcode, type TypedMcapRecord } from '@mcap/core';
import {
  CYCLE_SCHEMA,
  decodeCycle,
  END_METADATA,
  EVENT_TOPIC,
  INFO_METADATA,
  isPalpableError,
  LIVE_WIDTH,
  OPTIONS_ATTACHMENT,
  PalpableError,
  type ProgressListener,
  SCENE_ATTACHMENT,
} from '@palpable/engine';
import { HandRows, placesOf } from './hand-rows.js';
import { CHUNK_HEAD_BYTES } from './mcap-file.js';
import type { Recording } from './read-recording.js';
import { isEvent, type RecordedEvent, type RecordingInfo, type RecordingTotals } from './recording-info.js';

/** Read at a time; files may be larger than memory should hold at once. */
const PIECE_BYTES = 4 * 1024 * 1024;
/** A record's operation code and length, and the fixed part of a message. */
const RECORD_HEAD_BYTES = 9;
const MESSAGE_HEAD_BYTES = 22;

export function isMcap(start: Uint8Array): boolean {
  return MCAP_MAGIC.every((byte, place) => start[place] === byte);
}

/** Reads a recording from its start to its end or, if it was cut off or damaged, as far as it goes. */
export function readMcap(path: string, onProgress: ProgressListener = () => {}): Recording {
  const contents = new McapContents();
  const reader = new McapStreamReader();
  const file = openSync(path, 'r');
  let damage: string | null = null;
  try {
    const { size } = fstatSync(file);
    const piece = new Uint8Array(Math.min(PIECE_BYTES, size));
    let at = 0;
    while (at < size && !reader.done()) {
      const read = readSync(file, piece, 0, piece.length, at);
      if (read === 0) break;
      at += read;
      reader.append(piece.subarray(0, read));
      for (let record = reader.nextRecord(); record; record = reader.nextRecord()) contents.take(record);
      onProgress('Reading', at / size);
    }
    if (!reader.done()) {
      const rest = new Uint8Array(reader.bytesRemaining());
      readSync(file, rest, 0, rest.length, at - rest.length);
      contents.takeTornChunk(rest);
    }
  } catch (error) {
    if (isPalpableError(error)) throw error;
    damage = (error as Error).message;
  } finally {
    closeSync(file);
  }
  return contents.finish(path, reader.done() ? null : (damage ?? 'it ends without an index'));
}

/** A channel of cycles: whose they are, and the place of each field in a row. */
interface CycleChannel {
  readonly hand: number;
  readonly columnOfField: readonly number[];
}

/** What the records of a file amount to. */
class McapContents {
  private about: Map<string, string> | undefined;
  private end: RecordingTotals | null = null;
  private sceneText = '';
  private options: unknown = null;
  private readonly schemaNames = new Map<number, string>();
  private readonly cycleChannels = new Map<number, CycleChannel>();
  private eventChannel = -1;
  private readonly hands: HandRows[] = [];
  private readonly events: RecordedEvent[] = [];
  private readonly row = new Float64Array(LIVE_WIDTH);

  take(record: TypedMcapRecord): void {
    if (record.type === 'Message') this.takeMessage(record.channelId, record.data);
    else if (record.type === 'Schema') this.schemaNames.set(record.id, record.name);
    else if (record.type === 'Channel') this.takeChannel(record);
    else if (record.type === 'Metadata') this.takeMetadata(record.name, record.metadata);
    else if (record.type === 'Attachment') this.takeAttachment(record.name, record.data);
  }

  private takeMessage(channelId: number, data: Uint8Array): void {
    const cycle = this.cycleChannels.get(channelId);
    if (cycle) {
      if (!decodeCycle(this.row, data, cycle.columnOfField)) throw new Error('a cycle is not as its schema says');
      this.hands[cycle.hand]!.add(this.row);
    } else if (channelId === this.eventChannel) {
      const event: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
      if (!isEvent(event)) throw new Error('an event is not as its schema says');
      this.events.push(event);
    }
  }

  private takeChannel({ id, schemaId, topic, metadata }: TypedMcapRecord & { type: 'Channel' }): void {
    if (topic === EVENT_TOPIC) this.eventChannel = id;
    // The index at the end tells of them again.
    if (this.schemaNames.get(schemaId) !== CYCLE_SCHEMA || this.cycleChannels.has(id)) return;
    const hand = Number(metadata.get('hand'));
    if (!this.hands[hand]) throw new Error(`there is no tool for the hand of ${topic}`);
    // Fields count from 1.
    const columnOfField = [-1, ...placesOf(metadata.get('columns')?.split(',') ?? [])];
    this.cycleChannels.set(id, { hand, columnOfField });
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
    this.hands.push(...tools.map((tool) => new HandRows(tool)));
  }

  private takeAttachment(name: string, data: Uint8Array): void {
    const text = () => Buffer.from(data).toString('utf8');
    if (name === SCENE_ATTACHMENT) this.sceneText = text();
    else if (name === OPTIONS_ATTACHMENT) this.options = JSON.parse(text());
  }

  /** A chunk that is not whole still has whole messages at its beginning. */
  takeTornChunk(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const compressed = bytes.length >= CHUNK_HEAD_BYTES && view.getUint32(37, true) > 0;
    if (bytes[0] !== Opcode.CHUNK || compressed) return;
    let at = CHUNK_HEAD_BYTES;
    while (at + RECORD_HEAD_BYTES + MESSAGE_HEAD_BYTES <= bytes.length && bytes[at] === Opcode.MESSAGE) {
      const start = at + RECORD_HEAD_BYTES;
      const length = Number(view.getBigUint64(at + 1, true));
      if (length < MESSAGE_HEAD_BYTES || start + length > bytes.length) return;
      this.takeMessage(view.getUint16(start, true), bytes.subarray(start + MESSAGE_HEAD_BYTES, start + length));
      at = start + length;
    }
  }

  finish(path: string, damage: string | null): Recording {
    const info = this.info();
    if (!info) {
      const reason = damage
        ? 'ends before it says what it is about; nothing can be recovered from it'
        : 'was not made by Palpable; name a recording of palpable servo';
      throw new PalpableError('format-invalid', `${path}: The file ${reason}.`, path);
    }
    return {
      format: 'mcap',
      info,
      hands: this.hands.map((hand) => hand.finish()),
      events: this.events,
      end: this.end,
      truncated: damage !== null,
      damage,
    };
  }

  private info(): RecordingInfo | undefined {
    if (!this.about) return undefined;
    const text = (key: string) => this.about!.get(key) ?? '';
    return {
      version: text('version'),
      sceneSha256: text('scene_sha256'),
      sceneText: this.sceneText,
      options: this.options,
      timeStep: Number(text('time_step')),
      tools: this.hands.map((hand) => hand.tool),
      method: text('method'),
      startTime: text('start_time'),
    };
  }
}
