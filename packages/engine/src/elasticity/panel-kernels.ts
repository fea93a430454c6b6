/*
 * The inner loops of factor and solve, three by three: nine sums, or nine weights, stay in registers while six streams
 * are read, which in JavaScript is about twice as fast as one by one. Lengths and offsets are in numbers.
 */

/** sums[3i + j] = Σ_k a[aAt + i·aStride + k] · b[bAt + j·bStride + k] for k below `length`. */
export function dotThreeByThree(
  sums: Float64Array,
  a: Float64Array,
  aAt: number,
  aStride: number,
  b: Float64Array,
  bAt: number,
  bStride: number,
  length: number,
): void {
  let s00 = 0;
  let s01 = 0;
  let s02 = 0;
  let s10 = 0;
  let s11 = 0;
  let s12 = 0;
  let s20 = 0;
  let s21 = 0;
  let s22 = 0;
  const a1 = aAt + aStride;
  const a2 = a1 + aStride;
  const b1 = bAt + bStride;
  const b2 = b1 + bStride;
  for (let k = 0; k < length; k += 1) {
    const x0 = a[aAt + k];
    const x1 = a[a1 + k];
    const x2 = a[a2 + k];
    const y0 = b[bAt + k];
    const y1 = b[b1 + k];
    const y2 = b[b2 + k];
    s00 += x0 * y0;
    s01 += x0 * y1;
    s02 += x0 * y2;
    s10 += x1 * y0;
    s11 += x1 * y1;
    s12 += x1 * y2;
    s20 += x2 * y0;
    s21 += x2 * y1;
    s22 += x2 * y2;
  }
  sums[0] = s00;
  sums[1] = s01;
  sums[2] = s02;
  sums[3] = s10;
  sums[4] = s11;
  sums[5] = s12;
  sums[6] = s20;
  sums[7] = s21;
  sums[8] = s22;
}

/** x[xAt + j·xStride + k] −= Σ_i weights[3i + j] · a[aAt + i·aStride + k] for k below `length`. */
export function subtractThreeByThree(
  x: Float64Array,
  xAt: number,
  xStride: number,
  a: Float64Array,
  aAt: number,
  aStride: number,
  weights: Float64Array,
  length: number,
): void {
  const w00 = weights[0];
  const w01 = weights[1];
  const w02 = weights[2];
  const w10 = weights[3];
  const w11 = weights[4];
  const w12 = weights[5];
  const w20 = weights[6];
  const w21 = weights[7];
  const w22 = weights[8];
  const a1 = aAt + aStride;
  const a2 = a1 + aStride;
  const x1 = xAt + xStride;
  const x2 = x1 + xStride;
  for (let k = 0; k < length; k += 1) {
    const y0 = a[aAt + k];
    const y1 = a[a1 + k];
    const y2 = a[a2 + k];
    x[xAt + k] -= w00 * y0 + w10 * y1 + w20 * y2;
    x[x1 + k] -= w01 * y0 + w11 * y1 + w21 * y2;
    x[x2 + k] -= w02 * y0 + w12 * y1 + w22 * y2;
  }
}
