import type { LengthUnit, ShellOptions } from '@palpable/engine';
import type { CleanOptions } from '@palpable/engine/advanced';
import type { Command } from 'commander';
import type { LoadMeshOptions } from '../mesh/load-mesh-file.js';
import { type AssetCache, openAssetCache } from '../prepare/asset-cache.js';
import { distance, positiveNumber, wholeNumber } from '../terminal/option-values.js';
import type { ProgressBar } from '../terminal/progress-bar.js';
import type { CommandContext } from './command.js';

/** Options that several commands take, and what they mean for the engine. */

export interface ReadingOptions {
  readonly unit?: LengthUnit;
  readonly scale?: number;
  /** m */
  readonly tolerance?: number;
  /** m */
  readonly weld?: number;
}

export function addReadingOptions(command: Command): Command {
  return command
    .option('--unit <unit>', 'unit of the file: m, mm, cm, um, in, ft (default: m; STEP files state their own)')
    .option('--scale <factor>', 'additional factor on all coordinates', positiveNumber)
    .option('--tolerance <metres>', 'largest distance of the triangles from a STEP surface', positiveNumber)
    .option(
      '--weld <metres>',
      'weld vertices closer than this (default: a millionth of the size; 0: only equal ones)',
      distance,
    );
}

/** The part of `PrepareFileOptions` that says how to read. */
export function readingOf(options: ReadingOptions): { reading: LoadMeshOptions; cleaning: CleanOptions } {
  const { unit, scale, tolerance, weld } = options;
  return {
    reading: {
      ...(unit !== undefined && { unit }),
      ...(scale !== undefined && { scale }),
      ...(tolerance !== undefined && { tessellation: { linearDeflection: tolerance } }),
    },
    cleaning: weld === undefined ? {} : { weldTolerance: weld },
  };
}

export interface ShellFlags {
  /** m */
  readonly spacing?: number;
  readonly count?: number;
  readonly seed?: number;
}

export function addShellOptions(command: Command): Command {
  return command
    .option('--spacing <metres>', 'mean distance between neighbouring points of the shell', positiveNumber)
    .option('--count <points>', 'number of points of the shell', wholeNumber(1, 5_000_000))
    .option('--seed <number>', 'seed of the shell', wholeNumber(0, 4294967295));
}

export function shellOf({ spacing, count, seed }: ShellFlags): ShellOptions {
  return {
    ...(spacing !== undefined && { spacing }),
    ...(count !== undefined && { count }),
    ...(seed !== undefined && { seed }),
  };
}

export interface CacheOption {
  readonly cache?: string;
}

export function addCacheOption(command: Command): Command {
  return command.option('--cache <folder>', "where to keep prepared assets (default: the system's cache folder)");
}

/** What every preparation needs of the command that asks for it. */
export interface Preparing {
  readonly cache: AssetCache;
  readonly onProgress: ProgressBar['update'];
  readonly signal: AbortSignal;
}

export function preparing({ progress, interrupt }: CommandContext, { cache }: CacheOption): Preparing {
  return { cache: openAssetCache(cache), onProgress: progress.update, signal: interrupt() };
}
