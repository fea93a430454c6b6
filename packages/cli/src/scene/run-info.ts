import { dirname, join, relative, resolve, sep } from 'node:path';
import { isPalpableError, PalpableError } from '@palpable/engine';
import { readUserFile } from '../files/read-file.js';
import type { InputHashes } from './open-run.js';

/** What stands in the JSON file beside a result: how it came about, and how it went. */
export interface RunInfo {
  readonly palpable: { readonly version: string };
  readonly options: {
    /** Relative to the folder of the result, with forward slashes. */
    readonly scene: string;
    readonly trajectory: string;
    readonly tool: string;
  };
  readonly sha256: InputHashes;
  /** s */
  readonly timeStep: number;
  readonly samples: number;
  readonly cycles: number;
  /** Whether the trajectory was interpolated to the time step. */
  readonly resampled: boolean;
  readonly counters: {
    readonly limited: number;
    readonly capped: number;
    readonly maxContacts: number;
    /** m */
    readonly maxPenetration: number;
    readonly states: Readonly<Record<string, number>>;
  };
  /** Microseconds of a cycle in this run, the first ones with a cold compiler among them. */
  readonly computeTimeUs: Readonly<Record<'p50' | 'p90' | 'p99' | 'max', number>>;
  readonly machine: unknown;
  readonly notes: readonly string[];
}

const MAX_BYTES = 16 * 1024 * 1024;

export function infoPath(result: string): string {
  return `${result}.json`;
}

/** From the result's folder to another file, so that the folder can be moved and nobody's paths are revealed. */
export function pathFromResult(result: string, file: string): string {
  return relative(dirname(resolve(result)), resolve(file))
    .split(sep)
    .join('/');
}

export function pathBesideResult(result: string, file: string): string {
  return join(dirname(result), file);
}

/** The part of the info that a replay needs, checked. */
export type ReplayInfo = Pick<RunInfo, 'palpable' | 'options' | 'sha256'>;

export async function readRunInfo(result: string): Promise<ReplayInfo> {
  const path = infoPath(result);
  const bytes = await readUserFile(path, MAX_BYTES).catch((error: unknown) => {
    if (!isPalpableError(error)) throw error;
    const sentence =
      `${error.message} It records how the result was made, and palpable run writes it beside the result; without it there ` +
      'is nothing to replay.';
    throw new PalpableError('file-unreadable', sentence, path);
  });
  const info = parse(Buffer.from(bytes).toString('utf8'));
  const texts = [
    info?.palpable?.version,
    info?.options?.scene,
    info?.options?.trajectory,
    info?.options?.tool,
    info?.sha256?.scene,
    info?.sha256?.trajectory,
  ];
  const sound = texts.every((text) => typeof text === 'string') && typeof info?.sha256?.meshes === 'object';
  if (!info || !sound) {
    const sentence = `${path}: This is not what palpable run writes beside a result; run again.`;
    throw new PalpableError('format-invalid', sentence, path);
  }
  return info;
}

function parse(text: string): ReplayInfo | undefined {
  try {
    return JSON.parse(text) as ReplayInfo;
  } catch {
    return undefined;
  }
}
