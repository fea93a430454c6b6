import { resolve } from 'node:path';
import { PalpableError } from '@palpable/engine';
import { faultWords } from '@palpable/engine/advanced';
import { recordingFormatOf } from '../record/create-recorder.js';
import { type Recording, readRecording } from '../record/read-recording.js';
import type { RecordingInfo } from '../record/recording-info.js';
import { type RecordingSummary, summariseRecording } from '../record/summarise-recording.js';
import { writeRecording } from '../record/write-recording.js';
import { printJson } from '../terminal/json.js';
import { formatNumber, formatTable } from '../terminal/table.js';
import type { CommandContext, CommandDefinition } from './command.js';

interface RecordingFlags {
  readonly out?: string;
  readonly overwrite?: boolean;
}

export const recordingCommand: CommandDefinition<[file: string], RecordingFlags> = {
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
