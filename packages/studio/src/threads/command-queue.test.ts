import type { LiveCommand } from '@palpable/engine';
import { createMailbox, createMailboxReader } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import { createCommandQueue } from './command-queue.js';

const PAUSE: LiveCommand = { kind: 'pause' };
const SET: LiveCommand = { kind: 'set', path: 'friction.coefficient', value: 0.2 };
const HALT: LiveCommand = { kind: 'halt' };
const RELEASE: LiveCommand = { kind: 'release' };

/** Sends all at once; says in which order a loop takes them. */
function orderOf(commands: readonly LiveCommand[]): string[] {
  const mailbox = createMailbox();
  const reader = createMailboxReader(mailbox);
  const queue = createCommandQueue(mailbox);
  for (const command of commands) void queue.send(command);
  return commands.map((_, cycle) => {
    const command = reader.take()!;
    queue.answer({ cycle, command });
    return command.kind;
  });
}

describe('the commands of a loop', () => {
  it('are carried out in the order in which they were given', () => {
    expect(orderOf([SET, PAUSE, SET])).toEqual(['set', 'pause', 'set']);
  });

  it('let the emergency stop and its release overtake, but not each other', () => {
    expect(orderOf([SET, SET, PAUSE, HALT])).toEqual(['set', 'halt', 'set', 'pause']);
    expect(orderOf([SET, SET, HALT, RELEASE, HALT])).toEqual(['set', 'halt', 'release', 'halt', 'set']);
    expect(orderOf([HALT, SET, RELEASE])).toEqual(['halt', 'release', 'set']);
  });

  it('are refused when the loop ends', async () => {
    const queue = createCommandQueue(createMailbox());
    const waiting = queue.send(PAUSE);
    queue.end('it is gone');
    await expect(waiting).rejects.toThrow('it is gone');
    await expect(queue.send(PAUSE)).rejects.toThrow('it is gone');
  });
});
