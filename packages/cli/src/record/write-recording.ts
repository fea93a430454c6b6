import { existsSync, renameSync, rmSync } from 'node:fs';
import { PalpableError } from '@palpable/engine';
import { LIVE_COLUMNS, LIVE_WIDTH, type ProgressListener } from '@palpable/engine/advanced';
import { createRecorder, recordingFormatOf } from './create-recorder.js';
import { csvEventsPath, csvInfoPath } from './csv-recorder.js';
import { OutputFile } from './output-file.js';
import type { Recording } from './read-recording.js';
import type { Recorder } from './recording-info.js';

const TIME = LIVE_COLUMNS.indexOf('time');
const CYCLE = LIVE_COLUMNS.indexOf('cycle');
/** Rows are also flushed then, and chunks of a file end at a flush. */
const ROWS_BETWEEN_PROGRESS = 1000;

/** Writes a recording anew, whole, in the format that the path asks for; the file is there as a whole or not at all. */
export function writeRecording(
  path: string,
  recording: Recording,
  overwrite: boolean,
  onProgress: ProgressListener = () => {},
): void {
  const format = recordingFormatOf(path);
  if (!overwrite && existsSync(path)) {
    const sentence = 'The file already exists; name another one, or add --overwrite to replace it.';
    throw new PalpableError('option-invalid', `${path}: ${sentence}`, path);
  }
  const temporary = `${path}.tmp`;
  try {
    const recorder = createRecorder(format, new OutputFile(temporary, true), recording.info);
    writeRows(recorder, recording, onProgress);
    recorder.end(recording.end?.dropped ?? null);
    recorder.close();
    if (format === 'csv') moveBeside(temporary, path);
    renameSync(temporary, path);
  } finally {
    for (const left of [temporary, csvInfoPath(temporary), csvEventsPath(temporary)]) rmSync(left, { force: true });
  }
}

function moveBeside(from: string, to: string): void {
  renameSync(csvInfoPath(from), csvInfoPath(to));
  rmSync(csvEventsPath(to), { force: true });
  if (existsSync(csvEventsPath(from))) renameSync(csvEventsPath(from), csvEventsPath(to));
}

/** Cycle by cycle with the hands side by side, as they were recorded; an event before the cycle that it names. */
function writeRows(recorder: Recorder, { hands, events }: Recording, onProgress: ProgressListener): void {
  const total = hands.reduce((sum, hand) => sum + hand.count, 0);
  const next = hands.map(() => 0);
  let nextEvent = 0;
  while (recorder.rows < total) {
    const hand = earliest(hands, next);
    const at = next[hand]! * LIVE_WIDTH;
    const row = hands[hand]!.rows.subarray(at, at + LIVE_WIDTH);
    while (nextEvent < events.length && events[nextEvent]!.cycle <= row[CYCLE]!) recorder.event(events[nextEvent++]!);
    recorder.append(row);
    next[hand]! += 1;
    if (recorder.rows % ROWS_BETWEEN_PROGRESS === 0) {
      recorder.flush();
      onProgress('Writing', recorder.rows / total);
    }
  }
  for (const event of events.slice(nextEvent)) recorder.event(event);
}

function earliest(hands: Recording['hands'], next: readonly number[]): number {
  let best = -1;
  let bestTime = Number.POSITIVE_INFINITY;
  for (let hand = 0; hand < hands.length; hand += 1) {
    const { count, rows } = hands[hand]!;
    if (next[hand]! >= count) continue;
    const time = rows[next[hand]! * LIVE_WIDTH + TIME]!;
    if (best < 0 || time < bestTime) {
      best = hand;
      bestTime = time;
    }
  }
  return best;
}
