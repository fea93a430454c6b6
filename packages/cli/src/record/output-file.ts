import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { PalpableError } from '@palpable/engine';

/**
 * A file that is written bit by bit without waiting: what `append` was given is with the operating system when it
 * returns, and stays there whatever happens to this process.
 */
export class OutputFile {
  /** Size so far. */
  bytes = 0;
  private readonly path: string;
  private readonly descriptor: number;

  constructor(path: string, overwrite: boolean) {
    this.path = path;
    try {
      this.descriptor = openSync(path, overwrite ? 'w' : 'wx');
    } catch (error) {
      throw explain(path, error);
    }
  }

  append(bytes: Uint8Array): void {
    this.write(bytes, this.bytes);
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
      throw explain(this.path, error);
    }
  }

  private write(bytes: Uint8Array, position: number): void {
    try {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.descriptor, bytes, done, bytes.length - done, position + done);
      }
    } catch (error) {
      throw explain(this.path, error);
    }
  }
}

function explain(path: string, error: unknown): PalpableError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST') {
    const sentence = 'The file exists already; name another one, or say --overwrite to replace it.';
    return new PalpableError('option-invalid', `${path}: ${sentence}`, path);
  }
  return new PalpableError(
    'file-unreadable',
    `${path} cannot be written (${message}); check the folder, its permissions and the space left.`,
    path,
  );
}
