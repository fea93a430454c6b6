/**
 * What travels between the page and the contact thread, and the one place that knows its layout: poses of the tool one
 * way, frames of contacts the other. With shared memory both lie in one buffer; without it a frame is a message that
 * carries a buffer of the same layout.
 */
import {
  createTripleReader,
  createTripleWriter,
  resetTripleBuffer,
  type TripleReader,
  type TripleWriter,
} from '@palpable/engine';

/** The answer to one pose. World frame, metres. */
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
  /** Shell points whose distance was looked up. */
  visited: 2,
  /** 1 when the cap on contacts or on visited points cut the answer short. */
  capped: 3,
  queryUs: 4,
  /** Which pose this answers: they are counted from 1. */
  pose: 5,
} as const;

const FRAME_NUMBERS = 8;
const POSE_NUMBERS = 8;
/** Place of the pose's number behind its seven coordinates. */
const POSE_COUNT = 7;

const WAKE = 0;
const ANNOUNCED = 1;
const POSE_SLOT = 2;
const FRAME_SLOT = 3;
const CONTROL_BYTES = 16;
const BLOCKS = [0, 1, 2];

export function frameBytes(capacity: number): number {
  // Rounded up so that the doubles of the next frame stand on a multiple of eight.
  return FRAME_NUMBERS * 8 + Math.ceil((capacity * 7 * 4) / 8) * 8;
}

export function viewFrame(buffer: ArrayBufferLike, offset: number, capacity: number): ContactFrame {
  const floats = offset + FRAME_NUMBERS * 8;
  return {
    numbers: new Float64Array(buffer, offset, FRAME_NUMBERS),
    position: new Float32Array(buffer, floats, 3 * capacity),
    normal: new Float32Array(buffer, floats + 12 * capacity, 3 * capacity),
    depth: new Float32Array(buffer, floats + 24 * capacity, capacity),
  };
}

/** The page's end of the shared memory. */
export interface PageEnd {
  sendPose(pose: ArrayLike<number>): void;
  /** The newest frame, or undefined when none came since the last time. */
  takeFrame(): ContactFrame | undefined;
}

/** The contact thread's end of the shared memory. */
export interface ThreadEnd {
  /** Sleeps until the page sends a pose; the pose is good until the next call. */
  waitForPose(): { readonly pose: Float64Array; readonly count: number };
  readonly frames: TripleWriter<ContactFrame>;
  /** Gives the frame to the page. True when the page has to be told by a message, since it took all earlier ones. */
  publishFrame(): boolean;
}

export function createSharedMemory(capacity: number): SharedArrayBuffer {
  const bytes = CONTROL_BYTES + 3 * POSE_NUMBERS * 8 + 3 * frameBytes(capacity);
  const memory = new SharedArrayBuffer(bytes);
  const control = controlOf(memory);
  resetTripleBuffer(control, POSE_SLOT);
  resetTripleBuffer(control, FRAME_SLOT);
  return memory;
}

export function openPageEnd(memory: SharedArrayBuffer, capacity: number): PageEnd {
  const control = controlOf(memory);
  const poses = createTripleWriter(control, POSE_SLOT, poseBlocks(memory));
  const frames: TripleReader<ContactFrame> = createTripleReader(control, FRAME_SLOT, frameBlocks(memory, capacity));
  let sent = 0;
  return {
    sendPose(pose) {
      poses.block.set(pose);
      poses.block[POSE_COUNT] = ++sent;
      poses.publish();
      Atomics.add(control, WAKE, 1);
      Atomics.notify(control, WAKE);
    },
    takeFrame() {
      // Cleared first: a frame finished from here on is announced again, so none can be forgotten.
      Atomics.store(control, ANNOUNCED, 0);
      return frames.take() ? frames.block : undefined;
    },
  };
}

export function openThreadEnd(memory: SharedArrayBuffer, capacity: number): ThreadEnd {
  const control = controlOf(memory);
  const poses = createTripleReader(control, POSE_SLOT, poseBlocks(memory));
  const frames = createTripleWriter(control, FRAME_SLOT, frameBlocks(memory, capacity));
  return {
    frames,
    waitForPose() {
      let seen = Atomics.load(control, WAKE);
      while (!poses.take()) {
        Atomics.wait(control, WAKE, seen);
        seen = Atomics.load(control, WAKE);
      }
      return { pose: poses.block.subarray(0, 7), count: poses.block[POSE_COUNT]! };
    },
    publishFrame() {
      frames.publish();
      return Atomics.exchange(control, ANNOUNCED, 1) === 0;
    },
  };
}

function controlOf(memory: SharedArrayBuffer): Int32Array {
  return new Int32Array(memory, 0, CONTROL_BYTES / 4);
}

function poseBlocks(memory: SharedArrayBuffer): Float64Array[] {
  return BLOCKS.map((block) => new Float64Array(memory, CONTROL_BYTES + block * POSE_NUMBERS * 8, POSE_NUMBERS));
}

function frameBlocks(memory: SharedArrayBuffer, capacity: number): ContactFrame[] {
  const start = CONTROL_BYTES + 3 * POSE_NUMBERS * 8;
  return BLOCKS.map((block) => viewFrame(memory, start + block * frameBytes(capacity), capacity));
}
