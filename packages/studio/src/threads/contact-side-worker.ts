/** The contact thread of a loop: its setup comes in as a message, and it serves the loop until it is told to stop. */
import { type ContactThreadSetup, type FromContactThread, serveContactSide } from '@palpable/engine/advanced';
import { workerScope } from './browser-workers.js';

const host = {
  clock: () => performance.now(),
  tell: (message: FromContactThread) => workerScope.postMessage(message, []),
};

workerScope.addEventListener('message', ({ data }: MessageEvent<ContactThreadSetup>) => serveContactSide(data, host));
