/**
 * `window.palpable`: what tests, scripts and curious people can ask the page. Documented in docs/studio.md.
 */
export interface StudioSnapshot {
  readonly phase: string;
  readonly trouble: string | undefined;
  /** x, y, z, then the quaternion x, y, z, w; world frame of the tool's mesh. */
  readonly toolPose: readonly number[];
  /** World pose (m, quaternion) where mouse, keys and other devices have put it; the tool may be held elsewhere. */
  readonly devicePose: readonly number[];
  /** Undefined while no loop runs. */
  readonly loop: LoopSnapshot | undefined;
  /** Undefined where all bodies are rigid. */
  readonly shape: ShapeSnapshot | undefined;
  readonly contacts: number;
  readonly deepest: number;
  /** How many poses were sent and how many were answered. Equal: the numbers above belong to the pose. */
  readonly posesSent: number;
  readonly posesAnswered: number;
  /** Frames drawn since the page was opened. */
  readonly picturesDrawn: number;
  readonly transport: string | undefined;
  /** Of the gallery, or made up for a scene of one's own. */
  readonly sceneId: string;
  /** Of the tool, and of all others together: built as soon as one of them was. */
  readonly origin: Readonly<Record<string, string>>;
  readonly shellPoints: number;
}

/** Bodies that bend, as they are drawn. */
export interface ShapeSnapshot {
  /** Farthest that a vertex is from where it was at rest, m. */
  readonly displacement: number;
  /** The largest stress, and the one that has the strongest colour, Pa. */
  readonly stress: number;
  readonly stressTop: number;
  /** Contacts in the image of the Delassus operator. */
  readonly couplings: number;
}

export interface LoopSnapshot {
  /** Done and left out since the loop started. */
  readonly cycles: number;
  readonly missed: number;
  /** N and N m, as given to the hand. */
  readonly force: number;
  readonly torque: number;
  /** Between the centres of tool and device, m. */
  readonly gap: number;
  /** World pose (m, quaternion) where the loop has the device, which follows where it was put. */
  readonly devicePose: readonly number[];
  readonly method: string;
  readonly friction: number;
  readonly isPaused: boolean;
  /** Whether the emergency stop was hit and not released yet. */
  readonly isStopped: boolean;
  /** Whether the loop has missed its cycles for 50 ms or more; force and torque are then 0. */
  readonly isSilent: boolean;
  /** New contact models in a second, of `modular` and `deformable`; 0 with other methods. */
  readonly contactRate: number;
}

export interface StudioHook {
  /** Settled when the tool can touch for the first time. */
  readonly ready: Promise<void>;
  state(): StudioSnapshot;
  /** Puts the device there; the tool follows as far as it can. */
  setToolPose(pose: readonly number[]): void;
}

declare global {
  interface Window {
    palpable?: StudioHook;
  }
}
