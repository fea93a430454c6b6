import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PalpableError } from '@palpable/engine';
import { percentile, STATE_NAMES } from '@palpable/engine/advanced';
import { writeAtomically } from '../files/write-file.js';
import { type OpenedRun, openRun } from '../scene/open-run.js';
import { infoPath, pathFromResult, type RunInfo } from '../scene/run-info.js';
import { writeResult } from '../scene/write-result.js';
import { printJson } from '../terminal/json.js';
import { machineInfo } from '../terminal/machine-info.js';
import { wholeNumber } from '../terminal/option-values.js';
import { formatNumber } from '../terminal/table.js';
import { palpableVersion } from '../terminal/version.js';
import type { CommandContext, CommandDefinition } from './command.js';
import { addCacheOption, type CacheOption, preparing } from './shared-options.js';

interface RunFlags extends CacheOption {
  readonly trajectory: string;
  readonly out: string;
  readonly tool?: string;
  readonly problem?: number;
}

export const runSceneCommand: CommandDefinition<[scene: string], RunFlags> = {
  usage: 'run <scene>',
  summary: 'play a device trajectory through a scene: one row per cycle, with poses, wrench and friction',
  examples: ['palpable run scenes/corner-cube.json --trajectory push.csv --out result.csv'],
  options: (command) =>
    addCacheOption(
      command
        .requiredOption('--trajectory <file>', 'CSV with time,px,py,pz,qx,qy,qz,qw (s, m, quaternion), or a result')
        .requiredOption('--out <file>', 'where to write the result, CSV; a JSON file beside it records how it was made')
        .option('--tool <name>', 'the tool that moves (default: the first of the scene)')
        .option(
          '--problem <cycle>',
          'also save the friction or contact problem of this cycle, counted from 0',
          wholeNumber(0, 1e9),
        ),
    ),
  async run(context, flags, scenePath) {
    const prepare = preparing(context, flags);
    checkOutput(flags.out, [scenePath, flags.trajectory]);
    const opened = await openRun({
      scenePath,
      trajectoryPath: flags.trajectory,
      ...(flags.tool !== undefined && { tool: flags.tool }),
      ...prepare,
    });
    checkOutput(flags.out, opened.meshFiles);
    const problem = watchProblem(opened, flags.problem);
    const started = performance.now();
    const timesUs = await writeResult(flags.out, opened.run, {
      ...prepare,
      ...(problem && { afterCycle: problem.afterCycle }),
      // The description of an older result must not stand beside the new one.
      beforeRename: () => rm(infoPath(flags.out), { force: true }),
    });
    const seconds = (performance.now() - started) / 1000;
    const info = describeRun(opened, scenePath, flags, timesUs);
    await writeAtomically(infoPath(flags.out), Buffer.from(`${JSON.stringify(info, null, 2)}\n`));
    if (problem) await writeAtomically(problemPath(flags), Buffer.from(problem.text));
    context.progress.done();
    report(context, flags.out, info, opened.fromCache, seconds);
    return undefined;
  },
};

/** Keeps the friction or contact problem of one cycle as text. */
function watchProblem({ run }: OpenedRun, cycle: number | undefined) {
  if (cycle === undefined) return null;
  const { method } = run.stage;
  if (!method.problemText) {
    const message = 'The method of this scene solves no such problem; static-friction and deformable do.';
    throw new PalpableError('option-invalid', message, '--problem');
  }
  if (cycle >= run.hand.cycles) {
    const message = `There is no cycle ${cycle}: the run has ${run.hand.cycles}, counted from 0.`;
    throw new PalpableError('option-invalid', message, '--problem');
  }
  const saved = {
    text: '',
    afterCycle(done: number): void {
      if (done === cycle) saved.text = method.problemText!();
    },
  };
  return saved;
}

const problemPath = ({ out, problem }: RunFlags) => `${out}.problem-${problem}.json`;

/** A result must not take the place of what it was made from. */
function checkOutput(out: string, inputs: readonly string[]): void {
  const outputs = [out, infoPath(out)].map((path) => resolve(path));
  const hit = inputs.find((input) => outputs.includes(resolve(input)));
  if (hit === undefined) return;
  throw new PalpableError('option-invalid', `The result would overwrite ${hit}; name another file with --out.`, hit);
}

function describeRun(opened: OpenedRun, scenePath: string, flags: RunFlags, timesUs: Float64Array): RunInfo {
  const { run, scene, tool, samples, resampled, hashes, notes, notesAfter } = opened;
  const { counters, hand } = run;
  const { states, ...counts } = counters;
  const us = (p: number) => Math.round(percentile(timesUs, p) * 1000) / 1000;
  return {
    palpable: { version: palpableVersion() },
    options: {
      scene: pathFromResult(flags.out, scenePath),
      trajectory: pathFromResult(flags.out, flags.trajectory),
      tool,
    },
    sha256: hashes,
    timeStep: scene.timeStep,
    samples,
    cycles: hand.cycles,
    resampled,
    counters: { ...counts, states: Object.fromEntries(STATE_NAMES.map((name, state) => [name, states[state]!])) },
    computeTimeUs: { p50: us(50), p90: us(90), p99: us(99), max: us(100) },
    machine: machineInfo(),
    notes: [...notes, ...notesAfter()],
  };
}

function report(
  { stdout, stderr, json }: CommandContext,
  out: string,
  info: RunInfo,
  fromCache: OpenedRun['fromCache'],
  seconds: number,
): void {
  for (const note of info.notes) stderr.write(`palpable: ${note}\n`);
  if (json) {
    printJson({ result: out, ...info, fromCache }, stdout);
    return;
  }
  const { cycles, counters, computeTimeUs, options } = info;
  const { free, stick, slip } = counters.states;
  stdout.write(
    `${[
      `${out}: ${formatNumber(cycles)} cycles of ${options.tool} in ${formatNumber(seconds)} s.`,
      `Cycles free ${formatNumber(free!)}, sticking ${formatNumber(stick!)}, slipping ${formatNumber(slip!)}; ` +
        `at most ${formatNumber(counters.maxContacts)} contacts.`,
      `Limits changed the wrench in ${formatNumber(counters.limited)} cycles; caps were met in ${formatNumber(counters.capped)}.`,
      `Bodies: ${Object.entries(fromCache)
        .map(([name, cached]) => `${name} ${cached ? 'from the cache' : 'built'}`)
        .join(', ')}.`,
      `A cycle took ${formatNumber(computeTimeUs.p50)} µs (median), ${formatNumber(computeTimeUs.p99)} µs (99 %).`,
    ].join('\n')}\n`,
  );
}
