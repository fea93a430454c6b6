import { existsSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wallMs } from './lateness.js';

/** What is to happen, in the thread whose script's name holds `target`. */
export interface FaultOrder {
  readonly id: number;
  /** `loop-worker`, `recorder-worker`, `contact-worker`; `module` is for the device of `fault-module.ts`. */
  readonly target: string;
  readonly action:
    | 'throw'
    | 'exit'
    | 'reject'
    /** For `ms`, or for good. */
    | 'spin'
    /** From now on nothing can be written to a file. */
    | 'disk-full'
    /** In all threads, by `ms`. */
    | 'clock';
  readonly ms?: number;
}

export const FAULT_FOLDER_VARIABLE = 'PALPABLE_FAULTS';
export const ORDER_FILE = 'order.json';
export const LATE_FILE = 'late.log';

/** Reports to whoever ordered it that it happens now. */
export function reportActed(where: string, id: number): void {
  const path = join(where, `acted-${id}`);
  writeFileSync(`${path}.new`, String(wallMs()));
  renameSync(`${path}.new`, path);
}

/** The order in a file, which is taken away; null for none. */
export function takeOrder(path: string): FaultOrder | null {
  if (!existsSync(path)) return null;
  const order = JSON.parse(readFileSync(path, 'utf8')) as FaultOrder;
  unlinkSync(path);
  return order;
}
