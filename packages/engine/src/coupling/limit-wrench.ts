/** The most force (N) and torque (N m) that a device may be asked for. */
export interface WrenchLimits {
  /** N */
  readonly force: number;
  /** N m */
  readonly torque: number;
}

/** With how fast it may change; what is not given is not limited. */
export interface SlewLimits extends Partial<WrenchLimits> {
  /** N/s */
  readonly forceRate?: number;
  /** N m/s */
  readonly torqueRate?: number;
}

/**
 * Scales force and torque back to what the device may be asked for, keeping their directions; a wrench that is not
 * finite becomes zero. True if anything had to be changed.
 */
export function limitWrench(wrench: Float64Array, limits: WrenchLimits): boolean {
  const forceChanged = limitVector(wrench, 0, limits);
  const torqueChanged = limitVector(wrench, 3, limits);
  return forceChanged || torqueChanged;
}

/** Limits of size and rate, with the wrench that was let through last. */
export interface WrenchLimiter {
  /** Most force, N. */
  readonly force: number;
  /** Most torque, N m. */
  readonly torque: number;
  /** Largest change from one cycle to the next, N and N m. */
  readonly forceStep: number;
  readonly torqueStep: number;
  /** N and N m. Starts at zero: the first contact, too, comes no faster than the rate. */
  readonly last: Float64Array;
}

export function createWrenchLimiter(limits: SlewLimits, timeStep: number): WrenchLimiter {
  const { force = INFINITE, torque = INFINITE, forceRate = INFINITE, torqueRate = INFINITE } = limits;
  return {
    force,
    torque,
    forceStep: forceRate * timeStep,
    torqueStep: torqueRate * timeStep,
    last: new Float64Array(6),
  };
}

/**
 * `limitWrench`, and then no further from the last wrench than the rates allow. Both last and wanted wrench are within
 * the limits of size, hence whatever lies between them is so, too. A wrench that is not finite goes to zero at the rate.
 */
export function limitWrenchAndRate(limiter: WrenchLimiter, wrench: Float64Array): boolean {
  const sizeChanged = limitWrench(wrench, limiter);
  const forceChanged = limitStep(limiter, wrench, 0);
  const torqueChanged = limitStep(limiter, wrench, 3);
  limiter.last.set(wrench);
  return sizeChanged || forceChanged || torqueChanged;
}

/** Whether all six numbers are; no sum of wrenches that a hand could feel overflows. */
export function isFiniteWrench(wrench: Float64Array): boolean {
  const sum = wrench[0] + wrench[1] + wrench[2] + wrench[3] + wrench[4] + wrench[5];
  return sum - sum === 0;
}

const INFINITE = Number.POSITIVE_INFINITY;
/** Rounding must not push a shortened vector over its limit again. */
const JUST_BELOW = 1 - 4 * Number.EPSILON;

/** Takes all limits, as one that is handed over as a number would be allocated. */
function limitVector(wrench: Float64Array, at: number, limits: WrenchLimits): boolean {
  const limit = at === 0 ? limits.force : limits.torque;
  const x = wrench[at];
  const y = wrench[at + 1];
  const z = wrench[at + 2];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length <= limit && length < INFINITE) return false;
  // Not finite, or so long that its square is not: there is no direction to keep.
  const scale = length < INFINITE ? (limit / length) * JUST_BELOW : 0;
  wrench[at] = scale === 0 ? 0 : x * scale;
  wrench[at + 1] = scale === 0 ? 0 : y * scale;
  wrench[at + 2] = scale === 0 ? 0 : z * scale;
  return true;
}

function limitStep(limiter: WrenchLimiter, wrench: Float64Array, at: number): boolean {
  const { last } = limiter;
  const step = at === 0 ? limiter.forceStep : limiter.torqueStep;
  const dx = wrench[at] - last[at];
  const dy = wrench[at + 1] - last[at + 1];
  const dz = wrench[at + 2] - last[at + 2];
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (length <= step) return false;
  const scale = (step / length) * JUST_BELOW;
  wrench[at] = last[at] + dx * scale;
  wrench[at + 1] = last[at + 1] + dy * scale;
  wrench[at + 2] = last[at + 2] + dz * scale;
  return true;
}
