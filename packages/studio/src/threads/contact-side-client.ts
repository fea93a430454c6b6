/** The page's side of the contact thread of a loop. */
import {
  type ContactThreadHands,
  type KeptContactThread,
  keepLoopContacts,
  type LoopSetup,
} from '@palpable/engine/advanced';
import { hearWorker } from './hear-worker.js';

/** A page is not told when a worker that it ended has really stopped, milliseconds. */
const SURELY_ENDED_MS = 100;

/** The contact thread of a loop that is to have one, minded until it is ended with the loop. */
export function startContactSide(loop: LoopSetup, onTrouble: (sentence: string) => void): KeptContactThread | null {
  return keepLoopContacts(loop, pageHands, onTrouble);
}

const pageHands: ContactThreadHands = {
  begin(setup, onMessage, onDeath) {
    const worker = new Worker(new URL('./contact-side-worker.ts', import.meta.url), {
      type: 'module',
      name: 'contacts',
    });
    hearWorker(worker, onMessage, onDeath);
    worker.postMessage(setup);
    return {
      end() {
        worker.terminate();
        return new Promise((resolve) => setTimeout(resolve, SURELY_ENDED_MS));
      },
    };
  },
  later(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
