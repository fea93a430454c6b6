import { closeSync, constants, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { PalpableError } from '@palpable/engine';

/** Written to a new file and taken away again, so that a full disk is known before anything is begun. */
const PROBE_BYTES = 4096;

/**
 * A file that is written bit by bit without waiting: what `append` was given is with the operating system when it
 * returns, and stays there whatever happens to this process. A file that is there already keeps its content until
 * `clear`.
 */
export class OutputFile {
  /** Size so far. */
  bytes = 0;
  readonly path: string;
  private readonly descriptor: number;
  private readonly isNew: boolean;

  constructor(path: string, overwrite: boolean) {
    this.path = path;
    try {
      const old = overwrite ? openOld(path) : null;
      this.isNew = old === null;
      this.descriptor = old ?? openSync(path, 'wx');
    } catch (error) {
      throw explainWrite(path, error);
    }
    if (this.isNew) this.probe();
  }

  /** Before the first `append`: takes away what was in the file. */
  clear(): void {
    try {
      ftruncateSync(this.descriptor, 0);
    } catch (error) {
      throw explainWrite(this.path, error);
    }
  }

  /** Either all of it, or nothing when there is no room. */
  append(bytes: Uint8Array): void {
    try {
      this.write(bytes, this.bytes);
    } catch (error) {
      this.cut();
      throw error;
    }
    this.bytes += bytes.length;
  }

  /** Writes over what stands at `position`. */
  patch(bytes: Uint8Array, position: number): void {
    this.write(bytes, position);
  }

  close(): void {
    try {
      fsyncSync(this.descriptor);
      closeSync(this.descriptor);
    } catch (error) {
      throw explainWrite(this.path, error);
    }
  }

  /** Instead of `close`: leaves no file that was not there before. */
  discard(): void {
    closeSync(this.descriptor);
    if (this.isNew) rmSync(this.path, { force: true });
  }

  private probe(): void {
    try {
      this.write(new Uint8Array(PROBE_BYTES), 0);
      this.clear();
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  private write(bytes: Uint8Array, position: number): void {
    try {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.descriptor, bytes, done, bytes.length - done, position + done);
      }
    } catch (error) {
      throw explainWrite(this.path, error);
    }
  }

  /** To the last whole `append`; cutting takes no room. */
  private cut(): void {
    try {
      ftruncateSync(this.descriptor, this.bytes);
    } catch {
      // The error that led here says more.
    }
  }
}

/** Null when there is none. */
function openOld(path: string): number | null {
  try {
    return openSync(path, constants.O_WRONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export function explainWrite(path: string, error: unknown): PalpableError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST') {
    const sentence = 'The file already exists; name another one, or add --overwrite to replace it.';
    return new PalpableError('option-invalid', `${path}: ${sentence}`, path);
  }
  return new PalpableError(
    'file-unreadable',
    `${path} cannot be written (${message}); check the folder, its permissions and the space left.`,
    path,
  );
}
