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

/** A tool, the device that moves it and how its workspace lies in the world. */
export interface LoopHand {
  readonly tool: string;
  readonly device: LoopDevice;
  readonly workspace: Partial<WorkspaceOptions> | null;
  /** The device's button, from 0, that is an emergency stop; none unless given. */
  readonly stopButton?: number;
}

/** What the thread of a loop says while it runs. */
export type FromLoop =
  /** The first cycle is about to begin; `startMs` is the wall time of its `time` 0, milliseconds since 1970. */
  | { readonly kind: 'ready'; readonly startMs: number }
  | { readonly kind: 'event'; readonly event: LiveEvent }
  | { readonly kind: 'ended'; readonly end: 'stop' | 'listen' }
  | { readonly kind: 'failed'; readonly message: string };

/** What the host of a loop provides: Node and the page differ in nothing else. */
export interface LoopHost {
  /** Milliseconds. */
  readonly clock: Clock;
  /** Wall time, milliseconds since 1970, in whole ones or finer; only read while a scene starts. */
  readonly wallClock: Clock;
  tell(message: FromLoop): void;
}

/** Runs a scene until it is told to stop, or to listen for the next one. Called once per setup that arrives. */
export function serveLoop(setup: LoopSetup, { clock, wallClock, tell }: LoopHost): void {
  try {
    const session = openSession(setup, clock);
    const ahead = wallTimeAhead(clock, wallClock);
    const pacer = createPacer(session.scene.timeStep, clock);
    tell({ kind: 'ready', startMs: pacer.dueMs + ahead });
    const end = runLiveLoop(session, pacer, setup.memory, (event) => tell({ kind: 'event', event }));
    tell({ kind: 'ended', end });
  } catch (error) {
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * How far the wall clock is ahead of the loop's, milliseconds. One that counts whole milliseconds is read as it changes,
 * between two readings of the loop's clock: if the thread was put to sleep in between, the next change is read instead.
 * The loop keeps the offset for all its life: a wall clock that is set meanwhile moves no cycle.
 */
function wallTimeAhead(clock: Clock, wallClock: Clock): number {
  const since = clock();
  let ahead = Number.NaN;
  let doubtMs = Infinity;
  let before = since;
  let wall = wallClock();
  for (let now = since; now - since < LONGEST_READING_MS && doubtMs > ENOUGH_MS; ) {
    const last = wall;
    wall = wallClock();
    now = clock();
    if ((wall !== last || Number.isNaN(ahead)) && now - before < doubtMs) {
      ahead = wall - now;
      doubtMs = wall === last ? Infinity : now - before;
    }
    before = now;
  }
  return ahead;
}

/** Several ticks of any wall clock, which a browser may coarsen. */
const LONGEST_READING_MS = 60;
/** How closely the two clocks are to be read. */
const ENOUGH_MS = 0.05;

/** The session of a setup, for hosts that step it themselves. */
function openSession({ scene, bodies, hands, options, contacts }: LoopSetup, clock?: Clock): LiveSession {
  const { timeStep = 0.001 } = scene as { timeStep?: number };
  const devices = hands.map(({ tool, device, workspace, stopButton }) => ({
    tool,
    device: openLoopDevice(device, workspace, timeStep),
    workspaceScale: workspace?.scale ?? 1,
    ...(stopButton !== undefined && { stopButton }),
  }));
  return createLiveSession(scene, bodies, devices, {
    ...options,
    ...(clock && { clock }),
    ...(contacts && { contacts }),
  });
}
