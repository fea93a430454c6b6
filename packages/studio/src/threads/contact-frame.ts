/** What the contact thread answers to one pose of the tool. World frame, metres. */
export interface ContactFrame {
  readonly numbers: Float64Array;
  readonly position: Float32Array;
  /** Direction that pushes the tool out, unit length. */
  readonly normal: Float32Array;
  readonly depth: Float32Array;
}

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

export function createFrame(contacts: number): ContactFrame {
  return {
    numbers: new Float64Array(FRAME_NUMBERS),
    position: new Float32Array(3 * contacts),
    normal: new Float32Array(3 * contacts),
    depth: new Float32Array(contacts),
  };
}
