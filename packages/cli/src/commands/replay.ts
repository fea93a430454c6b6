import { PalpableError } from '@palpable/engine';
import { readUserFile } from '../files/read-file.js';
import { isRecording } from '../record/is-recording.js';
import { readRecording } from '../record/read-recording.js';
import { compareResult, type ResultDifference } from '../scene/compare-result.js';
import { type InputHashes, openRun } from '../scene/open-run.js';
import { pathBesideResult, readRunInfo } from '../scene/run-info.js';
import { replayRecording } from '../servo/replay-recording.js';
import { ExitCode } from '../terminal/exit-codes.js';
import { printJson } from '../terminal/json.js';
import { formatNumber } from '../terminal/table.js';
import { palpableVersion } from '../terminal/version.js';
import type { CommandContext, CommandDefinition } from './command.js';
import { addCacheOption, type CacheOption, type Preparing, preparing } from './shared-options.js';

const MAX_BYTES = 2 ** 31 - 1;

export const replayCommand: CommandDefinition<[result: string], CacheOption> = {
  usage: 'replay <result>',
  summary: 'run a result or a recording again and compare all columns except the measured times, bit by bit',
  examples: ['palpable replay result.csv', 'palpable replay felt.mcap'],
  options: addCacheOption,
  async run(context, flags, path) {
    const prepare = preparing(context, flags);
    if (isRecording(path)) return replayOf(path, context, prepare);
    const info = await readRunInfo(path);
    const recorded = await readUserFile(path, MAX_BYTES);
    const scenePath = pathBesideResult(path, info.options.scene);
    const trajectoryPath = pathBesideResult(path, info.options.trajectory);
    const { tool } = info.options;
    const opened = await openRun({
      scenePath,
      trajectoryPath,
      tool,
      ...prepare,
    });
    checkInputs(path, info.sha256, opened.hashes, scenePath, trajectoryPath);
    const difference = await compareResult(
      path,
      Buffer.from(recorded.buffer, recorded.byteOffset, recorded.length),
      opened.run,
      prepare,
    );
    context.progress.done();
    report(context, path, difference, opened.run.cycle + 1, info.palpable.version);
    return difference ? ExitCode.difference : undefined;
  },
};

/** A recording of `palpable servo` holds all that is needed; a result of `palpable run` has its JSON file beside it. */
async function replayOf(path: string, context: CommandContext, prepare: Preparing): Promise<ExitCode | undefined> {
  const recording = await readRecording(path, prepare.onProgress);
  const { cycles, difference, gapAfter } = await replayRecording(path, recording, prepare);
  context.progress.done();
  if (gapAfter !== null) {
    context.stderr.write(
      `palpable: ${path}: Rows are missing after cycle ${gapAfter}, when the recorder could not keep up; the replay ends there.\n`,
    );
  }
  report(context, path, difference, cycles, recording.info.version);
  return difference ? ExitCode.difference : undefined;
}

/** A replay of something else proves nothing: everything that has changed is reported at once. */
function checkInputs(
  path: string,
  recorded: InputHashes,
  present: InputHashes,
  scenePath: string,
  trajectoryPath: string,
): void {
  const names = [...new Set([...Object.keys(recorded.meshes), ...Object.keys(present.meshes)])];
  const changed = [
    ...(recorded.scene === present.scene ? [] : [`the scene ${scenePath}`]),
    ...(recorded.trajectory === present.trajectory ? [] : [`the trajectory ${trajectoryPath}`]),
    ...names.filter((name) => recorded.meshes[name] !== present.meshes[name]).map((name) => `the mesh of ${name}`),
  ];
  if (changed.length === 0) return;
  const message =
    `${path}: Not the same input as when the result was made: ${changed.join(', ')} changed; restore what changed, or ` +
    'make the result again with palpable run.';
  throw new PalpableError('option-invalid', message, path);
}

function report(
  { stdout, stderr, json }: CommandContext,
  path: string,
  difference: ResultDifference | null,
  cycles: number,
  recordedVersion: string,
): void {
  const version = palpableVersion();
  if (json) {
    printJson({ result: path, identical: difference === null, cycles, difference, recordedVersion, version }, stdout);
  }
  const versions = version === recordedVersion ? '' : ` (made by version ${recordedVersion}, replayed by ${version})`;
  if (!difference) {
    if (!json) stdout.write(`${path}: ${formatNumber(cycles)} cycles, bit-identical${versions}.\n`);
    return;
  }
  const { cycle, column, recorded, replayed } = difference;
  stderr.write(
    `palpable: ${path}: Cycle ${cycle} (line ${cycle + 2}) differs in ${column}: recorded ${recorded}, replayed ` +
      `${replayed}${versions}.\n`,
  );
}
