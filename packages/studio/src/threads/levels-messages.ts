/** What the page and the thread of the levels of detail say to each other. */
import type { ConvexHierarchy } from '@palpable/engine/advanced';

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
