import { type AnyJob, serveJobs, type WorkerHost, type WorkerPort } from './parallel.js';
import { createRandom } from './random.js';

/** Workers on this very thread: messages are cloned as between threads and arrive later, in order. */
export class InProcessWorkers implements WorkerHost {
  readonly size: number;
  spawned = 0;
  ended = 0;
  private readonly jobs: readonly AnyJob[];
  private readonly delay: () => number;

  constructor(size: number, jobs: readonly AnyJob[], seed = 1) {
    this.size = size;
    this.jobs = jobs;
    const random = createRandom(seed);
    this.delay = () => Math.floor(4 * random());
  }

  spawn(): WorkerPort {
    this.spawned += 1;
    let alive = true;
    const end = () => {
      this.ended += alive ? 1 : 0;
      alive = false;
    };
    const [here, there] = [this.createEnd(() => alive, end), this.createEnd(() => alive, end)];
    here.deliver = (message) => there.listener(message);
    there.deliver = (message) => here.listener(message);
    serveJobs(there.port, this.jobs);
    return here.port;
  }

  private createEnd(isAlive: () => boolean, end: () => void) {
    let last: Promise<void> = Promise.resolve();
    const side = {
      listener: (_message: unknown) => {},
      deliver: (_message: unknown) => {},
      port: {
        post: (message: unknown, transfer: ArrayBuffer[]) => {
          const copy = structuredClone(message, { transfer });
          const turns = this.delay();
          last = last.then(async () => {
            for (let turn = 0; turn <= turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
            if (isAlive()) side.deliver(copy);
          });
        },
        onMessage: (listener: (message: unknown) => void) => {
          side.listener = listener;
        },
        onError: () => {},
        terminate: end,
      },
    };
    return side;
  }
}
