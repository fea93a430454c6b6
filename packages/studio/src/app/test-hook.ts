/**
 * `window.palpable`: what tests, scripts and curious people can ask the page. Documented in docs/studio.md.
 */
export interface StudioSnapshot {
  readonly phase: string;
  readonly trouble: string | undefined;
  /** x, y, z, then the quaternion x, y, z, w; world frame of the tool's mesh. */
  readonly toolPose: readonly number[];
  readonly contacts: number;
  readonly deepest: number;
  /** How many poses were sent and how many were answered. Equal: the numbers above belong to the pose. */
  readonly posesSent: number;
  readonly posesAnswered: number;
  /** Pictures drawn since the page was opened. */
  readonly picturesDrawn: number;
  readonly transport: string | undefined;
  readonly origin: Readonly<Record<string, string>>;
  readonly shellPoints: number;
}

export interface StudioHook {
  /** Settled when the tool can touch for the first time. */
  readonly ready: Promise<void>;
  state(): StudioSnapshot;
  setToolPose(pose: readonly number[]): void;
}

declare global {
  interface Window {
    palpable?: StudioHook;
  }
}
