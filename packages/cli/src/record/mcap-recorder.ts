import {
  CYCLE_SCHEMA,
  createCycleEncoder,
  cycleDescriptor,
  cycleTopic,
  devicePoseMessage,
  END_METADATA,
  EVENT_SCHEMA,
  EVENT_TOPIC,
  eventJsonSchema,
  INFO_METADATA,
  LIVE_COLUMNS,
  OPTIONS_ATTACHMENT,
  POSE_SCHEMA,
  poseJsonSchema,
  SCENE_ATTACHMENT,
  SCENE_SCHEMA,
  sceneUpdateJsonSchema,
  toolPoseMessage,
  VIEW_RATE_HZ,
  wrenchMessage,
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

/** Channels of one hand, and the last time its poses were shown, counted in steps of the view's rate. */
interface HandChannels {
  readonly cycle: number;
  readonly device: number;
  readonly tool: number;
  readonly wrench: number;
  lastView: number;
}

const bytesOfJson = (value: unknown) => Buffer.from(JSON.stringify(value));

/** Starts an MCAP file: what it is about is in it when this returns. */
export function createMcapRecorder(path: string, info: RecordingInfo, options: RecorderOptions = {}): Recorder {
  const file = new McapFile(path, `palpable ${info.version}`, options.overwrite ?? false);
  const start = BigInt(Date.parse(info.startTime) || 0) * 1_000_000n;
  describe(file, info, start);
  const hands = addHandChannels(file, info.tools);
  const events = file.addChannel(
    EVENT_TOPIC,
    file.addSchema(EVENT_SCHEMA, 'jsonschema', bytesOfJson(eventJsonSchema)),
    'json',
  );
  const encoder = createCycleEncoder();
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
      const hand = hands[row[HAND]!];
      if (!hand) throw strangeHand(row[HAND]!, info.tools.length);
      newest = row[TIME]!;
      const nanoseconds = nanosecondsOf(newest);
      encoder.encode(row);
      file.addMessage(hand.cycle, nanoseconds, encoder.data);
      rows += 1;
      showHand(file, hand, row, nanoseconds);
    },
    event(event: RecordedEvent) {
      const told = { time: newest, ...event };
      file.addMessage(events, nanosecondsOf(told.time), bytesOfJson(told));
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

function addHandChannels(file: McapFile, tools: readonly string[]): HandChannels[] {
  const cycle = file.addSchema(CYCLE_SCHEMA, 'protobuf', cycleDescriptor());
  const pose = file.addSchema(POSE_SCHEMA, 'jsonschema', bytesOfJson(poseJsonSchema));
  const scene = file.addSchema(SCENE_SCHEMA, 'jsonschema', bytesOfJson(sceneUpdateJsonSchema));
  return tools.map((tool, hand) => ({
    cycle: file.addChannel(cycleTopic(tool), cycle, 'protobuf', {
      hand: String(hand),
      columns: LIVE_COLUMNS.join(','),
    }),
    device: file.addChannel(`/${tool}/device`, pose, 'json'),
    tool: file.addChannel(`/${tool}/tool`, pose, 'json'),
    wrench: file.addChannel(`/${tool}/wrench`, scene, 'json'),
    lastView: Number.NEGATIVE_INFINITY,
  }));
}

function showHand(file: McapFile, hand: HandChannels, row: Float64Array, nanoseconds: bigint): void {
  // A time that should be a whole step may lie a rounding below it.
  const view = Math.floor(row[TIME]! * VIEW_RATE_HZ + 1e-6);
  if (view === hand.lastView) return;
  hand.lastView = view;
  file.addMessage(hand.device, nanoseconds, bytesOfJson(devicePoseMessage(row, nanoseconds)));
  file.addMessage(hand.tool, nanoseconds, bytesOfJson(toolPoseMessage(row, nanoseconds)));
  file.addMessage(hand.wrench, nanoseconds, bytesOfJson(wrenchMessage(row, nanoseconds)));
}
