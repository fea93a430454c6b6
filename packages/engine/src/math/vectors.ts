/**
 * Vectors of three numbers x, y, z in a row of a `Float64Array`, from an offset on; many may share one array. Destination
 * first, owned by the caller; it may be one of the sources. No allocation, and only arrays and whole numbers as arguments:
 * other numbers that a function is handed may be allocated.
 *
 * Sums run from x to z, always. Recorded motions depend on it to the last bit.
 */

/** a · b */
export function dot(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}

/** |a| */
export function lengthAt(a: Float64Array, i: number): number {
  return Math.sqrt(a[i] * a[i] + a[i + 1] * a[i + 1] + a[i + 2] * a[i + 2]);
}

/** |a − b|² */
export function distanceSquared(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const x = a[i] - b[j];
  const y = a[i + 1] - b[j + 1];
  const z = a[i + 2] - b[j + 2];
  return x * x + y * y + z * z;
}

/** out = a − b */
export function subtract(out: Float64Array, o: number, a: Float64Array, i: number, b: Float64Array, j: number): void {
  out[o] = a[i] - b[j];
  out[o + 1] = a[i + 1] - b[j + 1];
  out[o + 2] = a[i + 2] - b[j + 2];
}

/** out = a × b */
export function cross(out: Float64Array, o: number, a: Float64Array, i: number, b: Float64Array, j: number): void {
  const x = a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1];
  const y = a[i + 2] * b[j] - a[i] * b[j + 2];
  const z = a[i] * b[j + 1] - a[i + 1] * b[j];
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

/** Scales to length 1 and gives the length before; a vector of length 0 stays as it is. */
export function normalise(v: Float64Array, at: number): number {
  const length = lengthAt(v, at);
  if (length > 0) {
    v[at] /= length;
    v[at + 1] /= length;
    v[at + 2] /= length;
  }
  return length;
}

/** out = (b − a) × (c − a) for three points of one array: along the triangle's normal, of twice its area. */
export function crossOfEdges(out: Float64Array, o: number, p: Float64Array, a: number, b: number, c: number): void {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  out[o] = uy * vz - uz * vy;
  out[o + 1] = uz * vx - ux * vz;
  out[o + 2] = ux * vy - uy * vx;
}

/**
 * (a − o) · ((b − o) × (c − o)) for the origin o and three points of one array: six times the signed volume of the
 * tetrahedron, positive where a, b, c run counter-clockwise seen from outside.
 */
export function volumeOfCorners6(
  origin: Float64Array,
  o: number,
  p: Float64Array,
  a: number,
  b: number,
  c: number,
): number {
  const ox = origin[o];
  const oy = origin[o + 1];
  const oz = origin[o + 2];
  const bx = p[b] - ox;
  const by = p[b + 1] - oy;
  const bz = p[b + 2] - oz;
  const cx = p[c] - ox;
  const cy = p[c + 1] - oy;
  const cz = p[c + 2] - oz;
  return (
    (p[a] - ox) * (by * cz - bz * cy) + (p[a + 1] - oy) * (bz * cx - bx * cz) + (p[a + 2] - oz) * (bx * cy - by * cx)
  );
}
