import type { PrepareOptions } from '@palpable/engine';
import type { AssetCache } from './asset-cache.js';
import type { ReadRequest, TaskHooks } from './preparation-tasks.js';
import { PreparationThread } from './preparation-thread.js';
import { prepareSource, readSource } from './prepare-source.js';

export interface PrepareFileOptions extends Omit<ReadRequest, 'path'>, TaskHooks {
  readonly prepare: PrepareOptions;
  readonly cache: AssetCache;
}

/** Reads a mesh file, cleans it, and takes its field and shell from the cache or builds them into it. `unitScale`: metres per unit of the file. */
export async function prepareFile(path: string, options: PrepareFileOptions) {
  const { reading, cleaning, prepare, cache, ...hooks } = options;
  const thread = new PreparationThread();
  try {
    const source = await readSource({ path, reading, ...(cleaning && { cleaning }) }, thread, hooks);
    const { body, fromCache, statistics } = await prepareSource(source, prepare, cache, thread, hooks);
    return { body, fromCache, unitScale: source.unitScale, statistics };
  } finally {
    thread.close();
  }
}
