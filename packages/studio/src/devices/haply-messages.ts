/** What the page and the thread of the Haply connection say to each other. Poses and forces do not go through these. */
import type { DeviceLimits } from '@palpable/engine';
import type { PortMemory } from '@palpable/engine/advanced';

export const HAPLY_URL = 'ws://localhost:10001';

/** The service reports no limit: an Inverse3 is commonly driven with 10 N. It has no motors for torque. */
export const HAPLY_LIMITS: DeviceLimits = { force: 10, torque: 0 };

export type ToHaply =
  | { readonly kind: 'open'; readonly url: string }
  /** The loop's port, and the world pose from which the hand takes the tool along; undefined: the last one. */
  | {
      readonly kind: 'port';
      readonly port: PortMemory;
      readonly pose: readonly number[] | undefined;
      readonly yaw: number;
    }
  | { readonly kind: 'no-port' }
  /** The page is hidden: no force, and the tool stays, until it is shown again. */
  | { readonly kind: 'hold'; readonly isHeld: boolean }
  /** The page is about to be gone, and this thread with it: no force from this moment. */
  | { readonly kind: 'let-go' }
  /** Brings the tool to another place, without force meanwhile. */
  | { readonly kind: 'place'; readonly pose: readonly number[] }
  | { readonly kind: 'close' };

export type FromHaply =
  | {
      readonly kind: 'connected';
      readonly deviceId: string;
      readonly gripId: string | null;
      readonly trouble: string | null;
    }
  /** Why there are neither poses nor forces now, in a sentence; null when all is well again. */
  | { readonly kind: 'trouble'; readonly trouble: string | null; readonly pose: readonly number[] | undefined }
  /** The first attempt came to nothing; there will be no other. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** It was there, and is sought again and again. */
  | { readonly kind: 'lost'; readonly reason: string; readonly pose: readonly number[] | undefined }
  | { readonly kind: 'grip'; readonly gripId: string | null }
  /** In the last second. */
  | { readonly kind: 'rate'; readonly poses: number; readonly forces: number }
  | { readonly kind: 'closed'; readonly pose: readonly number[] | undefined };
