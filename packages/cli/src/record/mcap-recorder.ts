import {
  createRowMessages,
  END_METADATA,
  eventChannel,
  INFO_METADATA,
  infoEntries,
  nanosecondsOfTime,
  OPTIONS_ATTACHMENT,
  recordingChannels,
  recordingSchemas,
  SCENE_ATTACHMENT,
} from '@palpable/engine/advanced';
import { McapFile } from './mcap-file.js';
import type { OutputFile } from './output-file.js';
import { createCountingRecorder, type Recorder } from './recorder.js';
import type { RecordingInfo } from './recording-info.js';

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
  return createCountingRecorder(
    {
      get bytes() {
        return file.bytes;
      },
      append(row, time) {
        const nanoseconds = start + nanosecondsOfTime(time);
        messagesOf(row, nanoseconds, (channel, message) => {
          file.addMessage(channels[channel]!, nanoseconds, bytesOf(message));
        });
      },
      event(event) {
        file.addMessage(channels[eventChannel(hands)]!, start + nanosecondsOfTime(event.time), bytesOfJson(event));
      },
      flush() {
        file.flush();
        file.closeFullChunk();
      },
      end({ rows, dropped }) {
        file.addMetadata(END_METADATA, { rows: String(rows), dropped: JSON.stringify(dropped) });
        file.end();
      },
      close: () => output.close(),
    },
    hands,
  );
}

function describe(file: McapFile, info: RecordingInfo, start: bigint): void {
  file.addMetadata(INFO_METADATA, infoEntries(info, info));
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
