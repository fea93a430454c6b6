/** The page's side of the contact thread: poses in, frames out, whichever way they travel. */
import { type ContactFrame, createSharedMemory, FrameNumber, openPageEnd, viewFrame } from './contact-channel.js';
import type { ContactSetup, FromContactThread, ToContactThread } from './contact-messages.js';

/** How long a picture may wait for the contacts of its pose, milliseconds. */
const LONGEST_COLLECT_MS = 1;

export interface ContactClient {
  /** How poses and frames travel. */
  readonly transport: 'shared memory' | 'messages';
  sendPose(pose: Float64Array): void;
  /**
   * Hands over the answer to the newest pose, if it is there or comes within a moment. Called before a picture is drawn:
   * poses are sent right before, and an answer takes a fraction of a millisecond, so that the picture shows the contacts
   * of its own pose and need not be drawn twice.
   */
  collect(): void;
  close(): void;
}

export interface ContactListener {
  /** The frame is good until the next one comes. */
  onFrame(frame: ContactFrame): void;
  onLost(message: string): void;
}

export function createContactClient(setup: Omit<ContactSetup, 'memory'>, listener: ContactListener): ContactClient {
  const { maxContacts } = setup;
  const memory = globalThis.crossOriginIsolated ? createSharedMemory(maxContacts) : undefined;
  const end = memory && openPageEnd(memory, maxContacts);
  const worker = new Worker(new URL('./contact-worker.ts', import.meta.url), { type: 'module', name: 'contacts' });
  const send = (message: ToContactThread) => worker.postMessage(message);
  let sent = 0;
  let answered = 0;

  const hand = (frame: ContactFrame | undefined) => {
    if (!frame) return;
    answered = frame.numbers[FrameNumber.pose]!;
    listener.onFrame(frame);
  };
  const lose = (message: string) => {
    worker.terminate();
    listener.onLost(message);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    lose(event.message || 'its script could not be loaded');
  };
  worker.onmessage = ({ data }: MessageEvent<FromContactThread>) => {
    if (data.kind === 'failed') return lose(data.message);
    hand(data.kind === 'frame' ? viewFrame(data.buffer, 0, maxContacts) : end?.takeFrame());
  };
  send({ kind: 'setup', setup: { ...setup, memory } });

  return {
    transport: end ? 'shared memory' : 'messages',
    sendPose(pose) {
      sent += 1;
      if (end) end.sendPose(pose);
      else send({ kind: 'pose', pose: pose.slice(), count: sent });
    },
    collect() {
      const latest = performance.now() + LONGEST_COLLECT_MS;
      while (end && answered < sent && performance.now() < latest) hand(end.takeFrame());
    },
    close: () => worker.terminate(),
  };
}
