/**
 * The exact motion of a mass that a spring and a damper tie to a moving point, over one sub-step in which force and speed
 * of the point are constant.
 *
 * For each axis, with the deviation d from the intended point, its rate w = v − v_i, mass m, damping b of the device,
 * stiffness k and damping g of the grip, force F, and u = (F − b v_i) / m:
 *
 *     ḋ = w,   ẇ = −(k/m) d − ((b + g)/m) w + u,   v = w + v_i
 *
 * which is linear in z = (d, w, u, v_i). Its matrix exponential over the sub-step is found once, by a series and repeated
 * squaring, and so is the matrix Q of ∫ v² dt = zᵀ Q z, from which follows what the device's damping takes. Sums and
 * products only: the same bits on every host. Stable for every k, g ≥ 0, however stiff; k = 0 and b = g = 0 are no
 * special cases.
 */
export interface MotionLaw {
  /** kg, or kg m². */
  readonly mass: number;
  /** Of the device, against the world: N s/m, or N m s/rad. */
  readonly damping: number;
  readonly gripStiffness: number;
  readonly gripDamping: number;
  /** N, or N m: with more the grip slips. */
  readonly gripStrength: number;
  readonly held: Propagator;
  /** While the grip slips: no spring, no damper of its own, but its strength. */
  readonly slipping: Propagator;
}

interface Propagator {
  /** Rows of d and w in the columns d, w, u; three numbers each. */
  readonly next: Float64Array;
  /** Q, 4×4. */
  readonly squares: Float64Array;
}

/** Six numbers each: translation, then rotation. */
export interface MotionState {
  /** From the intended pose to the true one, m and rotation vector, rad. */
  readonly deviation: Float64Array;
  /** m/s and rad/s. */
  readonly velocity: Float64Array;
  /** The same of the intended pose. */
  readonly intentVelocity: Float64Array;
  /** The wrench in effect, N and N m. */
  readonly load: Float64Array;
  /** Written by `advanceMotion`: displacement (m) and rotation (rad) of this sub-step. */
  readonly shift: Float64Array;
  /** Added to by `advanceMotion`: work of the wrench, and what the device's damping took, J. */
  readonly work: Float64Array;
}

export const WORK_GIVEN = 0;
export const WORK_DAMPED = 1;

export function createMotionState(): MotionState {
  const six = () => new Float64Array(6);
  return {
    deviation: six(),
    velocity: six(),
    intentVelocity: six(),
    load: six(),
    shift: six(),
    work: new Float64Array(2),
  };
}

export function createMotionLaw(
  parameters: Pick<MotionLaw, 'mass' | 'damping' | 'gripStiffness' | 'gripDamping' | 'gripStrength'>,
  subStep: number,
): MotionLaw {
  const { mass, damping, gripStiffness, gripDamping } = parameters;
  return {
    ...parameters,
    held: createPropagator(gripStiffness / mass, (damping + gripDamping) / mass, subStep),
    slipping: createPropagator(0, damping / mass, subStep),
  };
}

/** One sub-step of the three axes from `first` on. */
export function advanceMotion(state: MotionState, law: MotionLaw, first: number, subStep: Float64Array): void {
  const { deviation, velocity, intentVelocity, load, shift, work } = state;
  const { mass, damping, gripStiffness, gripDamping } = law;
  let square = 0;
  for (let i = first; i < first + 3; i += 1) {
    const pull = gripStiffness * deviation[i] + gripDamping * (velocity[i] - intentVelocity[i]);
    square += pull * pull;
  }
  const strength = Math.sqrt(square);
  const slips = strength > law.gripStrength;
  const part = slips ? law.gripStrength / strength : 0;
  const { next, squares } = slips ? law.slipping : law.held;
  for (let i = first; i < first + 3; i += 1) {
    const pull = gripStiffness * deviation[i] + gripDamping * (velocity[i] - intentVelocity[i]);
    const d = slips ? 0 : deviation[i];
    const vi = slips ? 0 : intentVelocity[i];
    const w = velocity[i] - vi;
    const u = (load[i] - part * pull - damping * vi) / mass;
    shift[i] = (next[0] - 1) * d + next[1] * w + next[2] * u + vi * subStep[0];
    velocity[i] = next[3] * d + next[4] * w + next[5] * u + vi;
    const qd = squares[0] * d + 2 * (squares[1] * w + squares[2] * u + squares[3] * vi);
    const qw = squares[5] * w + 2 * (squares[6] * u + squares[7] * vi);
    const qu = squares[10] * u + 2 * squares[11] * vi;
    work[WORK_GIVEN] += load[i] * shift[i];
    work[WORK_DAMPED] += damping * (d * qd + w * qw + u * qu + squares[15] * vi * vi);
  }
}

