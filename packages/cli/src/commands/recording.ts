import { existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { PalpableError } from '@palpable/engine';
import { faultWords, LIVE_WIDTH, type ProgressListener, placeOf } from '@palpable/engine/advanced';
import { createRecorder, recordingFormatOf } from '../record/create-recorder.js';
import { csvEventsPath, csvInfoPath } from '../record/csv-recorder.js';
import type { RecordedHand } from '../record/hand-rows.js';
import { OutputFile } from '../record/output-file.js';
import { type Recording, readRecording } from '../record/read-recording.js';
import type { Recorder } from '../record/recorder.js';
import type { RecordedEvent, RecordingInfo } from '../record/recording-info.js';
import { printJson } from '../terminal/json.js';
import { formatNumber, formatTable } from '../terminal/table.js';
import type { CommandContext, CommandDefinition } from './command.js';

export const recordingCommand: CommandDefinition<[file: string], { out?: string; overwrite?: boolean }> = {
  usage: 'recording <file>',
  summary: 'describe a recording; convert it to MCAP or CSV; repair one that was cut off',
  examples: [
    'palpable recording feel.mcap',
    'palpable recording feel.mcap --out feel.csv',
    'palpable recording cut-off.mcap --out mended.mcap',
  ],
  options: (command) =>
    command
      .option('--out <file>', 'write it again, complete and with an index, as .mcap or .csv')
      .option('--overwrite', 'replace the file of --out if it exists'),
  async run(context, flags, path) {
    if (flags.out !== undefined) checkOutput(path, flags.out);
    const recording = await readRecording(path, context.progress.update);
    if (flags.out !== undefined) {
      writeRecording(flags.out, recording, flags.overwrite === true, context.progress.update);
    }
    context.progress.done();
    report(context, path, recording, flags.out);
    return undefined;
  },
};

/** Said before a long file is read, not after. */
function checkOutput(path: string, out: string): void {
  recordingFormatOf(out);
  if (resolve(path) !== resolve(out)) return;
  throw new PalpableError('option-invalid', `The recording would overwrite itself; name another file with --out.`, out);
}

function report({ stdout, json }: CommandContext, path: string, recording: Recording, out: string | undefined): void {
  const summary = summariseRecording(recording);
  const { format, info, truncated, damage } = recording;
  if (json) {
    const { sceneText: _, ...about } = info;
    const missing = missingFrom(info);
    printJson({ recording: path, format, ...about, ...summary, missing, truncated, damage, out: out ?? null }, stdout);
    return;
  }
  stdout.write(`${sentences(path, recording, summary, out).join('\n')}\n`);
}

/** What a recording that passed through other programs may have lost. */
function missingFrom({ version, sceneText, timeStep, method, startTimeNs }: RecordingInfo): string[] {
  return [
    version === 'unknown' && 'version',
    sceneText === '' && 'scene',
    !Number.isFinite(timeStep) && 'time step',
    method === 'unknown' && 'method',
    startTimeNs === null && 'start time',
  ].filter((name) => name !== false);
}

/** ISO 8601 to the nanosecond. */
function exactStart({ startTime, startTimeNs }: RecordingInfo): string {
  return startTimeNs === null ? startTime : `${startTime.slice(0, -1)}${startTimeNs.slice(-6).padStart(6, '0')}Z`;
}

function sentences(path: string, { info, end, truncated, damage }: Recording, summary: RecordingSummary, out?: string) {
  const timeStep = Number.isFinite(info.timeStep) ? `${formatNumber(info.timeStep)} s` : 'unknown';
  const lines = [
    `${path}: ${formatNumber(summary.duration)} s, ${formatNumber(summary.cycles)} cycles of ${info.tools.join(' and ')}.`,
    `Method ${info.method}, time step ${timeStep}; started ${exactStart(info)} by version ${info.version}.`,
    '',
    formatTable(summary.hands.map(rowOf)),
    '',
  ];
  for (const { tool, faultBits } of summary.hands) {
    if (faultBits !== 0) lines.push(`Faults of ${tool}: ${faultWords(faultBits).join(', ')}.`);
  }
  const kinds = Object.entries(summary.events).map(([kind, count]) => `${kind} ${formatNumber(count)}`);
  if (kinds.length > 0) lines.push(`Events: ${kinds.join(', ')}.`);
  if (summary.dropped) lines.push(`The recorder fell behind: ${formatNumber(summary.dropped)} cycles are missing.`);
  const missing = missingFrom(info);
  if (missing.length > 0) lines.push(`The file does not say: ${missing.join(', ')}.`);
  if (!truncated && !end) {
    lines.push(
      'The recording was not ended properly: its last moments, and the count of missing cycles, may be missing.',
    );
  }
  if (truncated) {
    const mend = out === undefined ? ' Other programs may need it repaired: add --out and a new name.' : '';
    lines.push(`The recording was cut off (${damage}); everything before that is here.${mend}`);
  }
  if (out !== undefined) lines.push(`Written to ${out}.`);
  return lines;
}

function rowOf(hand: RecordingSummary['hands'][number]) {
  return {
    tool: hand.tool,
    cycles: hand.cycles,
    missed: hand.missed,
    'with faults': hand.faultCycles,
    limited: hand.limitedCycles,
    'most N': hand.maxForce,
    'most N m': hand.maxTorque,
    'most contacts': hand.maxContacts,
    'energy J, most': hand.maxEnergy,
    'at the end': hand.endEnergy,
  };
}

/** What one hand's rows amount to. SI units. */
export type HandSummary = ReturnType<typeof summariseHand>;

export type RecordingSummary = ReturnType<typeof summariseRecording>;

const TIME = placeOf('time');
const FORCE = placeOf('fx');
const TORQUE = placeOf('tx');
const CONTACTS = placeOf('contacts');
const PENETRATION = placeOf('max_penetration');
const LIMITED = placeOf('limited');
const MISSED = placeOf('missed');
const FAULTS = placeOf('faults');
const ENERGY = placeOf('energy');

export function summariseRecording({ info, hands, events, end }: Recording) {
  const summaries = hands.map(summariseHand);
  const used = summaries.filter((hand) => hand.cycles > 0);
  const first = Math.min(...used.map((hand) => hand.from));
  const last = Math.max(...used.map((hand) => hand.to));
  const timeStep = Number.isFinite(info.timeStep) ? info.timeStep : 0;
  const kinds: Record<string, number> = {};
  for (const event of events) kinds[nameOf(event)] = (kinds[nameOf(event)] ?? 0) + 1;
  return {
    /** From the first cycle of any hand to the end of the last, s. */
    duration: used.length > 0 ? last - first + timeStep : 0,
    cycles: summaries.reduce((sum, hand) => sum + hand.cycles, 0),
    /** Rows that the recorder never got; null when the recording was cut off. */
    dropped: end?.dropped ?? null,
    hands: summaries,
    /** How many of each kind. */
    events: kinds,
  };
}

/** Of a command to the loop, what it commands. */
function nameOf({ kind, command }: RecordedEvent): string {
  return (command as { kind?: string } | undefined)?.kind ?? kind;
}

function summariseHand({ tool, count, rows }: RecordedHand) {
  let missed = 0;
  let faultCycles = 0;
  let faultBits = 0;
  let limitedCycles = 0;
  for (let at = 0; at < rows.length; at += LIVE_WIDTH) {
    missed += rows[at + MISSED]!;
    faultBits |= rows[at + FAULTS]!;
    if (rows[at + FAULTS]! !== 0) faultCycles += 1;
    if (rows[at + LIMITED]! !== 0) limitedCycles += 1;
  }
  const last = (count - 1) * LIVE_WIDTH;
  return {
    tool,
    cycles: count,
    /** Of the first and the last cycle, s. */
    from: rows[TIME] ?? 0,
    to: rows[last + TIME] ?? 0,
    /** Cycles that the loop left out because it came late. */
    missed,
    /** Cycles with a fault, and the bits of all of them. */
    faultCycles,
    faultBits,
    limitedCycles,
    maxForce: largest(rows, (at) => lengthAt(rows, at + FORCE)),
    maxTorque: largest(rows, (at) => lengthAt(rows, at + TORQUE)),
    maxContacts: largest(rows, (at) => rows[at + CONTACTS]!),
    maxPenetration: largest(rows, (at) => rows[at + PENETRATION]!),
    /** The most that was given to the hand at any moment since the start, and at the end, J. */
    maxEnergy: largest(rows, (at) => rows[at + ENERGY]!),
    endEnergy: rows[last + ENERGY] ?? 0,
  };
}

/** Of a value of every row; 0 without rows. */
function largest(rows: Float64Array, valueAt: (at: number) => number): number {
  let most = rows.length > 0 ? Number.NEGATIVE_INFINITY : 0;
  for (let at = 0; at < rows.length; at += LIVE_WIDTH) most = Math.max(most, valueAt(at));
  return most;
}

function lengthAt(rows: Float64Array, at: number): number {
  const [x, y, z] = [rows[at]!, rows[at + 1]!, rows[at + 2]!];
  return Math.sqrt(x * x + y * y + z * z);
}

const CYCLE = placeOf('cycle');
/** Rows are also flushed then, and chunks of a file end at a flush. */
const ROWS_BETWEEN_PROGRESS = 1000;

/** Rewrites a recording in the format that the path asks for. The file appears complete or not at all. */
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
