import {
  commandLive,
  createLiveSession,
  createReplayDevice,
  type DeviceSamples,
  type HandDevice,
  type LiveCommand,
  type LiveSession,
  PalpableError,
  stepLive,
} from '@palpable/engine';
import {
  LIVE_COLUMNS,
  LIVE_WIDTH,
  type LiveColumn,
  liveTime,
  type ProgressListener,
  placeOf,
  writeLiveRow,
} from '@palpable/engine/advanced';
import type { AssetCache } from '../prepare/asset-cache.js';
import type { RecordedHand } from '../record/hand-rows.js';
import type { Recording } from '../record/read-recording.js';
import type { ResultDifference } from '../scene/compare-result.js';
import { checkSceneFile } from '../scene/load-scene.js';
import { pathBesideResult } from '../scene/run-info.js';
import { prepareLiveScene } from './open-live.js';
import { type RecordedOptions, readRecordedOptions } from './recording-options.js';

export interface RecordingReplay {
  readonly cycles: number;
  readonly difference: ResultDifference | null;
  /** Where the recording has a gap, since the disk was too slow: nothing after it can be compared. */
  readonly gapAfter: number | null;
}

export interface ReplayOptions {
  readonly cache: AssetCache;
  readonly onProgress: ProgressListener;
  readonly signal: AbortSignal;
}

/** Runs the loop again on what the devices said and the commands that came, and compares every number but the times. */
export async function replayRecording(
  path: string,
  recording: Recording,
  options: ReplayOptions,
): Promise<RecordingReplay> {
  const recorded = readRecordedOptions(path, recording.info);
  refuseContactThread(path, recorded);
  const session = await openSession(path, recording, recorded, options);
  const cycles = wholeCycles(recording);
  const gapAfter = recording.hands.some(({ count }) => count > cycles) ? cycles : null;
  const compare = createComparison(recording);
  let event = 0;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    for (; event < recording.events.length && recording.events[event]!.cycle <= cycle; event += 1) {
      const { command } = recording.events[event]!;
      if (command) commandLive(session, command as LiveCommand);
    }
    const missed = recording.hands[0]!.rows[cycle * LIVE_WIDTH + MISSED]!;
    stepLive(session, missed);
    const difference = compare(session, cycle, missed);
    if (difference) return { cycles: cycle + 1, difference, gapAfter };
    if (cycle % 1000 === 0) {
      options.signal.throwIfAborted();
      options.onProgress('replaying', cycle / cycles);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return { cycles, difference: null, gapAfter };
}

/** Which contact model a cycle found depended on the machine. */
function refuseContactThread(path: string, { contactThread }: RecordedOptions): void {
  if (contactThread !== true) return;
  const message =
    `${path}: Contacts were found in a separate thread, at a pace that no replay can repeat, so the recording cannot ` +
    'be run again; its data can still be read. To replay, record with --one-thread.';
  throw new PalpableError('option-invalid', message, path);
}

const MISSED = placeOf('missed');
const CYCLE = placeOf('cycle');
const DEVICE = placeOf('dpx');

async function openSession(
  path: string,
  { info, hands }: Recording,
  recorded: RecordedOptions,
  options: ReplayOptions,
): Promise<LiveSession> {
  const file = await checkSceneFile(pathBesideResult(path, recorded.scene));
  const { bodies, meshes } = await prepareLiveScene(file, info.tools, options);
  const changed = [
    ...(file.sha256 === info.sceneSha256 ? [] : [`the scene ${file.path}`]),
    ...Object.keys(recorded.meshes).flatMap((name) =>
      meshes[name] === recorded.meshes[name] ? [] : [`the mesh of ${name}`],
    ),
  ];
  if (changed.length > 0) {
    const message = `${path}: Not the same input as when it was recorded: ${changed.join(', ')} changed; restore what changed.`;
    throw new PalpableError('option-invalid', message, path);
  }
  const devices = recorded.hands.map(({ tool, limits, silentAfter, workspaceScale, stopButton }, hand): HandDevice => {
    const device = createReplayDevice(samplesOf(hands[hand]!), limits, {
      ...(silentAfter !== null && { silentAfter }),
    });
    return { tool, device, workspaceScale, ...(stopButton !== undefined && { stopButton }) };
  });
  return createLiveSession(JSON.parse(file.text), bodies, devices, recorded.loop);
}

function samplesOf({ rows, count }: RecordedHand): DeviceSamples {
  const column = (name: LiveColumn) => {
    const at = placeOf(name);
    return Float64Array.from({ length: count }, (_, row) => rows[row * LIVE_WIDTH + at]!);
  };
  const poses = new Float64Array(7 * count);
  for (let row = 0; row < count; row += 1) {
    const at = row * LIVE_WIDTH + DEVICE;
    poses.set(rows.subarray(at, at + 7), 7 * row);
  }
  return { count, poses, fresh: column('fresh'), buttons: column('buttons'), released: column('released') };
}

/** Cycles from the first on that all hands have, without a gap. */
function wholeCycles({ hands }: Recording): number {
  let cycles = Math.min(...hands.map(({ count }) => count));
  for (const { rows } of hands) {
    let whole = 0;
    while (whole < cycles && rows[whole * LIVE_WIDTH + CYCLE] === whole) whole += 1;
    cycles = whole;
  }
  return cycles;
}

function createComparison({ hands, format }: Recording) {
  // As text, zero has no sign.
  const isSame = (a: number, b: number) => Object.is(a, b) || (format === 'csv' && a === b);
  const row = new Float64Array(LIVE_WIDTH);
  const moment = { time: 0, missed: 0, lateUs: 0, cycleUs: 0 };
  const compared = LIVE_COLUMNS.map((name, at) => ({ name, at })).filter(({ name }) => !name.startsWith('us_'));
  return (session: LiveSession, cycle: number, missed: number): ResultDifference | null => {
    moment.time = liveTime(session);
    moment.missed = missed;
    for (let hand = 0; hand < hands.length; hand += 1) {
      const { servo, pace } = session.hands[hand]!;
      writeLiveRow(row, servo, hand, moment, pace.numbers);
      const recorded = hands[hand]!.rows.subarray(cycle * LIVE_WIDTH, (cycle + 1) * LIVE_WIDTH);
      const other = compared.find(({ at }) => !isSame(recorded[at]!, row[at]!));
      if (!other) continue;
      return { cycle, column: other.name, recorded: String(recorded[other.at]), replayed: String(row[other.at]) };
    }
    return null;
  };
}
