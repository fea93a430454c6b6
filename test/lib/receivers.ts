import { type Receiver, startReceiver } from '@palpable/lab/bench/fault-driver';
import { afterAll, beforeAll } from 'vitest';

/** Each is a process with threads that must be punctual, beside a servo with more of them, and there are two cores. */
const AT_ONCE = 2;
const receivers: Receiver[] = [];
const free: Promise<Receiver>[] = [];
const waiting: ((receiver: Promise<Receiver>) => void)[] = [];

beforeAll(() => {
  for (let lane = 0; lane < AT_ONCE; lane += 1) free.push(startReceiver());
  for (const started of free) started.then((receiver) => receivers.push(receiver));
});
afterAll(() => {
  for (const receiver of receivers) receiver.stop();
});

/** Runs with a device that nobody else uses meanwhile. */
export async function inTurn(action: (receiver: Receiver) => Promise<void>): Promise<void> {
  const lane = free.shift() ?? new Promise<Receiver>((resolve) => waiting.push(resolve));
  const receiver = await lane;
  try {
    await receiver.ask({ kind: 'reset' });
    await action(receiver);
  } finally {
    const next = waiting.shift();
    if (next) next(lane);
    else free.push(lane);
  }
}
