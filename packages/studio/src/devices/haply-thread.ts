/** The page's side of the thread of the Haply connection. */
import type { HaplyOptions, HaplyThread } from './haply.js';
import type { FromHaply, ToHaply } from './haply-messages.js';

/** What is used of a worker. */
export interface HaplyWorker {
  onmessage: ((event: { readonly data: FromHaply }) => void) | null;
  onerror: ((event: { readonly message: string; preventDefault(): void }) => void) | null;
  postMessage(message: ToHaply): void;
  terminate(): void;
}

type Events = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

/** The last that a page hears before it and its threads are ended or stopped. */
const LAST_SIGNS = ['pagehide', 'freeze'] as const;
/** `freeze` is an event of the document. */
const CAPTURE = { capture: true };

export const startHaplyThread: HaplyOptions['startThread'] = (onNews, onFailure) =>
  createHaplyThread(
    new Worker(new URL('./haply-worker.ts', import.meta.url), { type: 'module', name: 'haply' }) as HaplyWorker,
    globalThis.window,
    onNews,
    onFailure,
  );

export function createHaplyThread(
  worker: HaplyWorker,
  events: Events,
  onNews: (news: FromHaply) => void,
  onFailure: (message: string) => void,
): HaplyThread {
  worker.onmessage = ({ data }) => onNews(data);
  worker.onerror = (event) => {
    event.preventDefault();
    onFailure(event.message || 'its script could not be loaded');
  };
  // Fading takes longer than a thread has that ends with its page.
  const letGo = () => worker.postMessage({ kind: 'let-go' });
  for (const sign of LAST_SIGNS) events.addEventListener(sign, letGo, CAPTURE);
  return {
    post: (message) => worker.postMessage(message),
    terminate() {
      for (const sign of LAST_SIGNS) events.removeEventListener(sign, letGo, CAPTURE);
      worker.terminate();
    },
  };
}
