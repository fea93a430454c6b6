import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FromPartThread } from './part.js';
import { type ReadProgress, readPart } from './read-part.js';

/** A thread that says what the test lets it say. */
class SilentWorker {
  static newest: SilentWorker;
  onmessage: ((event: { data: FromPartThread }) => void) | undefined;
  onerror: ((event: { message: string; preventDefault: () => void }) => void) | undefined;
  isEnded = false;

  constructor() {
    SilentWorker.newest = this;
  }

  postMessage(): void {}

  terminate(): void {
    this.isEnded = true;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('Worker', SilentWorker);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function begin(signal = new AbortController().signal) {
  const told: ReadProgress[] = [];
  const request = { file: new File(['ISO-10303-21;'], 'part.step'), companions: [] };
  const reading = readPart(request, signal, (progress) => told.push(progress));
  return { reading, told, worker: SilentWorker.newest };
}

describe('readPart', () => {
  it('shows that time passes while the kernel works, and ends it after two minutes', async () => {
    const { reading, told, worker } = begin();
    const refused = expect(reading).rejects.toThrow('part.step: The CAD kernel did not finish within 120 s');
    worker.onmessage!({ data: { kind: 'cutting' } });
    await vi.advanceTimersByTimeAsync(3000);
    expect(told.at(-1)?.stage).toBe('Cutting its solids into triangles, 3 s');
    expect(worker.isEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(117_000);
    await refused;
    expect(worker.isEnded).toBe(true);
  });

  it('ends the thread when the user gives up', async () => {
    const given = new AbortController();
    const { reading, worker } = begin(given.signal);
    const refused = expect(reading).rejects.toMatchObject({ code: 'cancelled' });
    given.abort();
    await refused;
    expect(worker.isEnded).toBe(true);
  });

  it('tells of a thread that died', async () => {
    const { reading, worker } = begin();
    const refused = expect(reading).rejects.toThrow('part.step: The thread that reads it ended (out of memory)');
    worker.onerror!({ message: 'out of memory', preventDefault: () => {} });
    await refused;
  });
});
