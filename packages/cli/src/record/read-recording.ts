import { existsSync, readFileSync } from 'node:fs';
import { PalpableError, type Trajectory } from '@palpable/engine';
import {
  LIVE_COLUMNS,
  LIVE_WIDTH,
  type ProgressListener,
  placeOf,
  readRecordingStart,
  STATE_NAMES,
} from '@palpable/engine/advanced';
import { readUserFile } from '../files/read-file.js';
import { type CsvInfo, csvEventsPath, csvInfoPath } from './csv-recorder.js';
import { HandRows, handOf, isHand, placesOf, type RecordedHand } from './hand-rows.js';
import { isMcapFile } from './is-recording.js';
import { readMcap } from './read-mcap.js';
import {
  isEvent,
  type RecordedEvent,
  type RecordingFormat,
  type RecordingInfo,
  type RecordingTotals,
  unknownInfo,
} from './recording-info.js';

/** All that a recording holds. */
export interface Recording {
  readonly format: RecordingFormat;
  readonly info: RecordingInfo;
  /** In the order of `info.tools`. */
  readonly hands: readonly RecordedHand[];
  readonly events: readonly RecordedEvent[];
  /** Null when the recording was not ended properly. */
  readonly end: RecordingTotals | null;
  /** The file stops before its end; everything up to there is here. */
  readonly truncated: boolean;
  /** Why it stops, as half a sentence. */
  readonly damage: string | null;
}

const MAX_CSV_BYTES = 2 ** 31 - 1;

/** Reads a recording of `palpable servo`, MCAP or CSV, whole or cut off at any byte. */
export async function readRecording(path: string, onProgress?: ProgressListener): Promise<Recording> {
  if (isMcapFile(path)) return readMcap(path, onProgress);
  const bytes = await readUserFile(path, MAX_CSV_BYTES);
  if (bytes.length === 0) {
    throw new PalpableError('format-invalid', `${path}: The file is empty; its recording never began.`, path);
  }
  return readCsv(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), onProgress);
}

const TIME = placeOf('time');
const DEVICE = placeOf('dpx');

/** Where the device of a tool was, cycle by cycle; of the first tool unless one is named. */
export function trajectoryFromRecording(recording: Recording, tool = recording.info.tools[0]): Trajectory {
  const hand = recording.hands.find((one) => one.tool === tool);
  if (!hand) {
    const names = recording.info.tools.map((name) => `"${name}"`).join(', ');
    throw new PalpableError('option-invalid', `The recording has no tool "${tool}"; it has ${names || 'none'}.`, tool);
  }
  if (hand.count === 0) {
    const message = `The recording has no cycles of "${tool}"; there is nothing to play.`;
    throw new PalpableError('format-invalid', message, tool);
  }
  const time = new Float64Array(hand.count);
  const poses = new Float64Array(7 * hand.count);
  for (let i = 0; i < hand.count; i += 1) {
    const at = i * LIVE_WIDTH;
    time[i] = hand.rows[at + TIME]!;
    poses.set(hand.rows.subarray(at + DEVICE, at + DEVICE + 7), 7 * i);
    checkSample(time, poses, i, tool);
  }
  return { count: hand.count, time, poses };
}

/** Far more than rounding, far less than anything that is meant. */
const UNIT_TOLERANCE = 1e-6;

function checkSample(time: Float64Array, poses: Float64Array, i: number, tool: string | undefined): void {
  const [x, y, z, w] = poses.subarray(7 * i + 3, 7 * i + 7) as unknown as [number, number, number, number];
  const isUnit = Math.abs(x * x + y * y + z * z + w * w - 1) <= UNIT_TOLERANCE;
  const rises = i === 0 ? Number.isFinite(time[i]!) : time[i]! > time[i - 1]!;
  if (isUnit && rises && poses.subarray(7 * i, 7 * i + 3).every(Number.isFinite)) return;
  const what = rises ? 'an invalid pose' : `the time ${time[i]} after ${time[i - 1]}`;
  const message =
    `Cycle ${i} of "${tool}" in the recording has ${what}; expected increasing times and device poses with quaternions of ` +
    'length 1.';
  throw new PalpableError('format-invalid', message, tool);
}

