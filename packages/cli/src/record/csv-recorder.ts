import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { formatLiveRow, LIVE_COLUMNS, liveHeader } from '@palpable/engine/advanced';
import { explainWrite, OutputFile } from './output-file.js';
import { type Recorder, type RecordingInfo, type RecordingTotals, strangeHand } from './recording-info.js';

const TIME = LIVE_COLUMNS.indexOf('time');
const HAND = LIVE_COLUMNS.indexOf('hand');

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
 * Starts a CSV file of all hands, told apart by the column `hand`. Numbers are written so that they read back to the same
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
  let rows = 0;
  let written = 0;
  let newest = 0;
  const flush = () => {
    if (waiting === '') return;
    file.append(Buffer.from(waiting));
    waiting = '';
    written = rows;
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
      if (!(row[HAND]! < info.tools.length)) throw strangeHand(row[HAND]!, info.tools.length);
      newest = row[TIME]!;
      waiting += `${formatLiveRow(row)}\n`;
      rows += 1;
    },
    event(event) {
      events ??= new OutputFile(csvEventsPath(path), true);
      events.append(Buffer.from(`${JSON.stringify({ time: newest, ...event })}\n`));
    },
    flush,
    end(dropped) {
      flush();
      writeInfo(path, { recording: info, end: { rows, dropped } });
    },
    close() {
      file.close();
      events?.close();
    },
  };
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
