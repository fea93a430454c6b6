import { expect, test } from 'vitest';
import { createMailbox, createMailboxReader, type LiveCommand, postCommand } from './command-mailbox.js';

test('a command arrives as it was sent, once', () => {
  const mailbox = createMailbox();
  const reader = createMailboxReader(mailbox);
  expect(reader.take()).toBeNull();
  const commands: LiveCommand[] = [
    { kind: 'pause' },
    { kind: 'resume' },
    { kind: 'stop' },
    { kind: 'listen' },
    { kind: 'set', path: 'friction.coefficient', value: 0.1 + 0.2 },
    { kind: 'set', path: 'gravity', value: [0, 0, -9.81] },
    { kind: 'set', path: 'método.😀', value: { text: 'Größe "µ"\n\u0000', nothing: null } },
  ];
  for (const command of commands) {
    expect(postCommand(mailbox, command)).toBe(true);
    expect(reader.take()).toEqual(command);
    expect(reader.take()).toBeNull();
  }
});

test('there is room for one; the next must wait and changes nothing', () => {
  const mailbox = createMailbox();
  const reader = createMailboxReader(mailbox);
  expect(postCommand(mailbox, { kind: 'pause' })).toBe(true);
  expect(postCommand(mailbox, { kind: 'set', path: 'a', value: 'a long text' })).toBe(false);
  expect(reader.take()).toEqual({ kind: 'pause' });
  expect(postCommand(mailbox, { kind: 'resume' })).toBe(true);
  expect(createMailboxReader(mailbox).take()).toEqual({ kind: 'resume' });
});

test('one that can never fit is refused with a sentence; the longest that does arrives', () => {
  const mailbox = createMailbox();
  const frame = JSON.stringify({ kind: 'set', path: 'a', value: '' }).length;
  const longest: LiveCommand = { kind: 'set', path: 'a', value: 'x'.repeat(8192 - frame) };
  expect(postCommand(mailbox, longest)).toBe(true);
  const tooLong: LiveCommand = { kind: 'set', path: 'a', value: 'x'.repeat(8193 - frame) };
  // Even while another waits: it would wait for ever.
  expect(() => postCommand(mailbox, tooLong)).toThrow(/The command has 8193 characters, but must have at most 8192/);
  expect(createMailboxReader(mailbox).take()).toEqual(longest);
});
