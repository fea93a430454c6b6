/**
 * A spring that a device's limit tames (Otaduy, Lin, section V-C): force k e up to e₁, then a Hermite spline to the
 * greatest force at e₂ with slope 0, then constant. Shaping the force, and not the stiffness alone as the text has it,
 * keeps it from falling again beyond e₁.
 *
 * e₁ is where 80 % of the greatest force are reached, e₂ where the spline needs no cubic term: it then rises all the way
 * and its slope falls evenly. Limit case: greatest force infinite, a plain spring.
 */
export type SpringLaw = Float64Array;

const K = 0;
const E1 = 1;
const E2 = 2;
const MOST = 3;
/** Of the last deviation beyond e₁. */
const SECANT = 4;
const SLOPE = 5;
const SQUARE = 6;
const LINEAR_PART = 0.8;

/** `k` in N/m or N m/rad, `most` in N or N m; null for a spring without a limit. */
export function createSpringLaw(k: number, limit: number | null = null): SpringLaw {
  const most = limit ?? Number.POSITIVE_INFINITY;
  const e1 = (LINEAR_PART * most) / k;
  const e2 = Number.isFinite(most) ? e1 + (2 * (1 - LINEAR_PART) * most) / k : e1;
  return Float64Array.of(k, e1, e2, most, 0, 0, 0);
}

/**
 * Shortens the deviation at `at`, m or rad, to that at which a plain spring pulls as much. True if it had to be. A static
 * method that linearises at the shortened deviation keeps the whole stiffness k, and with it a solution, where the slope
 * of the law is 0; in equilibrium both pull the same.
 */
export function shortenDeviation(deviation: Float64Array, at: number, law: SpringLaw): boolean {
  const x = deviation[at];
  const y = deviation[at + 1];
  const z = deviation[at + 2];
  const square = x * x + y * y + z * z;
  if (!(square > law[E1] * law[E1])) return false;
  law[SQUARE] = square;
  bendSpring(law);
  const part = law[SECANT] / law[K];
  for (let i = at; i < at + 3; i += 1) deviation[i] *= part;
  return true;
}

/** φ/e and φ′ beyond e₁. Takes e² from the array: a number that is handed over may go to the heap. */
function bendSpring(law: SpringLaw): void {
  const e = Math.sqrt(law[SQUARE]);
  let value = law[MOST];
  let slope = 0;
  if (e < law[E2]) {
    // φ = F_max − k (e₂ − e)² / (2 (e₂ − e₁))
    const left = law[E2] - e;
    const bend = law[K] / (law[E2] - law[E1]);
    value -= 0.5 * bend * left * left;
    slope = bend * left;
  }
  law[SECANT] = value / e;
  law[SLOPE] = slope;
}

/**
 * Adds the force φ(e) e/|e| of a deviation of three numbers and writes its derivative by the deviation, 3×3: with the
 * secant κ = φ/e, κ 1 + (φ′ − κ) e eᵀ/|e|² (Eq. 26, 27).
 */
export function addSpring(force: Float64Array, stiffness: Float64Array, law: SpringLaw, deviation: Float64Array): void {
  const x = deviation[0];
  const y = deviation[1];
  const z = deviation[2];
  const square = x * x + y * y + z * z;
  let secant = law[K];
  let along = 0;
  if (square > law[E1] * law[E1]) {
    law[SQUARE] = square;
    bendSpring(law);
    secant = law[SECANT];
    along = (law[SLOPE] - secant) / square;
  }
  for (let i = 0; i < 3; i += 1) {
    force[i] += secant * deviation[i];
    for (let j = 0; j < 3; j += 1) stiffness[3 * i + j] = along * deviation[i] * deviation[j];
    stiffness[4 * i] += secant;
  }
}
