import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { PalpableError } from '@palpable/engine';

const MIB = 1024 * 1024;

/** Reads a whole file that a user named; whatever prevents it is reported in one sentence that names the file. */
export async function readUserFile(path: string, maxBytes: number): Promise<Uint8Array> {
  const status = await explained(path, () => stat(path));
  checkStatus(path, status, maxBytes);
  return explained(path, () => readFile(path));
}

function checkStatus(path: string, status: Stats, maxBytes: number): void {
  if (status.isDirectory()) throw unreadable(path, 'is a folder; name a file in it');
  // Pipes and devices have no end; reading one would wait for ever.
  if (!status.isFile()) throw unreadable(path, 'is not a regular file; copy its content to one');
  if (status.size > maxBytes) {
    const [size, limit] = [Math.ceil(status.size / MIB), Math.floor(maxBytes / MIB)];
    const message = `${path}: The file has ${size} MiB, more than the limit of ${limit} MiB; simplify it or raise the limit.`;
    throw new PalpableError('too-large', message, path);
  }
}

async function explained<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw unreadable(path, reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist; check the path';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read; check its permissions';
  return `cannot be read (${code}); check the path and the disk`;
}

function unreadable(path: string, reason: string): PalpableError {
  return new PalpableError('file-unreadable', `${path}: The file ${reason}.`, path);
}
