/**
 * The point of an intersection of half-spaces a_iᵀy ≥ b_i in six dimensions that is nearest to a target: the dual
 * active-set method of Goldfarb and Idnani with the identity as its Hessian. It starts at the target, takes in the most
 * violated half-space and lets go of those whose multiplier would turn negative; each step raises the distance to the
 * target, so that it ends, and no more than six are ever active. The cost is one pass over the half-spaces per step.
 *
 * y − target = Σ u_i a_i with u_i ≥ 0 over the active ones. Limit cases: none, y is the target; parallel ones, the
 * nearest wins; opposite ones that leave nothing between them, `infeasible`, and y is not to be used.
 */
export interface HalfSpaces {
  /** Half-spaces in use. */
  count: number;
  /** a_i, six numbers each. */
  readonly columns: Float64Array;
  readonly bound: Float64Array;
  /** The answer. */
  readonly y: Float64Array;
  activeCount: number;
  /** Which half-spaces hold with equality because they must, and u of each. */
  readonly active: Int32Array;
  readonly multiplier: Float64Array;
  /** Orthonormal rows that span the active columns, six numbers each. */
  readonly basis: Float64Array;
  infeasible: boolean;
  /** Whether the iteration ended at its cap. */
  capped: boolean;
  iterations: number;
  readonly workspace: {
    /** Columns in the basis: N = Q R, R by columns of six. */
    readonly triangle: Float64Array;
    readonly along: Float64Array;
    readonly direction: Float64Array;
    readonly change: Float64Array;
    /** Squared size of `direction`, its ratio to that of the column, and the slack of the entering half-space. */
    readonly numbers: Float64Array;
  };
}

const MAX_ACTIVE = 6;
const MAX_ITERATIONS = 80;
/** Violations below this are rounding, m. */
const TOLERANCE = 1e-12;
/** Columns that stick out of the others' span by less than the root of this depend on them. */
const DEPENDENT = 1e-9;

export function createHalfSpaces(capacity: number): HalfSpaces {
  return {
    count: 0,
    columns: new Float64Array(6 * capacity),
    bound: new Float64Array(capacity),
    y: new Float64Array(6),
    activeCount: 0,
    active: new Int32Array(MAX_ACTIVE),
    multiplier: new Float64Array(MAX_ACTIVE + 1),
    basis: new Float64Array(36),
    infeasible: false,
    capped: false,
    iterations: 0,
    workspace: {
      triangle: new Float64Array(36),
      along: new Float64Array(6),
      direction: new Float64Array(6),
      change: new Float64Array(6),
      numbers: new Float64Array(3),
    },
  };
}

const SIZE = 0;
const RATIO = 1;
const SLACK = 2;

/** Fills `y`, the active set and its multipliers. */
export function projectOnHalfSpaces(space: HalfSpaces, target: Float64Array): void {
  const { y, multiplier } = space;
  for (let i = 0; i < 6; i += 1) y[i] = target[i];
  space.activeCount = 0;
  space.infeasible = false;
  space.capped = false;
  for (space.iterations = 0; space.iterations < MAX_ITERATIONS; space.iterations += 1) {
    const entering = mostViolated(space);
    if (entering < 0) {
      polish(space, target);
      return;
    }
    multiplier[MAX_ACTIVE] = 0;
    if (!takeIn(space, entering)) {
      space.infeasible = true;
      return;
    }
  }
  space.capped = true;
}

/** −1 if all hold. */
function mostViolated({ columns, bound, count, y }: HalfSpaces): number {
  const y0 = y[0];
  const y1 = y[1];
  const y2 = y[2];
  const y3 = y[3];
  const y4 = y[4];
  const y5 = y[5];
  let worst = -1;
  let least = -TOLERANCE;
  for (let c = 0; c < count; c += 1) {
    const o = 6 * c;
    const slack =
      columns[o] * y0 +
      columns[o + 1] * y1 +
      columns[o + 2] * y2 +
      columns[o + 3] * y3 +
      columns[o + 4] * y4 +
      columns[o + 5] * y5 -
      bound[c];
    if (slack < least) {
      least = slack;
      worst = c;
    }
  }
  return worst;
}

