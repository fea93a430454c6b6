/** Commands on their way to a loop. */
import { type LiveCommand, type LiveEvent, PalpableError } from '@palpable/engine';
import { type Mailbox, postCommand } from '@palpable/engine/advanced';

/** How long a command waits for the one before it to be taken, milliseconds. */
const RETRY_MS = 2;

interface SentCommand {
  readonly command: LiveCommand;
  readonly resolve: (event: LiveEvent) => void;
  readonly reject: (error: PalpableError) => void;
}

/** They overtake all others, but not each other. */
const URGENT: readonly LiveCommand['kind'][] = ['halt', 'release'];

/** One command at a time: the mailbox holds no more, and those of a slider must not overtake each other. */
export function createCommandQueue(mailbox: Mailbox) {
  const queue: SentCommand[] = [];
  let isPosted = false;
  let ended: PalpableError | undefined;

  const post = () => {
    const first = queue[0];
    if (!first || isPosted) return;
    isPosted = postCommand(mailbox, first.command);
    if (!isPosted) setTimeout(post, RETRY_MS);
  };
  return {
    send: (command: LiveCommand) =>
      new Promise<LiveEvent>((resolve, reject) => {
        if (ended) return reject(ended);
        const isUrgent = URGENT.includes(command.kind);
        const isBefore = (one: SentCommand, k: number) => (k === 0 && isPosted) || URGENT.includes(one.command.kind);
        const at = isUrgent ? queue.findLastIndex(isBefore) + 1 : queue.length;
        queue.splice(at, 0, { command, resolve, reject });
        post();
      }),
    answer(event: LiveEvent) {
      isPosted = false;
      queue.shift()?.resolve(event);
      post();
    },
    end(message: string) {
      ended ??= new PalpableError('cancelled', `The loop has ended: ${message}.`);
      for (const { reject } of queue.splice(0)) reject(ended);
    },
  };
}
