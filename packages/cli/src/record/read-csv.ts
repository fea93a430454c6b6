import { existsSync, readFileSync } from 'node:fs';
import { PalpableError } from '@palpable/engine';
import {
  LIVE_COLUMNS,
  LIVE_WIDTH,
  type ProgressListener,
  readRecordingStart,
  STATE_NAMES,
} from '@palpable/engine/advanced';
import { type CsvInfo, csvEventsPath, csvInfoPath } from './csv-recorder.js';
import { HandRows, handOf, isHand, placesOf } from './hand-rows.js';
import type { Recording } from './read-recording.js';
import { isEvent, type RecordedEvent, unknownInfo } from './recording-info.js';

const LINE_END = 10;
const HAND = LIVE_COLUMNS.indexOf('hand');
const STATE = LIVE_COLUMNS.indexOf('friction_state');
/** Zero in recordings that were made before there were contact threads. */
const LATER_COLUMNS: ReadonlySet<string> = new Set(['contact_age', 'contact_rate']);
const LINES_BETWEEN_PROGRESS = 10_000;

/** Reads a recording and what stands beside it. A line without an end was being written when the recorder died. */
export function readCsv(path: string, bytes: Buffer, onProgress: ProgressListener = () => {}): Recording {
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
    // Gone, or cut off: the rows tell enough by themselves.
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
