import {
  createRowMessages,
  END_METADATA,
  eventChannel,
  INFO_METADATA,
  LIVE_COLUMNS,
  OPTIONS_ATTACHMENT,
  recordingChannels,
  recordingSchemas,
  SCENE_ATTACHMENT,
} from '@palpable/engine';
import { McapFile } from './mcap-file.js';
import {
  type RecordedEvent,
  type Recorder,
  type RecorderOptions,
  type RecordingInfo,
  strangeHand,
} from './recording-info.js';

const TIME = LIVE_COLUMNS.indexOf('time');
const HAND = LIVE_COLUMNS.indexOf('hand');

/** Seconds, about thirty years. */
const MAX_TIME = 1e9;

const bytesOfJson = (value: unknown) => Buffer.from(JSON.stringify(value));
const bytesOf = (message: unknown) => (message instanceof Uint8Array ? message : bytesOfJson(message));

/** Starts an MCAP file: what it is about is in it when this returns. */
export function createMcapRecorder(path: string, info: RecordingInfo, options: RecorderOptions = {}): Recorder {
  const file = new McapFile(path, `palpable ${info.version}`, options.overwrite ?? false);
  const start = BigInt(Date.parse(info.startTime) || 0) * 1_000_000n;
  describe(file, info, start);
  const hands = info.tools.length;
  const channels = addChannels(file, info.tools);
  const messagesOf = createRowMessages(hands);
  // What a damaged recording calls a time must not keep the rest from being mended.
  const nanosecondsOf = (time: number) => start + BigInt(time >= 0 && time < MAX_TIME ? Math.round(time * 1e9) : 0);
  let rows = 0;
  let newest = 0;
  return {
    get bytes() {
      return file.bytes;
    },
    get rows() {
      return rows;
    },
    append(row) {
      if (row[HAND]! >= hands) throw strangeHand(row[HAND]!, hands);
      newest = row[TIME]!;
      const nanoseconds = nanosecondsOf(newest);
      messagesOf(row, nanoseconds, (channel, message) => {
        file.addMessage(channels[channel]!, nanoseconds, bytesOf(message));
      });
      rows += 1;
    },
    event(event: RecordedEvent) {
      const told = { time: newest, ...event };
      file.addMessage(channels[eventChannel(hands)]!, nanosecondsOf(told.time), bytesOfJson(told));
    },
    flush: () => file.flush(),
    close(dropped) {
      file.addMetadata(END_METADATA, { rows: String(rows), dropped: JSON.stringify(dropped) });
      file.close();
    },
  };
}

function describe(file: McapFile, info: RecordingInfo, start: bigint): void {
  file.addMetadata(INFO_METADATA, {
    version: info.version,
    scene_sha256: info.sceneSha256,
    time_step: String(info.timeStep),
    tools: JSON.stringify(info.tools),
    method: info.method,
    start_time: info.startTime,
  });
  file.addAttachment(SCENE_ATTACHMENT, 'application/json', start, Buffer.from(info.sceneText));
  file.addAttachment(OPTIONS_ATTACHMENT, 'application/json', start, bytesOfJson(info.options ?? null));
}

/** Their numbers in the file. */
function addChannels(file: McapFile, tools: readonly string[]): number[] {
  const schemas = new Map(
    recordingSchemas().map(({ name, encoding, data }) => [name, file.addSchema(name, encoding, bytesOf(data))]),
  );
  return recordingChannels(tools).map(({ topic, schema, encoding, metadata }) =>
    file.addChannel(topic, schemas.get(schema)!, encoding, metadata),
  );
}
