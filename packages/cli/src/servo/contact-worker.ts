import { parentPort } from 'node:worker_threads';
import { type ContactThreadSetup, serveContactSide } from '@palpable/engine/advanced';

/** The contact thread: its setup comes in as a message, and it serves the loop until it is told to stop. */
const host = { clock: () => performance.now(), tell: (message: unknown) => parentPort!.postMessage(message) };

parentPort!.on('message', (setup: ContactThreadSetup) => serveContactSide(setup, host));
