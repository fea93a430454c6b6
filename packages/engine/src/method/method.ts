import type { Pose } from '../math/pose.js';
import type { ContactPicture } from './contact-picture.js';

/** What a method hands on in every cycle. Owned by the caller, filled by `Method.step`. */
export interface MethodOutput {
  /** Pose of the tool's body frame in the world. */
  readonly toolPose: Pose;
  /** What the user feels: force (N), then torque (N m) about the tool's centre of mass, world frame. */
  readonly wrench: Float64Array;
  /** Contacts of the tool. */
  contacts: number;
  /** Depth of the deepest contact, metres; 0 without any. */
  maxPenetration: number;
  /** Of the whole tool: one of the `STATE_…` constants. */
  frictionState: number;
  /** Whether this cycle met a cap: bits `CAPPED_…`. */
  capped: number;
  /** Microseconds of each stage and of the whole, in the order of the `STAGE_…` constants; 0 without a clock. */
  readonly stageUs: Float64Array;
}

/** Value of `MethodOutput.frictionState`: no contacts. */
export const STATE_FREE = 0;
/** Value of `MethodOutput.frictionState`: friction holds the tool. */
export const STATE_STICK = 1;
/** Value of `MethodOutput.frictionState`: in contact, and friction does not hold the tool. */
export const STATE_SLIP = 2;

/** Place in `MethodOutput.stageUs`: finding contacts, µs. */
export const STAGE_CONTACT = 0;
/** Place in `MethodOutput.stageUs`: the friction or contact problem, µs. */
export const STAGE_FRICTION = 1;
/**
 * Place in `MethodOutput.stageUs`: what is neither contact nor friction, µs: coupling, sums, the update of the tool.
 */
export const STAGE_METHOD = 2;
/** Place in `MethodOutput.stageUs`: the whole step, µs. */
export const STAGE_TOTAL = 3;

/**
 * Bit of `MethodOutput.capped`: a friction model met its cap on iterations. The lower bits are those of the contact
 * query.
 */
export const CAPPED_ITERATIONS = 4;

/**
 * From the pose of the device to the pose of the tool and the wrench on the hand. One call per cycle; it must not
 * allocate and must not throw.
 */
export interface Method {
  /** One cycle: fills `output` for a device at `devicePose` (world frame; m, quaternion x, y, z, w). */
  step(output: MethodOutput, devicePose: Pose): void;
  /** Places the tool at `pose` and forgets the cycles before. */
  reset(pose: Pose): void;
  /** Shows the contacts of the last cycle. Called when somebody looks; it must not allocate either. */
  draw?(picture: ContactPicture): void;
  /** The contact model that the last step used, of a method with a contact side; see `contact-model-header.ts`. */
  readonly contactModel?: Float64Array;
  /** Goes on from the inner state of the method that was stepped before it, if it knows it. */
  takeOver?(before: Method): void;
  /** The friction or contact problem of the last cycle, as a file that `palpable solve` reads. */
  problemText?(): string;
  /** The Delassus operator of the last cycle; null without contact. */
  readonly delassus?: DelassusOperator | null;
}

/** W of contacts: `blocks` has 3×3 numbers for each pair, row by row, m/N. */
export interface DelassusOperator {
  readonly count: number;
  readonly blocks: Float64Array;
}

/** A clock, such as `() => performance.now()`: milliseconds since any moment. */
export type Clock = () => number;

/** An output for `Method.step` to fill: tool at the origin, no wrench, no contacts. */
export function createMethodOutput(): MethodOutput {
  const toolPose = new Float64Array(7);
  toolPose[6] = 1;
  return {
    toolPose,
    wrench: new Float64Array(6),
    contacts: 0,
    maxPenetration: 0,
    frictionState: STATE_FREE,
    capped: 0,
    stageUs: new Float64Array(4),
  };
}