/** The series are summed over so short a time that this many terms are exact to rounding. */
const TERMS = 12;
const SHORT = 1 / 8;

/** In units of the sub-step h, z = (d/h, w, u h, v_i), all numbers of the matrix are small unless the grip is very stiff. */
function createPropagator(stiffnessPerMass: number, dampingPerMass: number, subStep: number): Propagator {
  const spring = stiffnessPerMass * subStep * subStep;
  const damper = dampingPerMass * subStep;
  let span = 1;
  while (span * (1 + spring + damper) > SHORT) span /= 2;
  const rate = Float64Array.of(0, 1, 0, 0, -spring, -damper, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  let flow = exponential(rate, span);
  let squares = integralOfSquares(rate, span);
  for (; span < 1; span *= 2) {
    squares = add(squares, multiply(transpose(flow), multiply(squares, flow)));
    flow = multiply(flow, flow);
  }
  const scale = [1 / subStep, 1, subStep, 1];
  return {
    next: Float64Array.from([0, 1, 2, 4, 5, 6], (at) => (flow[at] * scale[at % 4]) / scale[at < 4 ? 0 : 1]),
    squares: squares.map((value, at) => value * scale[at >> 2] * scale[at % 4] * subStep),
  };
}

function exponential(rate: Float64Array, span: number): Float64Array {
  let term: Float64Array = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  let sum = term;
  for (let n = 1; n <= TERMS; n += 1) {
    term = multiply(term, rate).map((value) => (value * span) / n);
    sum = add(sum, term);
  }
  return sum;
}

/** ∫ r rᵀ with the row r of v = w + v_i in the exponential, whose series is r_0 + r_1 t + … */
function integralOfSquares(rate: Float64Array, span: number): Float64Array {
  const rows = [Float64Array.of(0, 1, 0, 1)];
  for (let n = 1; n <= TERMS; n += 1) {
    const last = rows[n - 1];
    rows.push(Float64Array.from(last, (_, j) => rowTimesColumn(last, 0, rate, j) * (span / n)));
  }
  const sum = new Float64Array(16);
  for (let m = 0; m <= TERMS; m += 1) {
    for (let n = 0; n <= TERMS; n += 1) {
      for (let at = 0; at < 16; at += 1) sum[at] += (rows[m][at >> 2] * rows[n][at % 4] * span) / (m + n + 1);
    }
  }
  return sum;
}

function multiply(a: Float64Array, b: Float64Array): Float64Array {
  return Float64Array.from(a, (_, at) => rowTimesColumn(a, at >> 2, b, at % 4));
}

function rowTimesColumn(a: Float64Array, row: number, b: Float64Array, column: number): number {
  let sum = 0;
  for (let k = 0; k < 4; k += 1) sum += a[4 * row + k] * b[4 * k + column];
  return sum;
}

function transpose(a: Float64Array): Float64Array {
  return Float64Array.from(a, (_, at) => a[4 * (at % 4) + (at >> 2)]);
}

function add(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, at) => value + b[at]);
}
