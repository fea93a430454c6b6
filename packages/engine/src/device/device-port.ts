import {
  createTripleReader,
  createTripleWriter,
  hasNewBlock,
  resetTripleBuffer,
  type TripleReader,
  type TripleWriter,
} from '../base/triple-buffer.js';
import { copyPose, type Pose } from '../math/pose.js';
import type { Device, DeviceLimits } from './device.js';

/**
 * A device whose connection lives in another thread than the loop: a network socket, or anything in a page. Poses go in
 * through shared memory and wrenches out; nobody waits.
 */
export interface PortMemory {
  readonly memory: SharedArrayBuffer;
}

/** The end of a device port at the connection. */
export interface PortHost {
  /** A new pose in the device's own frame (m, quaternion x, y, z, w); one bit per button that is held down. */
  putPose(pose: ArrayLike<number>, buttons: number): void;
  /**
   * Writes what the device is to give now: force (N) and torque (N m) in its own frame. `nowMs` is a clock that runs
   * on while the loop stands still: the wrench of a loop that has not written for 8 ms is faded, to zero at 16 ms.
   * Call it at least every 4 ms, so that the hand feels nothing 20 ms after the loop stopped.
   */
  takeWrench(out: Float64Array, nowMs: number): void;
  /**
   * For a connection that follows the loop's pace. Null when there is a wrench that has not been taken yet; else a
   * promise that resolves as soon as the loop writes one, or after `timeoutMs`. Where a thread cannot be woken
   * (`Atomics.waitAsync` is missing) it never resolves: the caller needs its own timer.
   */
  awaitWrench(timeoutMs: number): Promise<unknown> | null;
  /** Whether the loop has written within the last 8 ms, by the last call of `takeWrench`. */
  readonly isLoopAlive: boolean;
}

const POSE_SLOT = 0;
const WRENCH_SLOT = 1;
/** How long the force takes to fall once the port is halted, milliseconds; 0 while it is not. */
const HALT_CELL = 6;
const HEAD_BYTES = 32;
/** Seven of the pose, and the buttons. */
const POSE_NUMBERS = 8;
const WRENCH_NUMBERS = 6;
const BLOCKS = [0, 1, 2];
const NEVER = new Promise<never>(() => {});

/** Milliseconds without news from the loop after which its wrench begins to fade, and after which it is gone. */
const FADE_FROM_MS = 8;
const FADE_TO_MS = 16;

/** The part of a wrench that a port still gives so long after it was written. */
export function portFade(silenceMs: number): number {
  return Math.min(1, Math.max(0, (FADE_TO_MS - silenceMs) / (FADE_TO_MS - FADE_FROM_MS)));
}

/**
 * Asks the connection to let go, from any thread and whatever the loop does: the wrench of that moment falls evenly to
 * zero within `fadeMs` milliseconds and stays there. There is no return: a connection that ends gets a new port.
 */
export function haltPort({ memory }: PortMemory, fadeMs: number): void {
  Atomics.compareExchange(headOf(memory), HALT_CELL, 0, Math.max(1, Math.ceil(fadeMs)));
}

/** How long the force of a halted port takes to fall, milliseconds; 0 while nobody has halted it. */
export function portHaltFade({ memory }: PortMemory): number {
  return Atomics.load(headOf(memory), HALT_CELL);
}

/** Allocates the shared memory of one device port: poses in, wrenches out. */
export function createPortMemory(): PortMemory {
  const memory = new SharedArrayBuffer(HEAD_BYTES + 3 * 8 * (POSE_NUMBERS + WRENCH_NUMBERS));
  const head = headOf(memory);
  resetTripleBuffer(head, POSE_SLOT);
  resetTripleBuffer(head, WRENCH_SLOT);
  return { memory };
}

