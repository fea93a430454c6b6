import { availableMemory } from 'node:process';

/** What an elastic body is worked out in, and the copy of it that is written: no more than a part of what is free. */
const SHARE = 0.4;
/** An asset of more than this would take longer to read than to feel. */
const MOST = 1.5e9;

/** Bytes that preparing a body may use. */
export function memoryAtHand(): number {
  return Math.min(MOST, SHARE * availableMemory());
}
