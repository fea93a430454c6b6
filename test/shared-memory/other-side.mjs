import { parentPort, workerData } from 'node:worker_threads';
import { createMailboxReader, createRingWriter, createTripleWriter, openPortHost } from '@palpable/engine/advanced';

/** @param {Int32Array} stop */
function isWanted(stop) {
  return Atomics.load(stop, 0) === 0;
}

/**
 * The other thread of the tests of shared memory: it writes as fast as it can until it is told to stop, or reads what the
 * test writes. Blocks hold one and the same number throughout, so that a torn one gives itself away.
 *
 * @type {Record<string, (data: any) => unknown>}
 */
const sides = {
  writeBlocks({ control, blocks, stop }) {
    const writer = createTripleWriter(new Int32Array(control), 0, blocks);
    let n = 0;
    while (isWanted(stop)) {
      n += 1;
      writer.block.fill(n);
      writer.publish();
    }
    return n;
  },

  writeRows({ ring, stop }) {
    const writer = createRingWriter(ring);
    const row = new Float64Array(ring.width);
    let tried = 0;
    let written = 0;
    while (isWanted(stop)) {
      tried += 1;
      row.fill(tried);
      if (writer.write(row)) written += 1;
    }
    return { tried, written };
  },

  takeCommands({ mailbox }) {
    const reader = createMailboxReader(mailbox);
    const paths = [];
    for (;;) {
      const command = reader.take();
      if (command?.kind === 'stop') return paths;
      if (command?.kind === 'set') paths.push([command.path, String(command.value).length]);
    }
  },

  /** A connection: tells poses, hears wrenches. */
  connect({ port, stop }) {
    const host = openPortHost(port);
    const pose = new Float64Array(7);
    const wrench = new Float64Array(6);
    let torn = 0;
    let newest = 0;
    for (let n = 1; isWanted(stop); n += 1) {
      host.putPose(pose.fill(n), n);
      host.takeWrench(wrench, 0);
      if (wrench.some((value) => value !== wrench[0]) || wrench[0] < newest) torn += 1;
      newest = wrench[0];
    }
    return torn;
  },
};

const port = parentPort;
port?.on('message', () => {
  port.postMessage({ kind: 'done', result: sides[workerData.side](workerData) });
  port.close();
});
port?.postMessage({ kind: 'ready' });