/** The loop's end of a device port. `silentAfter` (s) as in `Device`. */
export function openPortDevice({ memory }: PortMemory, limits: DeviceLimits, silentAfter?: number): Device {
  const head = headOf(memory);
  const poses: TripleReader<Float64Array> = createTripleReader(head, POSE_SLOT, poseBlocks(memory));
  const wrenches: TripleWriter<Float64Array> = createTripleWriter(head, WRENCH_SLOT, wrenchBlocks(memory));
  const device = {
    limits,
    buttons: 0,
    ...(silentAfter !== undefined && { silentAfter }),
    read(out: Pose): boolean {
      if (!poses.take()) return false;
      const { block } = poses;
      copyPose(out, 0, block, 0);
      device.buttons = block[7];
      return true;
    },
    write(wrench: Float64Array): void {
      const { block } = wrenches;
      for (let k = 0; k < WRENCH_NUMBERS; k += 1) block[k] = wrench[k];
      wrenches.publish();
      Atomics.notify(head, WRENCH_SLOT);
    },
  };
  return device;
}

/** Opens the side of the thread that owns the device's connection: it writes poses and reads wrenches. */
export function openPortHost({ memory }: PortMemory): PortHost {
  const head = headOf(memory);
  const poses = createTripleWriter(head, POSE_SLOT, poseBlocks(memory));
  const wrenches = createTripleReader(head, WRENCH_SLOT, wrenchBlocks(memory));
  let heardMs = Number.NEGATIVE_INFINITY;
  let silenceMs = Number.POSITIVE_INFINITY;
  /** What was given last; once the port is halted, what is given less and less of. */
  const given = new Float64Array(WRENCH_NUMBERS);
  let haltedMs = Number.NaN;
  const letGo = (out: Float64Array, nowMs: number, fadeMs: number) => {
    if (Number.isNaN(haltedMs)) haltedMs = nowMs;
    const part = Math.max(0, 1 - (nowMs - haltedMs) / fadeMs);
    for (let k = 0; k < WRENCH_NUMBERS; k += 1) out[k] = part === 0 ? 0 : part * given[k];
  };
  return {
    get isLoopAlive() {
      return silenceMs <= FADE_FROM_MS;
    },
    putPose(pose, buttons) {
      const { block } = poses;
      for (let k = 0; k < 7; k += 1) block[k] = pose[k];
      block[7] = buttons;
      poses.publish();
    },
    awaitWrench(timeoutMs) {
      // What is written after this line changes the cell, and so ends the wait before it begins.
      const cell = Atomics.load(head, WRENCH_SLOT);
      if (hasNewBlock(head, WRENCH_SLOT)) return null;
      if (Atomics.waitAsync === undefined) return NEVER;
      return Promise.resolve(Atomics.waitAsync(head, WRENCH_SLOT, cell, timeoutMs).value);
    },
    takeWrench(out, nowMs) {
      if (wrenches.take()) heardMs = nowMs;
      silenceMs = nowMs - heardMs;
      const fadeMs = portHaltFade({ memory });
      if (fadeMs > 0) return letGo(out, nowMs, fadeMs);
      const part = portFade(silenceMs);
      for (let k = 0; k < WRENCH_NUMBERS; k += 1) out[k] = part === 0 ? 0 : part * wrenches.block[k];
      given.set(out);
    },
  };
}

function headOf(memory: SharedArrayBuffer): Int32Array {
  return new Int32Array(memory, 0, HEAD_BYTES / 4);
}

function poseBlocks(memory: SharedArrayBuffer): Float64Array[] {
  return BLOCKS.map((block) => new Float64Array(memory, HEAD_BYTES + 8 * POSE_NUMBERS * block, POSE_NUMBERS));
}

function wrenchBlocks(memory: SharedArrayBuffer): Float64Array[] {
  const start = HEAD_BYTES + 3 * 8 * POSE_NUMBERS;
  return BLOCKS.map((block) => new Float64Array(memory, start + 8 * WRENCH_NUMBERS * block, WRENCH_NUMBERS));
}
