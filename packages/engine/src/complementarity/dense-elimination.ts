/**
 * Solves A x = b with a full matrix of `count` × `count` blocks of 3×3, row by row as one matrix, by elimination without row
 * exchanges between blocks: three rows at a time, in half the time of single ones. `a` is destroyed, `x` holds b on
 * entry. False when a pivot block is singular; `x` is then not to be used. Allocates nothing.
 */
export function solveDenseBlocks(x: Float64Array, a: Float64Array, count: number): boolean {
  const n = 3 * count;
  for (let pivot = 0; pivot < count; pivot += 1) {
    if (!invertInPlace(a, n, 3 * pivot)) return false;
    for (let row = pivot + 1; row < count; row += 1) eliminateRow(x, a, n, 3 * pivot, 3 * row);
  }
  for (let row = count - 1; row >= 0; row -= 1) substitute(x, a, n, 3 * row);
  return true;
}

/** The block at `k` on the diagonal becomes its inverse. */
function invertInPlace(m: Float64Array, n: number, k: number): boolean {
  const p = n * k + k;
  const q = p + n;
  const r = q + n;
  const a = m[p];
  const b = m[p + 1];
  const c = m[p + 2];
  const d = m[q];
  const e = m[q + 1];
  const f = m[q + 2];
  const g = m[r];
  const h = m[r + 1];
  const i = m[r + 2];
  const determinant = a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g);
  const s = 1 / determinant;
  if (!(Math.abs(s) <= Number.MAX_VALUE)) return false;
  m[p] = s * (e * i - f * h);
  m[p + 1] = s * (c * h - b * i);
  m[p + 2] = s * (b * f - c * e);
  m[q] = s * (f * g - d * i);
  m[q + 1] = s * (a * i - c * g);
  m[q + 2] = s * (c * d - a * f);
  m[r] = s * (d * h - e * g);
  m[r + 1] = s * (b * g - a * h);
  m[r + 2] = s * (a * e - b * d);
  return true;
}

/** Takes the rows at `k`, whose pivot is inverted, out of those at `i`. */
function eliminateRow(x: Float64Array, m: Float64Array, n: number, k: number, i: number): void {
  const p = n * k;
  const q = p + n;
  const r = q + n;
  const u = n * i;
  const v = u + n;
  const w = v + n;
  const a = m[u + k] * m[p + k] + m[u + k + 1] * m[q + k] + m[u + k + 2] * m[r + k];
  const b = m[u + k] * m[p + k + 1] + m[u + k + 1] * m[q + k + 1] + m[u + k + 2] * m[r + k + 1];
  const c = m[u + k] * m[p + k + 2] + m[u + k + 1] * m[q + k + 2] + m[u + k + 2] * m[r + k + 2];
  const d = m[v + k] * m[p + k] + m[v + k + 1] * m[q + k] + m[v + k + 2] * m[r + k];
  const e = m[v + k] * m[p + k + 1] + m[v + k + 1] * m[q + k + 1] + m[v + k + 2] * m[r + k + 1];
  const f = m[v + k] * m[p + k + 2] + m[v + k + 1] * m[q + k + 2] + m[v + k + 2] * m[r + k + 2];
  const g = m[w + k] * m[p + k] + m[w + k + 1] * m[q + k] + m[w + k + 2] * m[r + k];
  const h = m[w + k] * m[p + k + 1] + m[w + k + 1] * m[q + k + 1] + m[w + k + 2] * m[r + k + 1];
  const l = m[w + k] * m[p + k + 2] + m[w + k + 1] * m[q + k + 2] + m[w + k + 2] * m[r + k + 2];
  for (let j = k + 3; j < n; j += 1) {
    const s = m[p + j];
    const t = m[q + j];
    const y = m[r + j];
    m[u + j] -= a * s + b * t + c * y;
    m[v + j] -= d * s + e * t + f * y;
    m[w + j] -= g * s + h * t + l * y;
  }
  x[i] -= a * x[k] + b * x[k + 1] + c * x[k + 2];
  x[i + 1] -= d * x[k] + e * x[k + 1] + f * x[k + 2];
  x[i + 2] -= g * x[k] + h * x[k + 1] + l * x[k + 2];
}

function substitute(x: Float64Array, m: Float64Array, n: number, k: number): void {
  const p = n * k;
  const q = p + n;
  const r = q + n;
  let s = x[k];
  let t = x[k + 1];
  let y = x[k + 2];
  for (let j = k + 3; j < n; j += 1) {
    s -= m[p + j] * x[j];
    t -= m[q + j] * x[j];
    y -= m[r + j] * x[j];
  }
  x[k] = m[p + k] * s + m[p + k + 1] * t + m[p + k + 2] * y;
  x[k + 1] = m[q + k] * s + m[q + k + 1] * t + m[q + k + 2] * y;
  x[k + 2] = m[r + k] * s + m[r + k + 1] * t + m[r + k + 2] * y;
}
