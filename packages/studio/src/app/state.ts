/** What the page knows, as signals: the panel shows them, the stage follows them. */
import type { DelassusPicture } from '@palpable/engine/advanced';
import { signal } from '@preact/signals';

export type Axis = 'x' | 'y' | 'z';

/** What can be shown on the stage, each with its own switch. */
export const overlays = {
  tool: signal(true),
  environment: signal(true),
  shell: signal(true),
  contacts: signal(true),
  /** Convex pieces at the level of detail that the contacts are found at. */
  levels: signal(true),
  /** Arrows along what pushes the tool out, along friction; cones of what friction can bear. */
  normals: signal(true),
  friction: signal(true),
  cones: signal(false),
  /** Force and torque on the hand. */
  wrench: signal(true),
  /** The device, where the tool cannot follow it. */
  ghost: signal(true),
  /** Colours of what strains bodies that bend. */
  stress: signal(true),
  slice: signal(false),
  /** Take away the part of the environment in front of the slice. */
  cut: signal(true),
} as const;

export type Overlay = keyof typeof overlays;

/** Level of the shell that is shown, and how many points each level ends with. */
export const shellShown = { level: signal(0), levelEnds: signal<readonly number[]>([]) } as const;

/** The largest stress at present, and the one that has the strongest colour, Pa; whether the second follows the first. */
export const stress = { now: signal(0), top: signal(1e6), isFollowing: signal(true) } as const;

/** The newest Delassus operator, and whether it is shown. */
export const delassus = signal<DelassusPicture | undefined>(undefined);
export const isDelassusOpen = signal(true);

export const sliceAt = {
  axis: signal<Axis>('y'),
  /** Where the slice stands on each axis, metres in the world. */
  position: signal<Readonly<Record<Axis, number>>>({ x: 0, y: 0, z: 0.18 }),
  /** How far it can be moved on each axis, metres in the world. */
  range: signal<Readonly<Record<Axis, readonly [number, number]>>>({ x: [-0.4, 0.4], y: [-0.3, 0.3], z: [0, 0.4] }),
} as const;

/** What is in contact. */
export interface ContactReadings {
  readonly contacts: number;
  /** m */
  readonly deepest: number;
  /** There may be more. */
  readonly isCapped: boolean;
}

export interface Readings {
  /** Undefined while neither a loop nor the contact thread runs. */
  readonly found: ContactReadings | undefined;
  /** Time to find them, over the last second. */
  readonly queryP50Us: number | undefined;
  readonly queryP99Us: number | undefined;
  /** Frames drawn in the last second. */
  readonly pictures: number;
}

export const readings = signal<Readings>({
  found: undefined,
  queryP50Us: undefined,
  queryP99Us: undefined,
  pictures: 0,
});

/** What the newest cycle of the loop left. */
export interface LoopReadings {
  /** N and N m, as given to the hand. */
  readonly force: number;
  readonly torque: number;
  /** Between tool and device, m. */
  readonly gap: number;
  readonly friction: 'free' | 'stick' | 'slip';
  /** Undefined until it is known. */
  readonly cyclesPerSecond: number | undefined;
  /** Cycles left out since the start because the loop came late. */
  readonly missed: number;
  /** Given to the hand since the start, J; below 0 the hand gave more than it got. */
  readonly energy: number;
  /** Part of the force that is given, 0 to 1: less after a fault, and while paused. */
  readonly gain: number;
  /** New contact models in a second, of `modular` and `deformable`; 0 with other methods. */
  readonly contactRate: number;
  /** What went wrong since the start, in words. */
  readonly faults: readonly string[];
}

/** Undefined while there is no loop. */
export const loopReadings = signal<LoopReadings | undefined>(undefined);

/** Loops need shared memory, which only an isolated page has. */
export const loopState = signal<'impossible' | 'starting' | 'running' | 'lost'>(
  globalThis.crossOriginIsolated ? 'starting' : 'impossible',
);

/** Whether contacts are found in a thread of their own: a loop that began with `modular` or `deformable` has one. */
export const hasContactThread = signal(false);

/** What a file of the scene would hold now, with all changes since it was opened. */
export const sceneValue = signal<unknown>(undefined);
/** Whether the force was taken away. */
export const isPaused = signal(false);
/** Whether the emergency stop was hit and not released yet. It outlives loops and scenes. */
export const isStopped = signal(false);
/** Whether the loop has missed its cycles for a while, so that there is no force. */
export const isLoopSilent = signal(false);

/** How far one body is. A fraction that is undefined: at work, for an unknown time. */
export interface BodyProgress {
  readonly label: string;
  readonly stage: string;
  readonly fraction: number | undefined;
}

/** Something that went wrong, in words, with what the user can do. */
export interface Trouble {
  readonly title: string;
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export type Phase = 'loading' | 'cancelled' | 'ready' | 'failed';

export const phase = signal<Phase>('loading');
export const progress = signal<readonly BodyProgress[]>([]);
/** True once something has to be built, so that there is something worth cancelling. */
export const isBuilding = signal(false);
export const trouble = signal<Trouble | undefined>(undefined);

/** Lines about how this page runs, for the foot of the panel. */
export const facts = signal<readonly string[]>([]);

export const isToolHeld = signal(false);
export const hasToolMoved = signal(false);
/** What the user should know of how the tool lies in other bodies. */
export const stageWarning = signal<string | undefined>(undefined);
export const isHelpOpen = signal(false);
export const isSheetOpen = signal(false);
