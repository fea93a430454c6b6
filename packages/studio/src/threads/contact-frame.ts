/** What the page and the contact thread say to each other. World frame, metres. */
import type { DistanceField, PointShell } from '@palpable/engine';
import type { ShellOwner } from '@palpable/engine/advanced';

/** The answer to one pose of the tool. */
export type ContactFrame = Readonly<ReturnType<typeof createFrame>>;

/** Places in `ContactFrame.numbers`. */
export const FrameNumber = {
  contacts: 0,
  /** Depth of the deepest contact; 0 without any. */
  deepest: 1,
  /** 1 when the cap on contacts or on visited points cut the answer short. */
  capped: 2,
  queryUs: 3,
  /** Which pose this answers: they are counted from 1. */
  pose: 4,
} as const;

const FRAME_NUMBERS = Object.keys(FrameNumber).length;

export function createFrame(contacts: number) {
  return {
    numbers: new Float64Array(FRAME_NUMBERS),
    position: new Float32Array(3 * contacts),
    /** Direction that pushes the tool out, unit length. */
    normal: new Float32Array(3 * contacts),
    depth: new Float32Array(contacts),
  };
}

/** The tool and one of the bodies that stand still. */
export interface SetupPair {
  readonly shell: PointShell;
  readonly field: DistanceField;
  readonly shellOn: ShellOwner;
  /** World frame. */
  readonly environmentPose: Float64Array;
}

export interface ContactSetup {
  readonly pairs: readonly SetupPair[];
  /** Centre of mass of the tool, body frame. */
  readonly toolCentre: readonly [number, number, number];
  readonly maxContacts: number;
}

export type ToContactThread =
  | { readonly kind: 'setup'; readonly setup: ContactSetup }
  | { readonly kind: 'pose'; readonly pose: Float64Array; readonly count: number };

export type FromContactThread =
  | { readonly kind: 'frame'; readonly frame: ContactFrame }
  | { readonly kind: 'failed'; readonly message: string };
