/** What the page and the contact thread say to each other beside the shared memory. */
import type { DistanceField, PointShell, ShellOwner } from '@palpable/engine';

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
  /** Pose of the tool when all starts, world frame. */
  readonly toolPose: Float64Array;
  /** Centre of mass of the tool, body frame. */
  readonly toolCentre: readonly [number, number, number];
  readonly maxContacts: number;
  /** Without it poses and frames travel as messages. */
  readonly memory: SharedArrayBuffer | undefined;
}

export type ToContactThread =
  | { readonly kind: 'setup'; readonly setup: ContactSetup }
  | { readonly kind: 'pose'; readonly pose: Float64Array; readonly count: number };

export type FromContactThread =
  /** A frame lies in the shared memory. */
  | { readonly kind: 'announce' }
  | { readonly kind: 'frame'; readonly buffer: ArrayBuffer }
  | { readonly kind: 'failed'; readonly message: string };
