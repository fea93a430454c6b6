import { PalpableError } from '../base/errors.js';

/**
 * Commands to a running loop, as text in shared memory. The loop only checks whether there is one; it is read when there
 * is, between two cycles. The sender keeps what does not fit in yet and tries again.
 */
export interface Mailbox {
  readonly memory: SharedArrayBuffer;
}

/** What a running loop can be commanded to do between two cycles. */
export type LiveCommand =
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'stop' }
  /** The emergency stop: no force until `release`. */
  | { readonly kind: 'halt' }
  | { readonly kind: 'release' }
  /** Leave the loop and hear a message: a new scene is too large for the mailbox. */
  | { readonly kind: 'listen' }
  /** A key of the scene, as in `friction.coefficient`. */
  | { readonly kind: 'set'; readonly path: string; readonly value: unknown };

const FULL = 0;
const LENGTH = 1;
const HEAD_BYTES = 8;
const MAX_CHARACTERS = 8192;

/** Shared memory for one command at a time, with room for so many characters of JSON. */
export function createMailbox(characters = MAX_CHARACTERS): Mailbox {
  return { memory: new SharedArrayBuffer(HEAD_BYTES + 2 * characters) };
}

/**
 * Puts a command into the mailbox of a loop. False while the last one has not been taken. Throws `option-invalid` for
 * one that can never fit in.
 */
export function postCommand(mailbox: Mailbox, command: LiveCommand): boolean {
  return postText(mailbox, JSON.stringify(command));
}

/** The same for any text. */
export function postText({ memory }: Mailbox, text: string): boolean {
  const head = new Int32Array(memory, 0, 2);
  const most = roomOf(memory);
  if (text.length > most) {
    throw new PalpableError(
      'option-invalid',
      `The command has ${text.length} characters, but must have at most ${most}; load the changed scene instead.`,
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

function roomOf(memory: SharedArrayBuffer): number {
  return (memory.byteLength - HEAD_BYTES) / 2;
}

export interface MailboxReader<Message = LiveCommand> {
  /** The command that waits, or null. Nothing is allocated while there is none. */
  take(): Message | null;
}

/** The loop's end of a mailbox; `postCommand` is the other. */
export function createMailboxReader<Message = LiveCommand>({ memory }: Mailbox): MailboxReader<Message> {
  const head = new Int32Array(memory, 0, 2);
  const characters = new Uint16Array(memory, HEAD_BYTES);
  return {
    take() {
      if (Atomics.load(head, FULL) === 0) return null;
      let text = '';
      for (let k = 0; k < head[LENGTH]; k += 1) text += String.fromCharCode(characters[k]);
      Atomics.store(head, FULL, 0);
      return JSON.parse(text) as Message;
    },
  };
}
