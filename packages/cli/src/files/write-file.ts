import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PalpableError } from '@palpable/engine';

/** Makes a folder that the user named with an option, with all above it. */
export async function makeFolder(folder: string, option: string): Promise<void> {
  await makeFolders(folder).catch((error: Error) => {
    throw unreadable(
      `The folder ${folder} cannot be created (${error.message}); name another one with ${option}.`,
      folder,
      error,
    );
  });
}

/** Not Node's recursive `mkdir`: that one never ends where a folder exists but takes no entries, as below /proc. */
async function makeFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const above = dirname(folder);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && above !== folder) {
      await makeFolders(above);
      await mkdir(folder).catch((again: Error) => requireFolder(folder, again));
    } else await requireFolder(folder, error);
  }
}

/** Another program may have made it meanwhile. */
async function requireFolder(folder: string, error: unknown): Promise<void> {
  const info = await stat(folder).catch(() => undefined);
  if (!info?.isDirectory()) throw error;
}

/** Files that are being written; a process that ends meanwhile takes them along. */
const unfinished = new Set<string>();
process.on('exit', () => {
  for (const path of unfinished) rmSync(path, { force: true });
});

/** Writes a file that others see either as it was before or complete. */
export async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  unfinished.add(temporary);
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
    const why = (error as Error).message;
    throw unreadable(
      `${path} cannot be written (${why}); check the folder, its permissions and the space left.`,
      path,
      error as Error,
    );
  } finally {
    unfinished.delete(temporary);
  }
}

function unreadable(message: string, path: string, cause: Error): PalpableError {
  const error = new PalpableError('file-unreadable', message, path);
  error.cause = cause;
  return error;
}
