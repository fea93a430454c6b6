import { type LiveEvent, PalpableError } from '@palpable/engine';
import {
  createLoopHeartbeat,
  HEARTBEAT_LOOK_MS,
  openTelemetry,
  TELEMETRY_CYCLES,
  type TripleReader,
} from '@palpable/engine/advanced';
import { settledWithin } from '../parallel/within.js';
import { recordingFormatOf } from '../record/create-recorder.js';
import type { RecordingResult } from '../record/recorder-messages.js';
import { type RunningRecorder, startRecorder } from '../record/start-recorder.js';
import { checkSceneFile } from '../scene/load-scene.js';
import { createClockWatch } from './clock-watch.js';
import { createSetup, type LiveRequest, type OpenedLive, openLive, prepareLiveScene } from './open-live.js';
import { describeRecording } from './recording-options.js';
import { type RunningLoop, startLoop } from './start-loop.js';

export interface ServoRequest extends Omit<LiveRequest, 'record'> {
  /** The file of a recording; undefined for none. */
  readonly record: string | undefined;
  readonly overwrite: boolean;
}

/** A loop that finishes no cycle for so long is given up, ms. */
const LOST_MS = 5000;
/** On a busy machine a loop is late now and then; one line in this time is enough, ms. */
const LOG_EVERY_MS = 5000;
/** How long the end waits for a beginning that is under way, ms. */
const OPENING_MS = 500;
/** From the emergency stop until no force is left on any wire, ms. */
const SUSPEND_MS = 50;
/** Whatever still holds the process after its end is left behind, ms. */
const LEAVE_MS = 500;

/**
 * A loop with all that is connected to it, and the one owner of its end: whatever is opened here is closed by `end`, on
 * every path, first of all what can move a motor.
 */
export class ServoHost {
  /** The newest row of each hand. */
  readonly newest: Float64Array[] = [];
  /** What became of the recording. */
  recorded: RecordingResult | null = null;
  readonly #request: ServoRequest;
  readonly #log: (line: string) => void;
  #opened: OpenedLive | null = null;
  #recorder: RunningRecorder | null = null;
  #loop: RunningLoop | null = null;
  #readers: TripleReader<Float64Array>[] = [];
  #onFailed!: (error: Error) => void;
  /** Rejects with the first thing that goes wrong while it runs. */
  readonly failed = new Promise<never>((_, reject) => {
    this.#onFailed = reject;
  });
  #watching: NodeJS.Timeout | undefined;
  #isBusy = false;
  #opening: Promise<void> = Promise.resolve();
  #ending: Promise<void> | null = null;

