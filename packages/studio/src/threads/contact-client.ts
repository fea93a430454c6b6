/** The page's side of the contact thread: poses in, frames out. */
import type { ContactSetup, FromContactThread, ToContactThread } from './contact-frame.js';
import { type ContactFrame, FrameNumber } from './contact-frame.js';
import { hearWorker } from './hear-worker.js';

export type ContactClient = Readonly<ReturnType<typeof createContactClient>>;

export interface ContactListener {
  onFrame(frame: ContactFrame): void;
  onLost(message: string): void;
}

export function createContactClient(setup: ContactSetup, listener: ContactListener) {
  const worker = new Worker(new URL('./contact-worker.ts', import.meta.url), { type: 'module', name: 'contacts' });
  const send = (message: ToContactThread) => worker.postMessage(message);
  const lose = (message: string) => {
    worker.terminate();
    listener.onLost(message);
  };
  let asked = 0;
  let sent = 0;
  let answered = 0;
  /** A slow thread is not sent more than it can answer: the newest pose waits for the answer to the one before. */
  let waiting: Float64Array | undefined;
  const sendNow = (pose: Float64Array) => {
    sent = asked;
    send({ kind: 'pose', pose, count: asked });
  };
  const hear = (data: FromContactThread) => {
    if (data.kind === 'failed') return lose(data.message);
    answered = data.frame.numbers[FrameNumber.pose]!;
    const next = waiting;
    waiting = undefined;
    if (next) sendNow(next);
    listener.onFrame(data.frame);
  };
  hearWorker(worker, hear, lose);
  send({ kind: 'setup', setup });

  return {
    sendPose(pose: Float64Array) {
      asked += 1;
      if (answered < sent) waiting = pose.slice();
      else sendNow(pose.slice());
    },
    close: () => worker.terminate(),
  };
}
