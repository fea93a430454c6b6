import { PalpableError, type Trajectory } from '@palpable/engine';
import { LIVE_COLUMNS, LIVE_WIDTH, type ProgressListener } from '@palpable/engine/advanced';
import { readUserFile } from '../files/read-file.js';
import type { RecordedHand } from './hand-rows.js';
import { isMcapFile } from './is-recording.js';
import { readCsv } from './read-csv.js';
import { readMcap } from './read-mcap.js';
import type { RecordedEvent, RecordingFormat, RecordingInfo, RecordingTotals } from './recording-info.js';

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

const TIME = LIVE_COLUMNS.indexOf('time');
const DEVICE = LIVE_COLUMNS.indexOf('dpx');

/** Where the device of a tool was, cycle by cycle; of the first tool unless one is named. */
export function trajectoryFromRecording(recording: Recording, tool = recording.info.tools[0]): Trajectory {
  const hand = recording.hands.find((one) => one.tool === tool);
  if (!hand) {
    const names = recording.info.tools.map((name) => `"${name}"`).join(', ');
    throw new PalpableError('option-invalid', `The recording has no tool "${tool}"; it has ${names || 'none'}.`, tool);
  }
  if (hand.count === 0) {
    throw new PalpableError(
      'format-invalid',
      `The recording has no cycles of "${tool}"; there is nothing to play.`,
      tool,
    );
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
  throw new PalpableError(
    'format-invalid',
    `Cycle ${i} of "${tool}" in the recording has ${what}; expected increasing times and device poses with quaternions of ` +
      'length 1.',
    tool,
  );
}
