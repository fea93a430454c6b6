/**
 * Contact for motors that can only shake: the stronger the force, the stronger the shaking. Motors take a while to
 * follow and drivers choke on too many commands, so that one is given at most every 50 ms; the end of contact is sent
 * at once.
 */
import { PAGE_DEVICE_LIMITS } from './page-device.js';

const SHORTEST_PAUSE_MS = 50;
/** Longer than the pause, so that lasting contact shakes without gaps; short enough to end soon if the page stalls. */
export const RUMBLE_MS = 120;
/** Share of the full force below which the hand is free. */
const FREE_BELOW = 0.01;
/** Force that shakes with full strength, N. */
const FULL_FORCE = PAGE_DEVICE_LIMITS.force;

export function createRumble() {
  let commandedMs = Number.NEGATIVE_INFINITY;
  let isShaking = false;
  return {
    /** Strength to command now, up to 1; 0 to stop; undefined to leave the motors as they are. */
    next(wrench: Float64Array, nowMs: number) {
      const strength = Math.min(1, Math.hypot(...wrench.subarray(0, 3)) / FULL_FORCE);
      if (!(strength >= FREE_BELOW)) {
        if (!isShaking) return undefined;
        isShaking = false;
        return 0;
      }
      if (nowMs - commandedMs < SHORTEST_PAUSE_MS) return undefined;
      commandedMs = nowMs;
      isShaking = true;
      return strength;
    },
  };
}
