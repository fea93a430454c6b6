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
const LINEAR_PART = 0.8;

/** `most` may be infinite. */
export function createSpringLaw(k: number, most: number): SpringLaw {
  const e1 = (LINEAR_PART * most) / k;
  const e2 = Number.isFinite(most) ? e1 + (2 * (1 - LINEAR_PART) * most) / k : e1;
  return Float64Array.of(k, e1, e2, most);
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
    const e = Math.sqrt(square);
    let value = law[MOST];
    let slope = 0;
    if (e < law[E2]) {
      // φ = F_max − k (e₂ − e)² / (2 (e₂ − e₁))
      const left = law[E2] - e;
      const bend = law[K] / (law[E2] - law[E1]);
      value -= 0.5 * bend * left * left;
      slope = bend * left;
    }
    secant = value / e;
    along = (slope - secant) / square;
  }
  for (let i = 0; i < 3; i += 1) {
    force[i] += secant * deviation[i];
    for (let j = 0; j < 3; j += 1) stiffness[3 * i + j] = along * deviation[i] * deviation[j];
    stiffness[4 * i] += secant;
  }
}
