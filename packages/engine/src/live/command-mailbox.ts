import { PalpableError } from '../base/errors.js';

/**
 * Commands to a running loop, as text in shared memory. The loop only looks whether there is one; it is read when there
 * is, between two cycles. The sender keeps what does not fit in yet and tries again.
 */
export interface Mailbox {
  readonly memory: SharedArrayBuffer;
}

export type LiveCommand =
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'stop' }
  /** Leave the loop and hear a message: a new scene is too large for the mailbox. */
  | { readonly kind: 'listen' }
  /** A key of the scene, as in `friction.coefficient`. */
  | { readonly kind: 'set'; readonly path: string; readonly value: unknown };

const FULL = 0;
const LENGTH = 1;
const HEAD_BYTES = 8;
const MAX_CHARACTERS = 8192;

export function createMailbox(): Mailbox {
  return { memory: new SharedArrayBuffer(HEAD_BYTES + 2 * MAX_CHARACTERS) };
}

/** False while the last command has not been taken. Throws `option-invalid` for one that can never fit in. */
export function postCommand({ memory }: Mailbox, command: LiveCommand): boolean {
  const head = new Int32Array(memory, 0, 2);
  const text = JSON.stringify(command);
  if (text.length > MAX_CHARACTERS) {
    throw new PalpableError(
      'option-invalid',
      `The command has ${text.length} characters, but must have at most ${MAX_CHARACTERS}; load the changed scene instead.`,
      'command',
    );
  }
  if (Atomics.load(head, FULL) === 1) return false;
  const characters = new Uint16Array(memory, HEAD_BYTES);
  for (let k = 0; k < text.length; k += 1) characters[k] = text.charCodeAt(k);
  head[LENGTH] = text.length;
  Atomics.store(head, FULL, 1);
  return true;
}

export interface MailboxReader {
  /** The command that waits, or null. Nothing is allocated while there is none. */
  take(): LiveCommand | null;
}

export function createMailboxReader({ memory }: Mailbox): MailboxReader {
  const head = new Int32Array(memory, 0, 2);
  const characters = new Uint16Array(memory, HEAD_BYTES);
  return {
    take() {
      if (Atomics.load(head, FULL) === 0) return null;
      let text = '';
      for (let k = 0; k < head[LENGTH]; k += 1) text += String.fromCharCode(characters[k]);
      Atomics.store(head, FULL, 0);
      return JSON.parse(text) as LiveCommand;
    },
  };
}
