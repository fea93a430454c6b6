/**
 * How a lattice tetrahedron is filled, after Labelle and Shewchuk, "Isosurface stuffing" (SIGGRAPH 2007), section 3.
 *
 * Every corner is inside, on the surface or outside; an edge from inside to outside has a cut point. What is inside is a
 * tetrahedron, a pyramid or a prism. Elements on both sides of a lattice face must split the quadrilateral on it by the
 * same diagonal, and the three diagonals of a prism must not run round in a circle, else it cannot be split at all. Both
 * follow from a rule that looks at the face alone (`diagonalStart`).
 *
 * Corners are numbered as `forEachLatticeTetrahedron` gives them: the long edges are 0–1 and 2–3.
 */

export const OUTSIDE = 0;
export const SURFACE = 1;
export const INSIDE = 2;

/** Corner `i` itself is named `i`; the cut point of the edge between corners `i` and `j` is named `4 + 4 i + j`, i < j. */
export function cutName(i: number, j: number): number {
  return i < j ? 4 + 4 * i + j : 4 + 4 * j + i;
}

/** One more than the largest name of a point. */
export const POINT_NAMES = 20;

/**
 * The elements of one lattice tetrahedron: four names of points each, not yet turned the right way round.
 *
 * @param out at most three elements
 * @param states of the four corners
 * @param places of the four corners on the doubled grid
 * @returns how many elements there are
 */
export function fillTetrahedron(out: Int32Array, states: Uint8Array, places: Int32Array): number {
  let inside = 0;
  let outside = 0;
  for (let corner = 0; corner < 4; corner++) {
    if (states[corner] === INSIDE) inside++;
    else if (states[corner] === OUTSIDE) outside++;
  }
  if (inside === 0) return 0;
  if (outside === 0) {
    put(out, 0, 0, 1, 2, 3);
    return 1;
  }
  if (inside === 1) return fillTip(out, states);
  if (inside === 3) return fillPrismOfThree(out, states, places);
  return outside === 1 ? fillPyramid(out, states, places) : fillPrismOfTwo(out, states, places);
}

function put(out: Int32Array, at: number, a: number, b: number, c: number, d: number): void {
  out[4 * at] = a;
  out[4 * at + 1] = b;
  out[4 * at + 2] = c;
  out[4 * at + 3] = d;
}

function findState(states: Uint8Array, state: number, from = 0): number {
  let corner = from;
  while (states[corner] !== state) corner++;
  return corner;
}

/** One corner inside: the tetrahedron shrinks towards it. */
function fillTip(out: Int32Array, states: Uint8Array): number {
  const tip = findState(states, INSIDE);
  for (let corner = 0; corner < 4; corner++) {
    out[corner] = states[corner] === OUTSIDE ? cutName(tip, corner) : corner;
  }
  return 1;
}

/** Two inside, one on the surface: a pyramid over the face of the others, with its tip on the surface. */
function fillPyramid(out: Int32Array, states: Uint8Array, places: Int32Array): number {
  const tip = findState(states, SURFACE);
  const n = findState(states, OUTSIDE);
  const first = findState(states, INSIDE);
  const second = findState(states, INSIDE, first + 1);
  const a = diagonalStart(first, second, n, places);
  const b = a === first ? second : first;
  put(out, 0, tip, a, b, cutName(b, n));
  put(out, 1, tip, a, cutName(b, n), cutName(a, n));
  return 2;
}

function fillPrismOfThree(out: Int32Array, states: Uint8Array, places: Int32Array): number {
  const n = findState(states, OUTSIDE);
  const i = n === 0 ? 1 : 0;
  const j = n <= 1 ? 2 : 1;
  const k = n === 3 ? 2 : 3;
  const ij = diagonalStart(i, j, n, places) === i;
  const jk = diagonalStart(j, k, n, places) === j;
  const ki = diagonalStart(k, i, n, places) === k;
  const [ci, cj, ck] = [cutName(i, n), cutName(j, n), cutName(k, n)];
  return splitPrism(out, [i, j, k], [ci, cj, ck], [ij, jk, ki]);
}

/** Two inside, two outside: a prism between them, whose quadrilateral on the surface is split as the others demand. */
function fillPrismOfTwo(out: Int32Array, states: Uint8Array, places: Int32Array): number {
  const a = findState(states, INSIDE);
  const b = findState(states, INSIDE, a + 1);
  const m = findState(states, OUTSIDE);
  const n = findState(states, OUTSIDE, m + 1);
  const am = diagonalStart(a, b, m, places) === a;
  const an = diagonalStart(a, b, n, places) === a;
  // By the rule one diagonal starts at a and the other at b; the third then runs so that they form no circle.
  return splitPrism(out, [a, cutName(a, m), cutName(a, n)], [b, cutName(b, m), cutName(b, n)], [am, an, !an]);
}

/**
 * Splits a prism into three.
 *
 * @param start one triangle
 * @param end the other, corner by corner
 * @param forward of the quadrilaterals 0–1, 1–2 and 2–0: whether the diagonal goes from the first of the two in `start`
 * to the second in `end`
 */
function splitPrism(out: Int32Array, start: number[], end: number[], forward: boolean[]): number {
  // The corner of `start` from which two diagonals go.
  let i = 0;
  while (!(forward[i] && !forward[(i + 2) % 3])) i++;
  const j = (i + 1) % 3;
  const k = (i + 2) % 3;
  put(out, 0, start[i], end[0], end[1], end[2]);
  if (forward[j]) {
    put(out, 1, start[i], start[j], start[k], end[k]);
    put(out, 2, start[i], start[j], end[k], end[j]);
  } else {
    put(out, 1, start[i], start[j], start[k], end[j]);
    put(out, 2, start[i], start[k], end[j], end[k]);
  }
  return 3;
}

/**
 * From which of the corners `a` and `b`, both inside, the diagonal goes to the other's cut point on its edge to `n`.
 * If one of the two cut edges is long, the diagonal goes to the cut point on it. If both are short, the parity rule: it
 * starts where an even number of coordinates is greater than those of `n`; a and b differ along one axis, so that this
 * holds for exactly one of them.
 */
function diagonalStart(a: number, b: number, n: number, places: Int32Array): number {
  if ((a ^ n) === 1) return b;
  if ((b ^ n) === 1) return a;
  let greater = 0;
  for (let axis = 0; axis < 3; axis++) if (places[3 * a + axis] > places[3 * n + axis]) greater++;
  return (greater & 1) === 0 ? a : b;
}
