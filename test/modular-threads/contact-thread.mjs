import { parentPort, workerData } from 'node:worker_threads';
import { openContactExchange, serveContactSide } from '@palpable/engine/advanced';

/** What stands in the gate of a thread that can be stopped. */
const CLOSING = 1;
const CLOSED = 2;

/**
 * Contact threads for the tests: one that only hammers on the memory, and the real one with a clock that can be stopped,
 * and the whole thread with it.
 *
 * @type {Record<string, (data: any) => void>}
 */
const sides = {
  /** Blocks hold one and the same number throughout, so that a torn one gives itself away. */
  hammer({ memory, results }) {
    const cells = new Int32Array(results);
    const { states, models } = openContactExchange(memory, 0);
    for (;;) {
      if (states.take()) {
        const { state, notes } = states.block;
        if (state.some((value) => value !== notes[0]) || notes[1] !== notes[0]) Atomics.add(cells, 1, 1);
        Atomics.add(cells, 0, 1);
      }
      // Counted in shared memory, so that a thread that comes after a killed one goes on counting.
      const n = Atomics.add(cells, 2, 1) + 1;
      const { model, notes } = models.block;
      model.fill(n);
      notes.fill(n);
      models.publish();
    }
  },

  serve({ setup, gate }) {
    const cell = new Int32Array(gate);
    const clock = () => {
      if (Atomics.load(cell, 0) === CLOSING) {
        Atomics.store(cell, 0, CLOSED);
        Atomics.wait(cell, 0, CLOSED);
      }
      return performance.now();
    };
    serveContactSide(setup, { clock, tell: (message) => parentPort?.postMessage(message) });
  },
};

sides[workerData.side](workerData);
