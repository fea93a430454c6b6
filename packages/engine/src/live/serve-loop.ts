import type { PreparedBody } from '../asset/prepared-body.js';
import type { WorkspaceOptions } from '../device/workspace.js';
import type { Clock } from '../method/method.js';
import type { ContactThreadMemory } from './contact-thread-memory.js';
import { type LiveMemory, runLiveLoop } from './live-loop.js';
import { createLiveSession, type LiveEvent, type LiveOptions, type LiveSession } from './live-session.js';
import { type LoopDevice, openLoopDevice } from './loop-device.js';
import { createPacer } from './pacer.js';

/** All that the thread of a loop is given to start with. It can be sent to a worker. */
export interface LoopSetup {
  /** What the scene file holds, and its bodies. */
  readonly scene: unknown;
  readonly bodies: ReadonlyMap<string, PreparedBody>;
  readonly hands: readonly LoopHand[];
  readonly memory: LiveMemory;
  readonly options: Omit<LiveOptions, 'clock' | 'contacts'>;
  /** Shared with the contact thread that the host runs beside the loop; without it contacts are found in the loop. */
  readonly contacts?: ContactThreadMemory;
}

export interface LoopHand {
  readonly tool: string;
  readonly device: LoopDevice;
  readonly workspace: Partial<WorkspaceOptions> | null;
}

/** What the thread of a loop says while it runs. */
export type FromLoop =
  | { readonly kind: 'ready' }
  | { readonly kind: 'event'; readonly event: LiveEvent }
  | { readonly kind: 'ended'; readonly end: 'stop' | 'listen' }
  | { readonly kind: 'failed'; readonly message: string };

/** What the host of a loop provides: Node and the page differ in nothing else. */
export interface LoopHost {
  /** Milliseconds. */
  readonly clock: Clock;
  tell(message: FromLoop): void;
}

/** Runs a scene until it is told to stop, or to listen for the next one. Called once per setup that arrives. */
export function serveLoop(setup: LoopSetup, { clock, tell }: LoopHost): void {
  try {
    const session = openSession(setup, clock);
    tell({ kind: 'ready' });
    const pacer = createPacer(session.scene.timeStep, clock);
    const end = runLiveLoop(session, pacer, setup.memory, (event) => tell({ kind: 'event', event }));
    tell({ kind: 'ended', end });
  } catch (error) {
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

/** The session of a setup, for hosts that step it themselves. */
export function openSession({ scene, bodies, hands, options, contacts }: LoopSetup, clock?: Clock): LiveSession {
  const { timeStep = 0.001 } = scene as { timeStep?: number };
  const devices = hands.map(({ tool, device, workspace }) => ({
    tool,
    device: openLoopDevice(device, workspace, timeStep),
    workspaceScale: workspace?.scale ?? 1,
  }));
  return createLiveSession(scene, bodies, devices, {
    ...options,
    ...(clock && { clock }),
    ...(contacts && { contacts }),
  });
}
