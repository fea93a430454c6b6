/** The thread of the loop: a setup comes in as a message, and the loop runs until it is told to stop or to listen. */
import { type FromLoop, type LoopSetup, serveLoop } from '@palpable/engine/advanced';
import { workerScope } from './browser-workers.js';

const host = {
  clock: () => performance.now(),
  wallClock: () => Date.now(),
  tell: (message: FromLoop) => workerScope.postMessage(message, []),
};

workerScope.addEventListener('message', ({ data }: MessageEvent<LoopSetup>) => serveLoop(data, host));
