/**
 * Quaternions as files hold them. One that has length 1 up to rounding is left as it is, so that a pose that was written
 * and read again is the same to the bit.
 */
const ROUNDING = 1e-12;

export function isUnit(quaternion: ArrayLike<number>, at = 0): boolean {
  const x = quaternion[at];
  const y = quaternion[at + 1];
  const z = quaternion[at + 2];
  const w = quaternion[at + 3];
  return Math.abs(x * x + y * y + z * z + w * w - 1) <= ROUNDING;
}

/** The same direction with length 1; undefined when there is no direction. */
export function scaledToUnit(quaternion: readonly number[]): [number, number, number, number] | undefined {
  const largest = Math.max(...quaternion.map(Math.abs));
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return undefined;
  // By the largest part first, so that no square runs out of range. Sums of squares, as `Math.hypot` may differ by host.
  const [x, y, z, w] = quaternion.map((part) => part / largest);
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  return [x / length, y / length, z / length, w / length];
}
