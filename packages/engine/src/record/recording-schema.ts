import { LIVE_COLUMNS, LIVE_WIDTH } from './live-row.js';

/**
 * How a recording lies in an MCAP file. `/<tool>/cycle` holds every row as a protobuf message of one double per column,
 * under the column's name, so that plotting programs list the columns as they are called here. The columns' names also
 * stand in the channel's metadata: that is where our reader finds which field is which, whatever is added later.
 */
export const CYCLE_SCHEMA = 'palpable.Cycle';
export const EVENT_SCHEMA = 'palpable.Event';
/** Topic of the events of a recording. */
export const EVENT_TOPIC = '/events';
/** Name of the metadata record that describes a recording. */
export const INFO_METADATA = 'palpable.recording';
/** Name of the metadata record that says how a recording ended. */
export const END_METADATA = 'palpable.end';
/** Name of the attached scene file. */
export const SCENE_ATTACHMENT = 'scene.json';
/** Name of the attached options of the loop. */
export const OPTIONS_ATTACHMENT = 'servo.json';

export function cycleTopic(tool: string): string {
  return `/${tool}/cycle`;
}

/** Wire types of protobuf. */
const VARINT = 0;
const FIXED_64 = 1;
const DELIMITED = 2;

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}

function delimited(field: number, content: readonly number[]): number[] {
  return [...varint((field << 3) | DELIMITED), ...varint(content.length), ...content];
}

/** Of plain ASCII, as all names here are. */
const text = (field: number, value: string) =>
  delimited(
    field,
    Array.from(value, (letter) => letter.charCodeAt(0)),
  );
const whole = (field: number, value: number) => [...varint((field << 3) | VARINT), ...varint(value)];

/** In `google.protobuf.FieldDescriptorProto`. */
const LABEL_OPTIONAL = 1;
const TYPE_DOUBLE = 1;

/** The schema as tools want it: a serialised `google.protobuf.FileDescriptorSet` of one file with one message. */
export function cycleDescriptor(): Uint8Array {
  const fields = LIVE_COLUMNS.flatMap((name, place) =>
    delimited(2, [...text(1, name), ...whole(3, place + 1), ...whole(4, LABEL_OPTIONAL), ...whole(5, TYPE_DOUBLE)]),
  );
  const message = [...text(1, 'Cycle'), ...fields];
  const file = [
    ...text(1, 'palpable/Cycle.proto'),
    ...text(2, 'palpable'),
    ...delimited(4, message),
    ...text(12, 'proto3'),
  ];
  return Uint8Array.from(delimited(1, file));
}

/** A message of one layout: every field is always there, so that only the eight bytes of each number change. */
export interface CycleEncoder {
  /** Holds the newest row; reused. */
  readonly data: Uint8Array;
  encode(row: Float64Array): void;
}

export function createCycleEncoder(): CycleEncoder {
  const tags = LIVE_COLUMNS.map((_, place) => varint(((place + 1) << 3) | FIXED_64));
  const data = Uint8Array.from(tags.flatMap((tag) => [...tag, ...new Array<number>(8).fill(0)]));
  const view = new DataView(data.buffer);
  const places: number[] = [];
  let at = 0;
  for (const tag of tags) {
    places.push(at + tag.length);
    at += tag.length + 8;
  }
  return {
    data,
    encode(row) {
      for (let k = 0; k < LIVE_WIDTH; k += 1) view.setFloat64(places[k]!, row[k]!, true);
    },
  };
}

/**
 * Reads a message into a row. `columnOfField[n]` is the place in the row of field n, −1 for one that is not known here.
 * False when the bytes are no such message; the row is then unfinished.
 */
export function decodeCycle(row: Float64Array, data: Uint8Array, columnOfField: readonly number[]): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  row.fill(0);
  let at = 0;
  while (at < data.length) {
    let tag = data[at++]!;
    if (tag >= 128 && at < data.length) tag = (tag & 127) | (data[at++]! << 7);
    if ((tag & 7) !== FIXED_64 || at + 8 > data.length) return false;
    const column = columnOfField[tag >>> 3] ?? -1;
    if (column >= 0) row[column] = view.getFloat64(at, true);
    at += 8;
  }
  return true;
}

export const eventJsonSchema = {
  title: EVENT_SCHEMA,
  description: 'What came between two cycles: a command of the user, or a change that the loop made by itself.',
  type: 'object',
  properties: {
    time: { type: 'number', description: 'Seconds since the start, as in the cycles.' },
    cycle: { type: 'integer', description: 'The cycle before which it took effect.' },
    hand: { type: ['integer', 'null'], description: 'Null when it concerns all hands.' },
    kind: { type: 'string' },
  },
  required: ['time', 'cycle', 'hand', 'kind'],
} as const;
