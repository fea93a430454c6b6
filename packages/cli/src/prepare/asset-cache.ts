import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { decodeAsset, isPalpableError, PalpableError, type PreparedBody } from '@palpable/engine';

/**
 * Prepared bodies on the disk, each under the hash of what it was made from. A file appears whole or not at all (it is
 * written beside its place and then renamed), so that two programs may prepare the same body at once; a file that does
 * not pass its checksums is treated as absent and written again.
 */
export interface AssetCache {
  readonly folder: string;
  /** The body, or undefined if it is not there or not sound. */
  get(key: string): Promise<PreparedBody | undefined>;
  put(key: string, asset: Uint8Array): Promise<void>;
}

/** Changes whenever the same input would be prepared differently. */
const RECIPE = 9;

export function openAssetCache(folder = defaultCacheFolder()): AssetCache {
  const pathOf = (key: string) => join(folder, `${key}.palpable`);
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
      await makeFolder(folder, '--cache');
      await writeAtomically(pathOf(key), asset);
    },
  };
}

/** `PALPABLE_CACHE`, else the system's folder for caches. */
function defaultCacheFolder(): string {
  const { PALPABLE_CACHE, XDG_CACHE_HOME } = process.env;
  return PALPABLE_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'palpable');
}

/** The name of what comes out of this content prepared with these settings. */
export function cacheKey(content: Iterable<Uint8Array>, settings: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify([RECIPE, settings]));
  for (const bytes of content) hash.update(bytes);
  return hash.digest('hex');
}

/** Makes a folder that the user named with an option, with all above it. */
export async function makeFolder(folder: string, option: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new PalpableError(
      'file-unreadable',
      `The folder ${folder} cannot be made (${error.message}); name another one with ${option}.`,
      folder,
    );
  });
}

/** Writes a file that others see either as it was before or complete. */
export async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new PalpableError(
      'file-unreadable',
      `${path} cannot be written (${(error as Error).message}); check the folder, its permissions and the space left.`,
      path,
    );
  }
}
