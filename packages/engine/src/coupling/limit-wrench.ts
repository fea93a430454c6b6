/** The most that a device may be asked for. */
export interface WrenchLimits {
  /** N */
  readonly force: number;
  /** N m */
  readonly torque: number;
}

/**
 * Scales force and torque back to what the device may be asked for, keeping their directions; a wrench that is not
 * finite becomes zero. True if anything had to be changed.
 */
export function limitWrench(wrench: Float64Array, limits: WrenchLimits): boolean {
  const forceChanged = limitVector(wrench, 0, limits.force);
  const torqueChanged = limitVector(wrench, 3, limits.torque);
  return forceChanged || torqueChanged;
}

function limitVector(wrench: Float64Array, at: number, limit: number): boolean {
  const x = wrench[at];
  const y = wrench[at + 1];
  const z = wrench[at + 2];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length <= limit) return false;
  // Not finite, or so long that its square is not: there is no direction to keep.
  const scale = length < Number.POSITIVE_INFINITY ? limit / length : 0;
  wrench[at] = scale === 0 ? 0 : x * scale;
  wrench[at + 1] = scale === 0 ? 0 : y * scale;
  wrench[at + 2] = scale === 0 ? 0 : z * scale;
  return true;
}
