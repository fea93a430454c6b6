import type { DeviceLimits } from '@palpable/engine';

/** How long a force takes to fall at the end, ms: slow enough for a hand, fast enough to be gone within 100 ms. */
const SHORTEST_MS = 20;
const LONGEST_MS = 80;

/** From the full force at the device's own rate, within these bounds. */
export function fadeMsOf({ force, torque, forceRate, torqueRate }: DeviceLimits): number {
  const fullMs = 1000 * Math.max(secondsOf(force, forceRate), secondsOf(torque, torqueRate));
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, fullMs));
}

function secondsOf(most: number, rate: number | undefined): number {
  return rate === undefined || rate === 0 ? 0 : most / rate;
}
