import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PalpableError } from '@palpable/engine';
import { type StepResult, type StepTessellation, stepParameters } from '@palpable/engine/advanced';
import type { StepRequest } from './step-child.js';

export interface StepLimits {
  /** Longest time for one file, seconds. Default 120. */
  readonly timeLimit?: number;
  /** Most memory of the CAD kernel, MiB. Default 1024. */
  readonly memoryLimitMiB?: number;
}

/** Pages of WebAssembly memory, in which the kernel lives, per MiB. */
const PAGES_PER_MIB = 16;

/**
 * Runs the CAD kernel in a process of its own, which can be ended: a damaged STEP file may keep the kernel busy for ever,
 * crash it, or fill its memory. The process serves one file after the other and is replaced after an accident.
 */
export class StepProcess {
  private readonly timeLimit: number;
  private readonly memoryLimitMiB: number;
  private child: ChildProcess | undefined;
  private busy: Promise<unknown> = Promise.resolve();

  constructor(limits: StepLimits = {}) {
    this.timeLimit = checkLimit('time', limits.timeLimit ?? 120);
    this.memoryLimitMiB = checkLimit('memory', limits.memoryLimitMiB ?? 1024);
  }

  /** Reads one file; requests wait for each other. An aborted signal ends the process. */
  read(bytes: Uint8Array, tessellation: StepTessellation, signal?: AbortSignal): Promise<StepResult> {
    const request: StepRequest = { bytes, parameters: stepParameters(tessellation) };
    const result = this.busy.then(() => this.exchange(request, signal));
    this.busy = result.catch(() => undefined);
    return result;
  }

  /** Ends the process. */
  close(): void {
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }

  private exchange(request: StepRequest, signal: AbortSignal | undefined): Promise<StepResult> {
    if (signal?.aborted) return Promise.reject(cancelled());
    const child = this.child ?? this.start();
    this.child = child;
    return new Promise<StepResult>((resolve, reject) => {
      const timer = setTimeout(() => fail(this.tooSlow()), this.timeLimit * 1000);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        child.removeAllListeners();
        // A broken pipe shows here after the process has gone; by then the request has been answered.
        child.on('error', () => undefined);
      };
      const fail = (error: PalpableError) => {
        settle();
        this.close();
        reject(error);
      };
      const cancel = () => fail(cancelled());
      signal?.addEventListener('abort', cancel);
      child.once('message', (result) => {
        settle();
        resolve(result as StepResult);
      });
      child.once('exit', () => fail(this.crashed()));
      child.once('error', () => fail(this.crashed()));
      child.send(request);
    });
  }

  private start(): ChildProcess {
    return fork(fileURLToPath(new URL('./step-child.js', import.meta.url)), [], {
      execArgv: [
        `--max-old-space-size=${this.memoryLimitMiB}`,
        `--wasm-max-mem-pages=${Math.round(this.memoryLimitMiB * PAGES_PER_MIB)}`,
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  }

  private tooSlow(): PalpableError {
    const message = `The CAD kernel did not finish within ${this.timeLimit} s; the file is damaged or very large: allow more time, a coarser tolerance, or export STL.`;
    return new PalpableError('too-large', message);
  }

  private crashed(): PalpableError {
    const message = `The CAD kernel crashed on this STEP file or needed more than ${this.memoryLimitMiB} MiB; repair the file, allow more memory, or export STL.`;
    return new PalpableError('format-invalid', message);
  }
}

function cancelled(): PalpableError {
  return new PalpableError('cancelled', 'The work was cancelled before the STEP file was read.');
}

function checkLimit(name: string, value: number): number {
  if (value > 0 && Number.isFinite(value)) return value;
  throw new PalpableError('option-invalid', `The ${name} limit for STEP files is ${value}; give a number above 0.`);
}
