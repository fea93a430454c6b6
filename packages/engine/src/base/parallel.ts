import { PalpableError } from './errors.js';
import { type CancelSignal, throwIfCancelled } from './progress.js';

/**
 * Work in many pieces on many cores, without knowing what a core is: the host (Node's worker threads, the browser's
 * workers) hands in ports, the engine hands in jobs. Pieces are handed out one at a time, results come back in the order
 * of the pieces, so that the outcome does not depend on the number of workers or on their speed.
 */

/** One end of a channel to a worker, or, inside the worker, to whoever started it. */
export interface WorkerPort {
  /** Sends a message and hands over the listed buffers. */
  post(message: unknown, transfer: ArrayBuffer[]): void;
  /** Sets the listener for messages of the worker. */
  onMessage(listener: (message: unknown) => void): void;
  /** Sets the listener for a worker that fails. */
  onError(listener: (error: Error) => void): void;
  /** Ends the worker at once. */
  terminate(): void;
}

/** What the host of the engine provides to use more than one core. */
export interface WorkerHost {
  /** How many workers to use, at least 1. */
  readonly size: number;
  /** Starts one more worker. */
  spawn(): WorkerPort;
}

/** A kind of work: `open` once per worker with what all pieces share, `run` once per piece. */
export interface Job<Context, Piece, Result> {
  readonly name: string;
  /** Prepares the context once per worker and returns the function that handles each piece. */
  open(context: Context): (piece: Piece) => Result;
  /** Buffers of a result that may be moved instead of copied. */
  transfer(result: Result): ArrayBuffer[];
}

/** A job of any types, for lists of jobs that are picked by name. */
// biome-ignore lint/suspicious/noExplicitAny: a list of jobs with different types, distinguished by name at run time.
export type AnyJob = Job<any, any, any>;

type ToWorker = { kind: 'open'; job: string; context: unknown } | { kind: 'run'; index: number; piece: unknown };
type FromWorker =
  | { kind: 'ready' }
  | { kind: 'result'; index: number; result: unknown }
  | { kind: 'failed'; message: string };

/** The worker's side: answers the messages of a `JobPool` until the worker ends. */
export function serveJobs(port: WorkerPort, jobs: readonly AnyJob[]): void {
  let job: AnyJob | undefined;
  let run: ((piece: unknown) => unknown) | undefined;
  port.onMessage((raw) => {
    const message = raw as ToWorker;
    try {
      if (message.kind === 'open') {
        job = jobs.find((candidate) => candidate.name === message.job);
        if (!job) throw new Error(`This worker does not know the job "${message.job}".`);
        run = job.open(message.context);
        port.post({ kind: 'ready' } satisfies FromWorker, []);
      } else {
        const result = run!(message.piece);
        port.post({ kind: 'result', index: message.index, result } satisfies FromWorker, job!.transfer(result));
      }
    } catch (error) {
      port.post({ kind: 'failed', message: String((error as Error).stack ?? error) } satisfies FromWorker, []);
    }
  });
}

export interface RunHooks {
  /** Called after each finished piece. */
  readonly onPiece?: (finished: number, total: number) => void;
  readonly signal?: CancelSignal | undefined;
}

/** Workers that live as long as one build. Without a host every piece runs on the calling thread. */
export class JobPool {
  private readonly ports: WorkerPort[] = [];
  private readonly host: WorkerHost | undefined;

  constructor(host: WorkerHost | undefined) {
    this.host = host;
  }

  /** Runs all pieces and gives their results in the order of the pieces. */
  run<C, P, R>(job: Job<C, P, R>, context: C, pieces: readonly P[], hooks: RunHooks = {}): Promise<R[]> {
    throwIfCancelled(hooks.signal);
    if (pieces.length === 0) return Promise.resolve([]);
    return this.host ? this.runOnWorkers(job, context, pieces, hooks) : this.runHere(job, context, pieces, hooks);
  }

  /** Terminates all workers. */
  close(): void {
    for (const port of this.ports) port.terminate();
    this.ports.length = 0;
  }

  private async runHere<C, P, R>(job: Job<C, P, R>, context: C, pieces: readonly P[], hooks: RunHooks): Promise<R[]> {
    const run = job.open(context);
    const results: R[] = [];
    for (const piece of pieces) {
      throwIfCancelled(hooks.signal);
      results.push(run(piece));
      hooks.onPiece?.(results.length, pieces.length);
    }
    return results;
  }

  private runOnWorkers<C, P, R>(job: Job<C, P, R>, context: C, pieces: readonly P[], hooks: RunHooks): Promise<R[]> {
    const wanted = Math.max(1, Math.min(this.host!.size, pieces.length));
    while (this.ports.length < wanted) this.ports.push(this.host!.spawn());
    const results = new Array<R>(pieces.length);
    let next = 0;
    let finished = 0;
    return new Promise<R[]>((resolve, reject) => {
      const fail = (error: unknown) => {
        this.close();
        reject(error);
      };
      const giveWork = (port: WorkerPort) => {
        if (next < pieces.length) {
          port.post({ kind: 'run', index: next, piece: pieces[next] } satisfies ToWorker, []);
          next += 1;
        }
      };
      const receive = (port: WorkerPort, message: FromWorker) => {
        try {
          throwIfCancelled(hooks.signal);
          if (message.kind === 'failed')
            throw new PalpableError('worker-failed', `A worker failed: ${message.message}`);
          if (message.kind === 'result') {
            results[message.index] = message.result as R;
            finished += 1;
            hooks.onPiece?.(finished, pieces.length);
            if (finished === pieces.length) return resolve(results);
          }
          giveWork(port);
        } catch (error) {
          fail(error);
        }
      };
      for (const port of this.ports) {
        port.onMessage((message) => receive(port, message as FromWorker));
        port.onError((error) => fail(new PalpableError('worker-failed', `A worker ended early: ${error.message}`)));
        port.post({ kind: 'open', job: job.name, context } satisfies ToWorker, []);
      }
    });
  }
}

/** The same numbers in memory that workers can see without a copy, where the host allows that. */
export function shareable<T extends Float64Array | Float32Array | Int32Array | Uint32Array>(array: T): T {
  if (typeof SharedArrayBuffer === 'undefined' || array.buffer instanceof SharedArrayBuffer) return array;
  const Type = array.constructor as new (buffer: SharedArrayBuffer) => T;
  const shared = new Type(new SharedArrayBuffer(array.byteLength));
  shared.set(array);
  return shared;
}
