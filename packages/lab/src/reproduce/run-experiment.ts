import { dirname, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  type AssetCache,
  type MachineInfo,
  machineInfo,
  mapBodies,
  prepareScene,
  readUserFile,
} from '@palpable/cli/internal';
import { checkSceneValue, PalpableError } from '@palpable/engine';
import { type ProgressListener, sceneError } from '@palpable/engine/advanced';
import type { LoadedScene } from '../play/load-scene.js';
import type { Claim } from './claim.js';
import type { Experiment, JsonObject } from './read-experiment.js';
import type { StudyResult } from './study.js';

export interface ExperimentReport extends StudyResult {
  readonly experiment: Experiment;
  readonly quick: boolean;
  readonly machine: MachineInfo;
  readonly seconds: number;
  /** Whether all claims are. */
  readonly met: boolean;
}

export interface RunHooks {
  readonly quick: boolean;
  readonly cache: AssetCache;
  readonly onProgress: ProgressListener;
  readonly signal: AbortSignal;
}

export async function runExperiment(experiment: Experiment, hooks: RunHooks): Promise<ExperimentReport> {
  const { quick, cache, onProgress, signal } = hooks;
  const loaded = await loadScene(experiment, hooks);
  const started = performance.now();
  const progress = async (stage: string, fraction: number) => {
    onProgress(`${experiment.name}: ${stage}`, fraction);
    // Lets Ctrl-C through.
    await setImmediate();
    if (signal.aborted) throw new PalpableError('cancelled', 'The experiment was cancelled before it was finished.');
  };
  const parameters = { ...experiment.parameters, ...(quick && experiment.quick.parameters) };
  const result = await experiment.study.run({ ...loaded, cache, progress }, parameters as never);
  const claims = [...result.claims, uncapped(result)];
  return {
    ...result,
    claims,
    experiment,
    quick,
    machine: machineInfo(),
    seconds: (performance.now() - started) / 1000,
    met: claims.every(({ met }) => met),
  };
}

function uncapped({ capped, cappedCompared }: StudyResult): Claim {
  const aside = cappedCompared === undefined ? '' : `, those of compared solvers aside (${cappedCompared})`;
  return {
    claim: `no cycle meets a cap on contacts or iterations${aside}`,
    measured: `${capped} cycles`,
    bar: '0 cycles',
    met: capped === 0,
  };
}

const MAX_BYTES = 16 * 1024 * 1024;

/** The scene file with the experiment's changes in it, and its bodies. */
async function loadScene(experiment: Experiment, hooks: RunHooks): Promise<LoadedScene> {
  const { quick, cache, onProgress, signal } = hooks;
  const path = resolve(dirname(experiment.file), experiment.scene);
  let value = parse(Buffer.from(await readUserFile(path, MAX_BYTES)).toString('utf8'), path);
  value = merged(value, experiment.changes);
  if (quick) value = merged(value, experiment.quick.changes);
  const { scene, problems } = checkSceneValue(value);
  if (!scene) throw sceneError(`${path} with the changes of ${experiment.file}`, problems);
  const prepared = await prepareScene(scene, path, { cache, onProgress, signal });
  return { scene, bodies: mapBodies(prepared) };
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PalpableError('format-invalid', `${path}: This is no JSON (${(error as Error).message}).`, path);
  }
}

/** Objects are merged key by key; everything else is replaced. */
function merged(value: unknown, changes: JsonObject): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return changes;
  const result: Record<string, unknown> = { ...value };
  for (const [key, change] of Object.entries(changes)) {
    const isObject = typeof change === 'object' && change !== null && !Array.isArray(change);
    result[key] = isObject ? merged(result[key], change as JsonObject) : change;
  }
  return result;
}
