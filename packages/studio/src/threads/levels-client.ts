/** The page's side of the thread of the levels of detail. */
import type { ChosenNodes, FromLevelsThread, LevelsSettings, LevelsSetup, ToLevelsThread } from './levels-messages.js';

export type LevelsClient = Readonly<ReturnType<typeof createLevelsClient>>;

/** A thread that ends shows nothing more, and nothing else depends on it. */
export function createLevelsClient(setup: LevelsSetup, onNodes: (nodes: ChosenNodes) => void) {
  const worker = new Worker(new URL('./levels-worker.ts', import.meta.url), { type: 'module', name: 'levels' });
  const send = (message: ToLevelsThread) => worker.postMessage(message);
  let isFree = true;
  worker.onerror = (event) => event.preventDefault();
  worker.onmessage = ({ data }: MessageEvent<FromLevelsThread>) => {
    isFree = true;
    onNodes(data.nodes);
  };
  send({ kind: 'setup', setup });
  return {
    /** Whether the last question was answered; another one has to wait until then. */
    get isFree() {
      return isFree;
    },
    ask(pose: Float64Array, settings: LevelsSettings) {
      isFree = false;
      send({ kind: 'ask', pose: pose.slice(), settings });
    },
    close: () => worker.terminate(),
  };
}
