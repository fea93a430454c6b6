import { type DeviceLimits, PalpableError } from '@palpable/engine';
import { type LoopHand, type LoopSetup, openLoopDevice } from '@palpable/engine/advanced';
import type { RecordingAbout } from '../record/recording-info.js';
import { pathFromResult } from '../scene/run-info.js';
import { palpableVersion } from '../terminal/version.js';
import type { OpenedLive } from './open-live.js';

/** What a recording keeps so that it can be run again. Plain JSON. */
export interface RecordedOptions {
  /** From the folder of the recording. */
  readonly scene: string;
  /** SHA-256 by body. */
  readonly meshes: Readonly<Record<string, string>>;
  readonly loop: LoopSetup['options'];
  readonly hands: readonly RecordedHandOptions[];
  /** Whether contacts came from a thread of their own, whose pace no replay can repeat. Absent means no. */
  readonly contactThread?: boolean;
}

export interface RecordedHandOptions {
  readonly tool: string;
  readonly device: string;
  readonly limits: DeviceLimits;
  /** Null for the default. */
  readonly silentAfter: number | null;
  /** Metres in the world for one of the hand. */
  readonly workspaceScale: number;
  /** Of the device, from 0; absent for none. */
  readonly stopButton?: number;
}

export function describeRecording(path: string, { file, scene, meshes, setup }: OpenedLive): RecordingAbout {
  const options: RecordedOptions = {
    scene: pathFromResult(path, file.path),
    meshes,
    loop: setup.options,
    hands: setup.hands.map((hand) => describeHand(hand, scene.timeStep)),
    ...(setup.contacts && { contactThread: true }),
  };
  return {
    version: palpableVersion(),
    sceneSha256: file.sha256,
    sceneText: file.text,
    options,
    timeStep: scene.timeStep,
    tools: setup.hands.map(({ tool }) => tool),
    method: scene.method.kind,
  };
}

/** As the loop sees it, behind its workspace. */
function describeHand({ tool, device, workspace, stopButton }: LoopHand, timeStep: number): RecordedHandOptions {
  const { limits, silentAfter = null } = openLoopDevice(device, workspace, timeStep);
  const stop = stopButton === undefined ? {} : { stopButton };
  return { tool, device: device.kind, limits, silentAfter, workspaceScale: workspace?.scale ?? 1, ...stop };
}

/** What stands in a recording, checked as far as a replay relies on it. */
export function readRecordedOptions(path: string, { options }: RecordingAbout): RecordedOptions {
  const given = options as Partial<RecordedOptions> | null;
  if (typeof given?.scene === 'string' && Array.isArray(given.hands) && typeof given.meshes === 'object') {
    return given as RecordedOptions;
  }
  const message = `${path}: The recording does not say how it was made, so it cannot be run again; its data can still be read.`;
  throw new PalpableError('format-invalid', message, path);
}
