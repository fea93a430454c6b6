/**
 * Quaternions as files hold them. One that has length 1 up to rounding is left as it is, so that a pose that was written
 * and read again is the same to the bit.
 */
const ROUNDING = 1e-12;

/** The same direction with length 1; undefined when there is no direction. */
export function unitRotation(quaternion: readonly number[]): readonly number[] | undefined {
  const squares = quaternion.reduce((sum, part) => sum + part * part, 0);
  if (Math.abs(squares - 1) <= ROUNDING) return quaternion;
  const largest = Math.max(...quaternion.map(Math.abs));
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return undefined;
  // By the largest part first, so that no square runs out of range. Sums of squares, as `Math.hypot` may differ by host.
  const [x, y, z, w] = quaternion.map((part) => part / largest);
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  return [x / length, y / length, z / length, w / length];
}
