import { parentPort } from 'node:worker_threads';
import { type LoopSetup, serveLoop } from '@palpable/engine/advanced';

/** The thread of the loop: a setup comes in as a message, and the loop runs until it is told to stop or to listen. */
const host = {
  clock: () => performance.now(),
  wallClock: () => Date.now(),
  tell: (message: unknown) => parentPort!.postMessage(message),
};

parentPort!.on('message', (setup: LoopSetup) => serveLoop(setup, host));
