/**
 * Dense linear algebra for the few unknowns of a rigid body, in place and without allocation. Matrices are flat, row by
 * row, with `n` columns; destination first.
 */

/** a · b of two vectors of the same size, from the first number to the last. */
export function innerProduct(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i] * b[i];
  return sum;
}

/**
 * Solves A x = b by elimination with partial pivoting. `a` (n×n) is destroyed, `x` holds b on entry and the solution on
 * return. False when A is singular to working precision; `x` is then not to be used.
 */
export function solveLinear(x: Float64Array, a: Float64Array, n: number): boolean {
  for (let k = 0; k < n; k += 1) {
    let pivot = k;
    let largest = Math.abs(a[k * n + k]);
    for (let i = k + 1; i < n; i += 1) {
      const size = Math.abs(a[i * n + k]);
      if (size > largest) {
        largest = size;
        pivot = i;
      }
    }
    if (!(largest > 0)) return false;
    if (pivot !== k) {
      for (let j = k; j < n; j += 1) {
        const swap = a[k * n + j];
        a[k * n + j] = a[pivot * n + j];
        a[pivot * n + j] = swap;
      }
      const swap = x[k];
      x[k] = x[pivot];
      x[pivot] = swap;
    }
    const inverse = 1 / a[k * n + k];
    for (let i = k + 1; i < n; i += 1) {
      const factor = a[i * n + k] * inverse;
      if (factor === 0) continue;
      for (let j = k + 1; j < n; j += 1) a[i * n + j] -= factor * a[k * n + j];
      x[i] -= factor * x[k];
    }
  }
  for (let k = n - 1; k >= 0; k -= 1) {
    let sum = x[k];
    for (let j = k + 1; j < n; j += 1) sum -= a[k * n + j] * x[j];
    x[k] = sum / a[k * n + k];
  }
  return true;
}

/**
 * Factors the symmetric matrix A = L Lᵀ in place, in its lower half. Pivots below `floor` are raised to it, so that a
 * semidefinite matrix gets a step along its range and none worth mentioning along its null space.
 */
export function choleskyFactor(a: Float64Array, n: number, floor: number): void {
  for (let j = 0; j < n; j += 1) {
    let pivot = a[j * n + j];
    for (let k = 0; k < j; k += 1) pivot -= a[j * n + k] * a[j * n + k];
    // A product, since the bare argument may be a boxed number, and the sum would become one with it.
    if (!(pivot > floor)) pivot = 1 * floor;
    const diagonal = Math.sqrt(pivot);
    a[j * n + j] = diagonal;
    const inverse = 1 / diagonal;
    for (let i = j + 1; i < n; i += 1) {
      let sum = a[i * n + j];
      for (let k = 0; k < j; k += 1) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = sum * inverse;
    }
  }
}

/** Whether the symmetric matrix A has a factor A = L Lᵀ, that is, is positive definite. Its lower half is destroyed. */
export function isPositiveDefinite(a: Float64Array, n: number): boolean {
  for (let j = 0; j < n; j += 1) {
    let pivot = a[j * n + j];
    for (let k = 0; k < j; k += 1) pivot -= a[j * n + k] * a[j * n + k];
    if (!(pivot > 0)) return false;
    const perDiagonal = 1 / Math.sqrt(pivot);
    for (let i = j + 1; i < n; i += 1) {
      let entry = a[i * n + j];
      for (let k = 0; k < j; k += 1) entry -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = entry * perDiagonal;
    }
  }
  return true;
}

/** Solves L Lᵀ x = b with the factor of `choleskyFactor`; `x` holds b on entry. */
export function choleskySolve(x: Float64Array, factor: Float64Array, n: number): void {
  for (let i = 0; i < n; i += 1) {
    let sum = x[i];
    for (let k = 0; k < i; k += 1) sum -= factor[i * n + k] * x[k];
    x[i] = sum / factor[i * n + i];
  }
  for (let i = n - 1; i >= 0; i -= 1) {
    let sum = x[i];
    for (let k = i + 1; k < n; k += 1) sum -= factor[k * n + i] * x[k];
    x[i] = sum / factor[i * n + i];
  }
}

const MAX_SWEEPS = 30;

/**
 * Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations. `a` is destroyed: its diagonal becomes
 * the eigenvalues, unordered; column j of `vectors` belongs to the j-th. Chosen over faster methods because it is
 * accurate for small eigenvalues, on which the rank of a contact set depends.
 */
export function symmetricEigen(vectors: Float64Array, a: Float64Array, n: number): void {
  vectors.fill(0, 0, n * n);
  for (let i = 0; i < n; i += 1) vectors[i * n + i] = 1;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep += 1) {
    let offDiagonal = 0;
    let diagonal = 0;
    for (let i = 0; i < n; i += 1) {
      diagonal += a[i * n + i] * a[i * n + i];
      for (let j = i + 1; j < n; j += 1) offDiagonal += a[i * n + j] * a[i * n + j];
    }
    if (!(offDiagonal > 1e-30 * diagonal)) return;
    for (let p = 0; p < n - 1; p += 1) for (let q = p + 1; q < n; q += 1) rotate(vectors, a, n, p, q);
  }
}

function rotate(vectors: Float64Array, a: Float64Array, n: number, p: number, q: number): void {
  const apq = a[p * n + q];
  if (apq === 0) return;
  const theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k += 1) {
    const akp = a[k * n + p];
    const akq = a[k * n + q];
    a[k * n + p] = c * akp - s * akq;
    a[k * n + q] = s * akp + c * akq;
  }
  for (let k = 0; k < n; k += 1) {
    const apk = a[p * n + k];
    const aqk = a[q * n + k];
    a[p * n + k] = c * apk - s * aqk;
    a[q * n + k] = s * apk + c * aqk;
  }
  for (let k = 0; k < n; k += 1) {
    const vkp = vectors[k * n + p];
    const vkq = vectors[k * n + q];
    vectors[k * n + p] = c * vkp - s * vkq;
    vectors[k * n + q] = s * vkp + c * vkq;
  }
}
