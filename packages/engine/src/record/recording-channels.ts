import {
  devicePoseMessage,
  POSE_SCHEMA,
  poseJsonSchema,
  SCENE_SCHEMA,
  sceneUpdateJsonSchema,
  toolPoseMessage,
  VIEW_RATE_HZ,
  wrenchMessage,
} from './foxglove-messages.js';
import { LIVE_COLUMNS } from './live-row.js';
import { cellOf } from './read-live-row.js';
import {
  CYCLE_SCHEMA,
  createCycleEncoder,
  cycleDescriptor,
  cycleTopic,
  EVENT_SCHEMA,
  EVENT_TOPIC,
  eventJsonSchema,
} from './recording-schema.js';
import type { RecordingStart } from './recording-time.js';

/** Which channels a recording has and which message goes where: the same for whoever writes the file. */
export interface RecordingSchema {
  readonly name: string;
  readonly encoding: 'protobuf' | 'jsonschema';
  /** Bytes of protobuf, or a value to be written as JSON. */
  readonly data: unknown;
}

/** One channel of an MCAP recording. */
export interface RecordingChannel {
  /** As MCAP names it, such as `/cube/cycle`. */
  readonly topic: string;
  /** Name of its schema. */
  readonly schema: string;
  readonly encoding: 'protobuf' | 'json';
  readonly metadata: Readonly<Record<string, string>>;
}

/** The schemas of all channels of a recording. */
export function recordingSchemas(): RecordingSchema[] {
  return [
    { name: CYCLE_SCHEMA, encoding: 'protobuf', data: cycleDescriptor() },
    { name: POSE_SCHEMA, encoding: 'jsonschema', data: poseJsonSchema },
    { name: SCENE_SCHEMA, encoding: 'jsonschema', data: sceneUpdateJsonSchema },
    { name: EVENT_SCHEMA, encoding: 'jsonschema', data: eventJsonSchema },
  ];
}

/** Of a hand, in this order. */
const CYCLE = 0;
const DEVICE = 1;
const TOOL = 2;
const WRENCH = 3;
const CHANNELS_PER_HAND = 4;

/** What the channels of a recording say of it. */
export interface RecordingSubject {
  /** One per hand. */
  readonly tools: readonly string[];
  /** Of a cycle, s. */
  readonly timeStep: number;
  readonly method: string;
}

/** The entries of the metadata `INFO_METADATA`. */
export function infoEntries(
  { tools, timeStep, method }: RecordingSubject,
  about: RecordingStart & { readonly version: string; readonly sceneSha256: string },
): Readonly<Record<string, string>> {
  return {
    version: about.version,
    scene_sha256: about.sceneSha256,
    time_step: String(timeStep),
    tools: JSON.stringify(tools),
    method,
    start_time: about.startTime,
    ...(about.startTimeNs !== null && { start_time_ns: about.startTimeNs }),
  };
}

/**
 * Those of each hand, then the one for events. A message names its channel by its place here. The channels of cycles say
 * of themselves what a reader needs: programs that recover or cut recordings keep channels, but may lose all else.
 */
export function recordingChannels({ tools, timeStep, method }: RecordingSubject): RecordingChannel[] {
  const json = (topic: string, schema: string) => ({ topic, schema, encoding: 'json', metadata: {} }) as const;
  return [
    ...tools.flatMap((tool, hand): RecordingChannel[] => [
      {
        topic: cycleTopic(tool),
        schema: CYCLE_SCHEMA,
        encoding: 'protobuf',
        metadata: {
          hand: String(hand),
          tool,
          columns: LIVE_COLUMNS.join(','),
          time_step: String(timeStep),
          method,
        },
      },
      json(`/${tool}/device`, POSE_SCHEMA),
      json(`/${tool}/tool`, POSE_SCHEMA),
      json(`/${tool}/wrench`, SCENE_SCHEMA),
    ]),
    json(EVENT_TOPIC, EVENT_SCHEMA),
  ];
}

/** Index of the channel for events, after those of all hands. */
export function eventChannel(hands: number): number {
  return CHANNELS_PER_HAND * hands;
}

/** Takes a message for a channel: bytes that are good for this call only, or a value to be written as JSON. */
export type MessageSink = (channel: number, message: unknown) => void;

/** Gives the messages of a row of one of the hands, at its time in nanoseconds since 1970. */
export type RowMessages = (row: Float64Array, nanoseconds: bigint, sink: MessageSink) => void;

/** Creates the encoder of live rows as messages of their channels. */
export function createRowMessages(hands: number): RowMessages {
  const encoder = createCycleEncoder();
  /** When the poses of each hand were last shown, counted in steps of the view's rate. */
  const lastView = new Float64Array(hands).fill(Number.NEGATIVE_INFINITY);
  return (row, nanoseconds, sink) => {
    const hand = cellOf(row, 'hand');
    const first = CHANNELS_PER_HAND * hand;
    encoder.encode(row);
    sink(first + CYCLE, encoder.data);
    // A time that should be a whole step may lie a rounding below it.
    const view = Math.floor(cellOf(row, 'time') * VIEW_RATE_HZ + 1e-6);
    if (view === lastView[hand]) return;
    lastView[hand] = view;
    sink(first + DEVICE, devicePoseMessage(row, nanoseconds));
    sink(first + TOOL, toolPoseMessage(row, nanoseconds));
    sink(first + WRENCH, wrenchMessage(row, nanoseconds));
  };
}
