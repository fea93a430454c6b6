import { PalpableError } from '@palpable/engine';
import { createCsvRecorder } from './csv-recorder.js';
import { createMcapRecorder } from './mcap-recorder.js';
import type { OutputFile } from './output-file.js';
import type { Recorder } from './recorder.js';
import type { RecordingFormat, RecordingInfo } from './recording-info.js';

export function createRecorder(format: RecordingFormat, file: OutputFile, info: RecordingInfo): Recorder {
  return format === 'mcap' ? createMcapRecorder(file, info) : createCsvRecorder(file, info);
}

/** By the end of the file's name. */
export function recordingFormatOf(path: string): RecordingFormat {
  const end = /\.(mcap|csv)$/i.exec(path)?.[1]?.toLowerCase();
  if (end) return end as RecordingFormat;
  const message = `${path}: A recording is written as .mcap or .csv; give the file one of these extensions.`;
  throw new PalpableError('option-invalid', message, path);
}
