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
  infoEntries,
  nanosecondsOfMs,
  nanosecondsOfTime,
  OPTIONS_ATTACHMENT,
  type RecordingSubject,
  recordingChannels,
  recordingSchemas,
  recordingStart,
  SCENE_ATTACHMENT,
} from '@palpable/engine/advanced';
import { version } from '../../package.json';
import { type ExportHooks, visitRows } from './export.js';
import { type Take, timeOf } from './take.js';

const CHUNK_BYTES = 1024 * 1024;

const bytesOfText = (text: string) => new TextEncoder().encode(text);
const bytesOfJson = (value: unknown) => bytesOfText(JSON.stringify(value));
const bytesOf = (message: unknown) => (message instanceof Uint8Array ? message : bytesOfJson(message));

export async function mcapOfTake(take: Take, hooks: ExportHooks = {}): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const writable: IWritable = {
    // The writer uses its memory again, so it is copied.
    async write(piece) {
      pieces.push(Uint8Array.from(piece));
      size += piece.length;
    },
    position: () => BigInt(size),
  };
  const writer = new McapWriter({ writable, chunkSize: CHUNK_BYTES });
  await writer.start({ profile: '', library: `palpable ${version}` });
  await describe(writer, take);
  await writeMessages(writer, take, hooks);
  const rows = take.hands.reduce((sum, { count }) => sum + count, 0);
  await addMetadata(writer, END_METADATA, { rows: String(rows), dropped: JSON.stringify(take.dropped) });
  await writer.end();
  return new Blob(pieces, { type: 'application/octet-stream' });
}

async function describe(writer: McapWriter, take: Take): Promise<void> {
  const time = nanosecondsAtZero(take);
  const sceneBytes = bytesOfText(`${JSON.stringify(take.scene, null, 2)}\n`);
  const info = { version, sceneSha256: await sha256(sceneBytes), ...recordingStart(time) };
  await addMetadata(writer, INFO_METADATA, infoEntries(subjectOf(take), info));
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
async function writeMessages(writer: McapWriter, take: Take, hooks: ExportHooks): Promise<void> {
  const { commands, hands } = take;
  const start = nanosecondsAtZero(take);
  const messagesOf = createRowMessages(hands.length);
  const channels = await addChannels(writer, take);
  const counts = channels.map(() => 0);
  let nextEvent = 0;
  let newest = 0;
  const timeNow = () => start + nanosecondsOfTime(newest);
  const addMessage = (channel: number, data: Uint8Array) => {
    const time = timeNow();
    const about = { sequence: counts[channel]!, logTime: time, publishTime: time };
    counts[channel]! += 1;
    return writer.addMessage({ ...about, channelId: channels[channel]!, data });
  };
  const addEvent = ({ cycle, command, problem }: LiveEvent) => {
    const event = { time: newest, cycle, hand: null, kind: 'command', command, ...(problem && { problem }) };
    return addMessage(eventChannel(hands.length), bytesOfJson(event));
  };
  const addRow = async (row: Float64Array) => {
    while (nextEvent < commands.length && commands[nextEvent]!.cycle <= cellOf(row, 'cycle')) {
      await addEvent(commands[nextEvent++]!);
    }
    newest = cellOf(row, 'time');
    const messages: [number, Uint8Array][] = [];
    messagesOf(row, timeNow(), (channel, message) => messages.push([channel, bytesOf(message)]));
    for (const [channel, data] of messages) await addMessage(channel, data);
  };
  await visitRows(take, addRow, hooks);
  for (const event of commands.slice(nextEvent)) await addEvent(event);
}

/** Gives their numbers in the file. */
async function addChannels(writer: McapWriter, take: Take): Promise<number[]> {
  const schemas = new Map<string, number>();
  for (const { name, encoding, data } of recordingSchemas()) {
    schemas.set(name, await writer.registerSchema({ name, encoding, data: bytesOf(data) }));
  }
  const channels: number[] = [];
  for (const { topic, schema, encoding, metadata } of recordingChannels(subjectOf(take))) {
    const about = { topic, schemaId: schemas.get(schema)!, messageEncoding: encoding };
    channels.push(await writer.registerChannel({ ...about, metadata: new Map(Object.entries(metadata)) }));
  }
  return channels;
}
