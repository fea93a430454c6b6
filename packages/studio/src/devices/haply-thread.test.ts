import { expect, it } from 'vitest';
import type { ToHaply } from './haply-messages.js';
import { createHaplyThread, type HaplyWorker } from './haply-thread.js';

class FakeWorker implements HaplyWorker {
  onmessage: HaplyWorker['onmessage'] = null;
  onerror: HaplyWorker['onerror'] = null;
  readonly posted: ToHaply[] = [];
  isTerminated = false;
  postMessage(message: ToHaply): void {
    this.posted.push(message);
  }
  terminate(): void {
    this.isTerminated = true;
  }
}

it.each(['pagehide', 'freeze'])('is told to let go at %s, before the page is gone', (sign) => {
  const worker = new FakeWorker();
  const events = new EventTarget();
  const thread = createHaplyThread(
    worker,
    events,
    () => {},
    () => {},
  );
  events.dispatchEvent(new Event(sign));
  expect(worker.posted).toEqual([{ kind: 'let-go' }]);
  thread.terminate();
  expect(worker.isTerminated).toBe(true);
  events.dispatchEvent(new Event(sign));
  expect(worker.posted).toHaveLength(1);
});