/** Steps until `entering` holds, dropping what stands in the way. False if it cannot. */
function takeIn(space: HalfSpaces, entering: number): boolean {
  const { columns, bound, y, multiplier, workspace } = space;
  const { direction, change, numbers } = workspace;
  const o = 6 * entering;
  for (let round = 0; round <= 2 * MAX_ACTIVE; round += 1) {
    split(space, entering);
    let slack = -bound[entering];
    for (let i = 0; i < 6; i += 1) slack += columns[o + i] * y[i];
    numbers[SLACK] = slack;
    // How far until the first active one would push the wrong way.
    let longest = Number.POSITIVE_INFINITY;
    let dropped = -1;
    for (let j = 0; j < space.activeCount; j += 1) {
      if (!(change[j] > 0)) continue;
      const length = multiplier[j] / change[j];
      if (length < longest) {
        longest = length;
        dropped = j;
      }
    }
    const independent = numbers[RATIO] > DEPENDENT && space.activeCount < MAX_ACTIVE;
    const full = independent ? -slack / numbers[SIZE] : Number.POSITIVE_INFINITY;
    if (full === Number.POSITIVE_INFINITY && dropped < 0) return false;
    const length = Math.min(full, longest);
    for (let j = 0; j < space.activeCount; j += 1) multiplier[j] -= length * change[j];
    multiplier[MAX_ACTIVE] += length;
    if (independent) for (let i = 0; i < 6; i += 1) y[i] += length * direction[i];
    if (full <= longest) {
      add(space, entering);
      return true;
    }
    drop(space, dropped);
  }
  return false;
}

/** Splits the entering column: `change` = R⁻¹Qᵀa along the active ones, `direction` = a − QQᵀa at right angles. */
function split({ columns, basis, activeCount, workspace }: HalfSpaces, entering: number): void {
  const { triangle, along, direction, change, numbers } = workspace;
  const o = 6 * entering;
  let whole = 0;
  for (let i = 0; i < 6; i += 1) {
    direction[i] = columns[o + i];
    whole += columns[o + i] * columns[o + i];
  }
  along.fill(0);
  // Twice, because once loses digits when the column lies almost in the span.
  for (let pass = 0; pass < 2; pass += 1) {
    for (let j = 0; j < activeCount; j += 1) {
      let inner = 0;
      for (let i = 0; i < 6; i += 1) inner += basis[6 * j + i] * direction[i];
      along[j] += inner;
      for (let i = 0; i < 6; i += 1) direction[i] -= inner * basis[6 * j + i];
    }
  }
  let size = 0;
  for (let i = 0; i < 6; i += 1) size += direction[i] * direction[i];
  numbers[SIZE] = size;
  numbers[RATIO] = whole > 0 ? size / whole : 0;
  for (let j = activeCount - 1; j >= 0; j -= 1) {
    let sum = along[j];
    for (let k = j + 1; k < activeCount; k += 1) sum -= triangle[6 * k + j] * change[k];
    change[j] = sum / triangle[6 * j + j];
  }
}

/** Takes the column of the last `split` into the basis. */
function add(space: HalfSpaces, entering: number): void {
  const { basis, active, multiplier, workspace } = space;
  const { triangle, along, direction, numbers } = workspace;
  const at = space.activeCount;
  const size = Math.sqrt(numbers[SIZE]);
  for (let i = 0; i < 6; i += 1) basis[6 * at + i] = direction[i] / size;
  for (let j = 0; j < at; j += 1) triangle[6 * at + j] = along[j];
  triangle[6 * at + at] = size;
  active[at] = entering;
  multiplier[at] = multiplier[MAX_ACTIVE];
  space.activeCount += 1;
}

/** Lets go of the j-th active one; the basis of those behind it is made anew. */
function drop(space: HalfSpaces, j: number): void {
  const { active, multiplier } = space;
  const count = space.activeCount;
  const kept = multiplier[MAX_ACTIVE];
  space.activeCount = j;
  for (let k = j + 1; k < count; k += 1) {
    multiplier[MAX_ACTIVE] = multiplier[k];
    split(space, active[k]);
    add(space, active[k]);
  }
  multiplier[MAX_ACTIVE] = kept;
}

/** The exact answer of the active set: y = target + Q w with Rᵀw = b − Nᵀtarget, and R u = w. */
function polish(
  { columns, bound, y, active, activeCount, multiplier, basis, workspace }: HalfSpaces,
  target: Float64Array,
) {
  const { triangle, along } = workspace;
  for (let i = 0; i < 6; i += 1) y[i] = target[i];
  for (let j = 0; j < activeCount; j += 1) {
    const o = 6 * active[j];
    let sum = bound[active[j]];
    for (let i = 0; i < 6; i += 1) sum -= columns[o + i] * target[i];
    for (let k = 0; k < j; k += 1) sum -= triangle[6 * j + k] * along[k];
    along[j] = sum / triangle[6 * j + j];
    for (let i = 0; i < 6; i += 1) y[i] += along[j] * basis[6 * j + i];
  }
  for (let j = activeCount - 1; j >= 0; j -= 1) {
    let sum = along[j];
    for (let k = j + 1; k < activeCount; k += 1) sum -= triangle[6 * k + j] * multiplier[k];
    multiplier[j] = sum / triangle[6 * j + j];
  }
}