  constructor(request: ServoRequest) {
    this.#request = request;
    this.#log = request.onLog;
    this.failed.catch(() => {});
    // A mistake anywhere in this process, in a timer or a promise that nobody waits for.
    process.on('uncaughtException', this.#onCrash);
    process.on('unhandledRejection', this.#onCrash);
    process.on('SIGTSTP', this.#onSuspend);
  }

  get opened(): OpenedLive {
    if (!this.#opened) throw new Error('The scene is not open.');
    return this.#opened;
  }

  get isRecording(): boolean {
    return this.#recorder !== null;
  }

  /** Resolves when the first cycle is about to begin. What fails, or is interrupted, is closed by `end`. */
  open(): Promise<void> {
    const { signal } = this.#request;
    this.#opening = this.#open();
    let onAbort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(new PalpableError('cancelled', 'Interrupted.'));
    });
    signal?.addEventListener('abort', onAbort);
    return Promise.race([this.#opening, this.failed, aborted]).finally(() => {
      signal?.removeEventListener('abort', onAbort);
    });
  }

  async #open(): Promise<void> {
    const { record } = this.#request;
    const format = record === undefined ? null : recordingFormatOf(record);
    this.#opened = await openLive({ ...this.#request, record: record !== undefined });
    const { devices, setup } = this.#opened;
    devices?.failed.catch(this.#onFailed);
    if (this.#ending) return;
    if (record !== undefined && format && setup.memory.rows) {
      this.#recorder = await startRecorder({
        ring: setup.memory.rows,
        path: record,
        format,
        info: describeRecording(record, this.#opened),
        overwrite: this.#request.overwrite,
        onError: ({ message }) => this.#log(message),
      });
    }
    if (this.#ending) return;
    this.#loop = await startLoop(setup, this.#onEvent, this.#log);
    this.#loop.failed.catch(this.#onFailed);
    if (this.#ending) return;
    this.#recorder?.begin(this.#loop.startMs);
    this.#begin();
  }

  /** The newest row of each hand, from the loop. */
  look(): void {
    this.#readers.forEach((reader, hand) => {
      if (reader.take()) this.newest[hand] = reader.block;
    });
  }

  command(command: LiveEvent['command']): Promise<LiveEvent> {
    if (!this.#loop) throw new PalpableError('cancelled', 'The loop has ended.');
    return this.#whileBusy(this.#loop.command(command));
  }

  /** Another scene with the same devices. */
  async load(path: string): Promise<void> {
    const { opened } = this;
    const tools = opened.hands.map(({ hand }) => hand.tool);
    const live = await prepareLiveScene(await checkSceneFile(path), tools, { cache: this.#request.cache });
    const { served } = opened.setup.memory;
    const setup = createSetup(live, opened.hands, { rows: null, served }, this.#request.oneThread);
    opened.devices?.begin(null);
    await this.#whileBusy(this.#loop!.load(setup));
    this.#opened = { ...opened, ...live, setup };
    this.#begin();
  }

  /** Lets go of everything; resolves when files are complete. Rejects with what a device or the recorder failed of. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    clearInterval(this.#watching);
    // At once, and whatever the loop does: the devices fade by themselves.
    this.#opened?.devices?.close().catch(() => {});
    // What is being opened just now is opened to its end, and then closed as well.
    await settledWithin(this.#opening, OPENING_MS);
    const [released] = await Promise.allSettled([this.#opened?.devices?.close(), this.#loop?.stop()]);
    this.look();
    try {
      if (this.#recorder) this.recorded = await this.#recorder.stop();
    } finally {
      process.off('uncaughtException', this.#onCrash);
      process.off('unhandledRejection', this.#onCrash);
      process.off('SIGTSTP', this.#onSuspend);
      setTimeout(() => process.exit(), LEAVE_MS).unref();
    }
    if (released.status === 'rejected') throw released.reason;
  }

  /** Ctrl-Z: a process that stands still can no longer let go, so it does so first. */
  readonly #onSuspend = async () => {
    await this.command({ kind: 'halt' }).catch(() => {});
    this.#log('suspended, without force; once it continues, release restores the force');
    setTimeout(() => process.kill(process.pid, 'SIGSTOP'), SUSPEND_MS);
  };

  readonly #onCrash = (error: unknown) => this.#onFailed(error instanceof Error ? error : new Error(String(error)));

  readonly #onEvent = ({ cycle, command, problem }: LiveEvent) => {
    this.#recorder?.event({ cycle, hand: null, kind: 'command', command, ...(problem !== undefined && { problem }) });
  };

  #begin(): void {
    const { setup, hands, devices } = this.opened;
    this.#readers = hands.map((_, hand) => openTelemetry(setup.memory, hand));
    this.newest.splice(0, Infinity, ...this.#readers.map(({ block }) => block));
    devices?.begin(this.#loop!.startMs);
    clearInterval(this.#watching);
    this.#watching = this.#watch();
  }

  /** What takes the loop long without being its fault: a method that is built, a scene that is left. */
  async #whileBusy<T>(work: Promise<T>): Promise<T> {
    this.#isBusy = true;
    try {
      return await work;
    } finally {
      this.#isBusy = false;
    }
  }

  /** A loop that stands still, and a clock that was set. */
  #watch(): NodeJS.Timeout {
    const heartbeat = createLoopHeartbeat(LOST_MS);
    const clock = createClockWatch(
      () => performance.now(),
      () => Date.now(),
    );
    let loggedMs = Number.NEGATIVE_INFINITY;
    return setInterval(() => {
      const nowMs = performance.now();
      this.look();
      const cycles = this.newest[0]?.[TELEMETRY_CYCLES] ?? 0;
      const jump = clock.look();
      if (jump !== 0) this.#noteJump(jump, cycles);
      // Before the first cycle there is nothing that could be late.
      if (cycles === 0) return;
      const beat = heartbeat.look(cycles, nowMs, this.#isBusy);
      if (beat === 'stuck') {
        const why = `it finished no cycle for ${LOST_MS / 1000} s`;
        this.#onFailed(new PalpableError('worker-failed', `The loop was lost: ${why}. The force was removed.`));
      } else if (beat === 'silent' && !this.#isBusy && nowMs - loggedMs > LOG_EVERY_MS) {
        loggedMs = nowMs;
        this.#log('the loop stands still; the force is removed until it continues');
      }
    }, HEARTBEAT_LOOK_MS);
  }

  #noteJump(seconds: number, cycle: number): void {
    this.#recorder?.event({ cycle, hand: null, kind: 'clock-jumped', seconds });
    this.#log(`the clock of this machine was set by ${seconds.toFixed(3)} s; recorded times continue as they began`);
  }
}
