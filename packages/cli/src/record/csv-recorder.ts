import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { formatLiveRow, liveHeader } from '@palpable/engine/advanced';
import { explainWrite, OutputFile } from './output-file.js';
import { createCountingRecorder, type Recorder } from './recorder.js';
import type { RecordedEvent, RecordingInfo, RecordingTotals } from './recording-info.js';

/** Beside the rows: what the recording is about, and at its end how it went. */
export function csvInfoPath(path: string): string {
  return `${path}.json`;
}

/** Beside the rows: one line of JSON per event. Only there when something happened. */
export function csvEventsPath(path: string): string {
  return `${path}.events.jsonl`;
}

/** What stands in the file beside the rows; `end` only when the recording was ended properly. */
export interface CsvInfo {
  readonly recording: RecordingInfo;
  readonly end?: RecordingTotals;
}

/**
 * Starts a CSV file of all hands, distinguished by the column `hand`. Numbers are written so that they read back to the same
 * bits, but for the measured times (`us_…`), which are given to the nanosecond.
 */
export function createCsvRecorder(file: OutputFile, info: RecordingInfo): Recorder {
  const { path } = file;
  // What an older recording of the same name left would be taken for ours.
  for (const old of [csvInfoPath(path), csvEventsPath(path)]) rmSync(old, { force: true });
  file.clear();
  file.append(Buffer.from(`${liveHeader()}\n`));
  writeInfo(path, { recording: info });
  let waiting = '';
  let events: OutputFile | null = null;
  const writer = {
    get bytes() {
      return file.bytes;
    },
    append(row: Float64Array) {
      waiting += `${formatLiveRow(row)}\n`;
    },
    event(event: RecordedEvent) {
      events ??= new OutputFile(csvEventsPath(path), true);
      events.append(Buffer.from(`${JSON.stringify(event)}\n`));
    },
    flush() {
      if (waiting !== '') file.append(Buffer.from(waiting));
      waiting = '';
    },
    end: (end: RecordingTotals) => writeInfo(path, { recording: info, end }),
    close() {
      file.close();
      events?.close();
    },
  };
  return createCountingRecorder(writer, info.tools.length);
}

/** As a whole or not at all. */
function writeInfo(path: string, info: CsvInfo): void {
  const temporary = `${csvInfoPath(path)}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify(info, null, 2)}\n`);
    renameSync(temporary, csvInfoPath(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw explainWrite(csvInfoPath(path), error);
  }
}
