import { Worker } from 'node:worker_threads';
import {
  type ContactThreadHands,
  type FromContactThread,
  type KeptContactThread,
  keepLoopContacts,
  type LoopSetup,
} from '@palpable/engine/advanced';

/** The contact thread of a loop, if it is to have one, minded until it is ended with the loop. */
export function startContactThread(loop: LoopSetup, onTrouble: (sentence: string) => void): KeptContactThread | null {
  return keepLoopContacts(loop, nodeHands, onTrouble);
}

const nodeHands: ContactThreadHands = {
  begin(setup, onMessage, onDeath) {
    const worker = new Worker(new URL('./contact-worker.js', import.meta.url));
    worker.on('message', (message: FromContactThread) => onMessage(message));
    worker.on('error', (error) => onDeath(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => onDeath(`ended with code ${code}`));
    worker.postMessage(setup);
    return { end: async () => void (await worker.terminate()) };
  },
  later(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
