import { readTrajectory, type Trajectory } from '@palpable/engine';
import { readUserFile } from '../files/read-file.js';
import { sha256, sha256OfFile } from '../files/sha256.js';
import { isRecording } from '../record/is-recording.js';
import { readRecording, trajectoryFromRecording } from '../record/read-recording.js';

export interface LoadedTrajectory {
  readonly trajectory: Trajectory;
  readonly sha256: string;
}

/** The longest text that JavaScript can hold is about 512 MB. */
const MAX_BYTES = 500 * 1024 * 1024;

/** Where the device was: from a trajectory, a result or a recording (there, of the given tool). */
export async function loadTrajectory(path: string, tool: string): Promise<LoadedTrajectory> {
  if (isRecording(path)) {
    const trajectory = trajectoryFromRecording(await readRecording(path), tool);
    return { trajectory, sha256: await sha256OfFile(path) };
  }
  const bytes = await readUserFile(path, MAX_BYTES);
  return { trajectory: readTrajectory(Buffer.from(bytes).toString('utf8'), path), sha256: sha256(bytes) };
}
