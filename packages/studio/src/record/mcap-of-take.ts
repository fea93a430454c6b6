/**
 * A take as an MCAP file, laid out as `palpable servo` records one: `palpable recording`, Foxglove and PlotJuggler read
 * it. It does not say how to repeat it to the bit, since the loop had run before the take began; its motion can be run
 * through any scene with `palpable run`.
 */
import { type IWritable, McapWriter } from '@mcap/core';
import { checkSceneValue, type LiveEvent } from '@palpable/engine';
import {
  cellOf,
  createRowMessages,
  END_METADATA,
  eventChannel,
  INFO_METADATA,
  nanosecondsOfMs,
  nanosecondsOfTime,
  OPTIONS_ATTACHMENT,
  type RecordingSubject,
  type RowMessages,
  recordingChannels,
  recordingSchemas,
  recordingStart,
  SCENE_ATTACHMENT,
  startEntries,
} from '@palpable/engine/advanced';
import { version } from '../../package.json';
import { type ExportHooks, visitRows } from './export.js';
import { type Take, timeOf } from './take.js';

const CHUNK_BYTES = 1024 * 1024;

const bytesOfText = (text: string) => new TextEncoder().encode(text);
const bytesOfJson = (value: unknown) => bytesOfText(JSON.stringify(value));
const bytesOf = (message: unknown) => (message instanceof Uint8Array ? message : bytesOfJson(message));

/** A file in memory. */
class Pieces implements IWritable {
  readonly pieces: Uint8Array<ArrayBuffer>[] = [];
  private size = 0;

  /** The writer uses its memory again, so it is copied. */
  write(piece: Uint8Array): Promise<void> {
    this.pieces.push(Uint8Array.from(piece));
    this.size += piece.length;
    return Promise.resolve();
  }

  position(): bigint {
    return BigInt(this.size);
  }
}

export async function mcapOfTake(take: Take, hooks: ExportHooks = {}): Promise<Blob> {
  const file = new Pieces();
  const writer = new McapWriter({ writable: file, chunkSize: CHUNK_BYTES });
  await writer.start({ profile: '', library: `palpable ${version}` });
  await describe(writer, take);
  await new TakeMessages(writer, take).write(hooks);
  const rows = take.hands.reduce((sum, { count }) => sum + count, 0);
  await addMetadata(writer, END_METADATA, { rows: String(rows), dropped: JSON.stringify(take.dropped) });
  await writer.end();
  return new Blob(file.pieces, { type: 'application/octet-stream' });
}

async function describe(writer: McapWriter, take: Take): Promise<void> {
  const { tools, timeStep, method } = subjectOf(take);
  const time = nanosecondsAtZero(take);
  const sceneBytes = bytesOfText(`${JSON.stringify(take.scene, null, 2)}\n`);
  await addMetadata(writer, INFO_METADATA, {
    version,
    scene_sha256: await sha256(sceneBytes),
    time_step: String(timeStep),
    tools: JSON.stringify(tools),
    method,
    ...startEntries(recordingStart(time)),
  });
  const about = { mediaType: 'application/json', logTime: time, createTime: time };
  await writer.addAttachment({ ...about, name: SCENE_ATTACHMENT, data: sceneBytes });
  await writer.addAttachment({ ...about, name: OPTIONS_ATTACHMENT, data: bytesOfJson(null) });
}

function subjectOf({ scene, timeStep, hands }: Take): RecordingSubject {
  return {
    tools: hands.map(({ tool }) => tool),
    timeStep,
    method: checkSceneValue(scene).scene?.method.kind ?? '',
  };
}

function addMetadata(writer: McapWriter, name: string, entries: Readonly<Record<string, string>>): Promise<void> {
  return writer.addMetadata({ name, metadata: new Map(Object.entries(entries)) });
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Wall time at time 0 of the rows: the loop had run for a while when the take began. Nanoseconds since 1970. */
function nanosecondsAtZero({ startTime, hands }: Take): bigint {
  const before = Math.min(...hands.filter(({ count }) => count > 0).map((hand) => timeOf(hand, 0)));
  return nanosecondsOfMs(Date.parse(startTime) || 0) - nanosecondsOfTime(before);
}

/** Rows and commands in the order in which they came. The writer takes one at a time. */
class TakeMessages {
  private readonly writer: McapWriter;
  private readonly take: Take;
  private readonly start: bigint;
  private readonly messagesOf: RowMessages;
  private readonly counts = new Map<number, number>();
  /** Their numbers in the file. */
  private channels: number[] = [];
  private nextEvent = 0;
  private newest = 0;

  constructor(writer: McapWriter, take: Take) {
    this.writer = writer;
    this.take = take;
    this.messagesOf = createRowMessages(take.hands.length);
    this.start = nanosecondsAtZero(take);
  }

  async write(hooks: ExportHooks): Promise<void> {
    await this.addChannels();
    await visitRows(this.take, (row) => this.addRow(row), hooks);
    for (const event of this.take.commands.slice(this.nextEvent)) await this.addEvent(event);
  }

  private async addChannels(): Promise<void> {
    const { writer, take } = this;
    const schemas = new Map<string, number>();
    for (const { name, encoding, data } of recordingSchemas()) {
      schemas.set(name, await writer.registerSchema({ name, encoding, data: bytesOf(data) }));
    }
    for (const { topic, schema, encoding, metadata } of recordingChannels(subjectOf(take))) {
      const channel = await writer.registerChannel({
        topic,
        schemaId: schemas.get(schema)!,
        messageEncoding: encoding,
        metadata: new Map(Object.entries(metadata)),
      });
      this.channels.push(channel);
    }
  }

  private async addRow(row: Float64Array): Promise<void> {
    const { commands } = this.take;
    while (this.nextEvent < commands.length && commands[this.nextEvent]!.cycle <= cellOf(row, 'cycle')) {
      await this.addEvent(commands[this.nextEvent++]!);
    }
    this.newest = cellOf(row, 'time');
    const messages: [number, Uint8Array][] = [];
    this.messagesOf(row, this.nanoseconds(), (channel, message) => messages.push([channel, bytesOf(message)]));
    for (const [channel, data] of messages) await this.addMessage(channel, data);
  }

  private addEvent({ cycle, command, problem }: LiveEvent): Promise<void> {
    const told = { time: this.newest, cycle, hand: null, kind: 'command', command, ...(problem && { problem }) };
    return this.addMessage(eventChannel(this.take.hands.length), bytesOfJson(told));
  }

  private addMessage(channel: number, data: Uint8Array): Promise<void> {
    const channelId = this.channels[channel]!;
    const sequence = this.counts.get(channelId) ?? 0;
    this.counts.set(channelId, sequence + 1);
    const time = this.nanoseconds();
    return this.writer.addMessage({ channelId, sequence, logTime: time, publishTime: time, data });
  }

  /** Of the newest row. */
  private nanoseconds(): bigint {
    return this.start + nanosecondsOfTime(this.newest);
  }
}
