import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { decodeAsset, isPalpableError, type PalpableError, type PreparedBody } from '@palpable/engine';
import { makeFolder, writeAtomically } from '../files/write-file.js';

/**
 * Prepared bodies on the disk, each under the hash of what it was made from. A file appears whole or not at all (it is
 * written beside its place and then renamed), so that two programs may prepare the same body at once; a file that does
 * not pass its checksums is treated as absent and written again.
 */
export interface AssetCache {
  readonly folder: string;
  /** The body, or undefined if it is missing or damaged. */
  get(key: string): Promise<PreparedBody | undefined>;
  /** Without the cache the work is done all the same: a folder that cannot be written is a warning, once. */
  put(key: string, asset: Uint8Array): Promise<void>;
}

export interface AssetCacheOptions {
  /** The user asked for the folder to be written, so that it is an error when it cannot be. */
  readonly required?: boolean;
  /** Where the warning goes; standard error unless given. */
  readonly warn?: (sentence: string) => void;
}

/** Changes whenever the same input would be prepared differently. */
const RECIPE = 14;

export function openAssetCache(folder = defaultCacheFolder(), options: AssetCacheOptions = {}): AssetCache {
  const { required = false, warn = warnOnStandardError } = options;
  const pathOf = (key: string) => join(folder, `${key}.palpable`);
  let warned = false;
  return {
    folder,
    async get(key) {
      const bytes = await readFile(pathOf(key)).catch(() => undefined);
      if (!bytes) return undefined;
      try {
        return decodeAsset(bytes);
      } catch (error) {
        if (isPalpableError(error)) return undefined;
        throw error;
      }
    },
    async put(key, asset) {
      try {
        await makeFolder(folder, '--cache');
        await writeAtomically(pathOf(key), asset);
      } catch (error) {
        if (required || !isPalpableError(error)) throw error;
        if (!warned) warn(unwritable(folder, error));
        warned = true;
      }
    },
  };
}

function unwritable(folder: string, { cause, message }: PalpableError): string {
  const why = cause instanceof Error ? cause.message : message;
  return `The cache ${folder} cannot be written (${why}); bodies are prepared again each time. Name another with --cache.`;
}

function warnOnStandardError(sentence: string): void {
  // A progress bar may stand in the line.
  process.stderr.write(`${process.stderr.isTTY ? '\r\x1b[2K' : ''}palpable: ${sentence}\n`);
}

/** `PALPABLE_CACHE`, else the system's folder for caches. What is set to nothing is not set. */
function defaultCacheFolder(): string {
  const { PALPABLE_CACHE, XDG_CACHE_HOME } = process.env;
  return PALPABLE_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'palpable');
}

/** The name of what comes out of this content prepared with these settings. */
export function cacheKey(content: Iterable<Uint8Array>, settings: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify([RECIPE, settings]));
  for (const bytes of content) hash.update(bytes);
  return hash.digest('hex');
}
