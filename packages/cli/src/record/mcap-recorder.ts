import {
  createRowMessages,
  END_METADATA,
  eventChannel,
  INFO_METADATA,
  LIVE_COLUMNS,
  nanosecondsOfTime,
  OPTIONS_ATTACHMENT,
  recordingChannels,
  recordingSchemas,
  SCENE_ATTACHMENT,
  startEntries,
} from '@palpable/engine/advanced';
import { McapFile } from './mcap-file.js';
import type { OutputFile } from './output-file.js';
import { type RecordedEvent, type Recorder, type RecordingInfo, strangeHand } from './recording-info.js';

const TIME = LIVE_COLUMNS.indexOf('time');
const HAND = LIVE_COLUMNS.indexOf('hand');

const bytesOfJson = (value: unknown) => Buffer.from(JSON.stringify(value));
const bytesOf = (message: unknown) => (message instanceof Uint8Array ? message : bytesOfJson(message));

/** Starts an MCAP file: what it is about is in it when this returns. */
export function createMcapRecorder(output: OutputFile, info: RecordingInfo): Recorder {
  const file = new McapFile(output, `palpable ${info.version}`);
  const start = BigInt(info.startTimeNs ?? 0);
  describe(file, info, start);
  const hands = info.tools.length;
  const channels = addChannels(file, info);
  const messagesOf = createRowMessages(hands);
  let rows = 0;
  let written = 0;
  let newest = 0;
  const flush = () => {
    file.flush();
    written = rows;
    file.closeFullChunk();
  };
  return {
    get bytes() {
      return file.bytes;
    },
    get rows() {
      return rows;
    },
    get written() {
      return written;
    },
    append(row) {
      if (row[HAND]! >= hands) throw strangeHand(row[HAND]!, hands);
      newest = row[TIME]!;
      const nanoseconds = start + nanosecondsOfTime(newest);
      messagesOf(row, nanoseconds, (channel, message) => {
        file.addMessage(channels[channel]!, nanoseconds, bytesOf(message));
      });
      rows += 1;
    },
    event(event: RecordedEvent) {
      const told = { time: newest, ...event };
      file.addMessage(channels[eventChannel(hands)]!, start + nanosecondsOfTime(told.time), bytesOfJson(told));
    },
    flush,
    end(dropped) {
      flush();
      file.addMetadata(END_METADATA, { rows: String(rows), dropped: JSON.stringify(dropped) });
      file.end();
    },
    close: () => output.close(),
  };
}

function describe(file: McapFile, info: RecordingInfo, start: bigint): void {
  file.addMetadata(INFO_METADATA, {
    version: info.version,
    scene_sha256: info.sceneSha256,
    time_step: String(info.timeStep),
    tools: JSON.stringify(info.tools),
    method: info.method,
    ...startEntries(info),
  });
  file.addAttachment(SCENE_ATTACHMENT, 'application/json', start, Buffer.from(info.sceneText));
  file.addAttachment(OPTIONS_ATTACHMENT, 'application/json', start, bytesOfJson(info.options ?? null));
}

/** Their numbers in the file. */
function addChannels(file: McapFile, info: RecordingInfo): number[] {
  const schemas = new Map(
    recordingSchemas().map(({ name, encoding, data }) => [name, file.addSchema(name, encoding, bytesOf(data))]),
  );
  return recordingChannels(info).map(({ topic, schema, encoding, metadata }) =>
    file.addChannel(topic, schemas.get(schema)!, encoding, metadata),
  );
}