const LINE_END = 10;
const HAND = placeOf('hand');
const STATE = placeOf('friction_state');
/** Zero in recordings that were made before there were contact threads. */
const LATER_COLUMNS: ReadonlySet<string> = new Set(['contact_age', 'contact_rate']);
const LINES_BETWEEN_PROGRESS = 10_000;

/** Reads a recording and what stands beside it. A line without an end was being written when the recorder died. */
function readCsv(path: string, bytes: Buffer, onProgress: ProgressListener = () => {}): Recording {
  const beside = readBeside(path);
  const headEnd = bytes.indexOf(LINE_END);
  const names = bytes
    .toString('utf8', 0, Math.max(0, headEnd))
    .split(',')
    .map((name) => name.trim());
  const absent = LIVE_COLUMNS.filter((name) => !names.includes(name) && !LATER_COLUMNS.has(name));
  if (absent.length > 0) {
    const sentence = `found no column ${absent.join(', ')}, expected a recording of palpable servo`;
    throw new PalpableError('format-invalid', `${path}, line 1: ${sentence}.`, path);
  }
  const places = placesOf(names);
  const hands = (beside?.recording.tools ?? []).map((tool) => new HandRows(tool));
  const row = new Float64Array(LIVE_WIDTH);
  let damage: string | null = null;
  let at = headEnd + 1;
  for (let line = 2; at < bytes.length && !damage; line += 1) {
    const end = bytes.indexOf(LINE_END, at);
    if (end < 0) damage = `line ${line} is unfinished`;
    else if (!parseRow(row, bytes.toString('utf8', at, end), places)) damage = `line ${line} is not a row of numbers`;
    else handOf(hands, row[HAND]!).add(row);
    at = end + 1;
    if (line % LINES_BETWEEN_PROGRESS === 0) onProgress('Reading', at / bytes.length);
  }
  if (!damage && beside && !beside.end) damage = 'it was not ended';
  const info = beside?.recording ?? unknownInfo(hands.map((hand) => hand.tool));
  return {
    format: 'csv',
    info,
    hands: hands.map((hand) => hand.finish()),
    events: readEvents(path),
    end: beside?.end ?? null,
    truncated: damage !== null,
    damage,
  };
}

function parseRow(row: Float64Array, line: string, places: readonly number[]): boolean {
  const cells = line.split(',');
  if (cells.length !== places.length) return false;
  for (let k = 0; k < places.length; k += 1) {
    const place = places[k]!;
    if (place < 0) continue;
    const cell = cells[k]!.trim();
    const value = place === STATE ? STATE_NAMES.indexOf(cell as 'free') : Number(cell);
    if (cell === '' || !Number.isFinite(value) || (place === STATE && value < 0)) return false;
    row[place] = value;
  }
  return isHand(row[HAND]!);
}

function readBeside(path: string): CsvInfo | null {
  try {
    const info = JSON.parse(readFileSync(csvInfoPath(path), 'utf8')) as CsvInfo;
    if (!Array.isArray(info?.recording?.tools)) return null;
    const { startTime, startTimeNs } = info.recording;
    return { ...info, recording: { ...info.recording, ...readRecordingStart(startTime, startTimeNs) } };
  } catch {
    // Gone, or cut off: the rows are enough by themselves.
    return null;
  }
}

function readEvents(path: string): RecordedEvent[] {
  const events = csvEventsPath(path);
  if (!existsSync(events)) return [];
  const lines = readFileSync(events, 'utf8').split('\n').slice(0, -1);
  return lines.flatMap((line) => {
    try {
      const event: unknown = JSON.parse(line);
      return isEvent(event) ? [event] : [];
    } catch {
      return [];
    }
  });
}
