/** The page's side of the thread of the levels of detail. */
import type { ConvexHierarchy } from '@palpable/engine/advanced';
import { hearWorker } from './hear-worker.js';

export interface LevelsSetup {
  readonly tool: ConvexHierarchy;
  /** The bodies that the tool may touch, each with its world pose. */
  readonly environments: readonly { readonly hierarchy: ConvexHierarchy; readonly pose: Float64Array }[];
}

/** As in the scene: `method.tolerance`, `method.absoluteTolerance` and `method.distanceTolerance`. */
export interface LevelsSettings {
  readonly tolerance: number;
  readonly absoluteTolerance: number | null;
  readonly distanceTolerance: number;
}

/** Nodes of the hierarchies that contacts were found between, each once, in ascending order. */
export interface ChosenNodes {
  readonly tool: Int32Array;
  /** In the order of the setup. */
  readonly environments: readonly Int32Array[];
}

export type ToLevelsThread =
  | { readonly kind: 'setup'; readonly setup: LevelsSetup }
  | { readonly kind: 'ask'; readonly pose: Float64Array; readonly settings: LevelsSettings };

export type FromLevelsThread = { readonly kind: 'nodes'; readonly nodes: ChosenNodes };

export type LevelsClient = Readonly<ReturnType<typeof createLevelsClient>>;

/** A thread that ends shows nothing more, and nothing else depends on it. */
export function createLevelsClient(setup: LevelsSetup, onNodes: (nodes: ChosenNodes) => void) {
  const worker = new Worker(new URL('./levels-worker.ts', import.meta.url), { type: 'module', name: 'levels' });
  const send = (message: ToLevelsThread) => worker.postMessage(message);
  let isFree = true;
  const hear = ({ nodes }: FromLevelsThread) => {
    isFree = true;
    onNodes(nodes);
  };
  hearWorker(worker, hear, () => {});
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
