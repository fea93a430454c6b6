/** What the page and the contact thread say to each other. */
import type { DistanceField, PointShell } from '@palpable/engine';
import type { ShellOwner } from '@palpable/engine/advanced';
import type { ContactFrame } from './contact-frame.js';

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
