import { WRENCH_STRIDE } from './contact-wrenches.js';
import { FRICTION_NONE, FRICTION_SLIP, FRICTION_STICK, type FrictionResult } from './friction-model.js';
import { CONTACT_SEPARATING, type FrictionProblem } from './friction-problem.js';

/** A force this close to its bound, as a fraction of it, is at its bound. */
const AT_BOUND = 1e-9;

/**
 * Fills `state` and `holds` of a result whose forces and displacement are known, for models without a test of the whole
 * tool. A contact slips when its friction is at its bound; the tool is not held when such a contact also moves along
 * the surface, by more than `motion[0]`.
 *
 * @param separatingRubs whether separating contacts have friction, as with models that find normal forces again
 */
export function judgeContacts(
  result: FrictionResult,
  problem: FrictionProblem,
  wrenches: Float64Array,
  motion: Float64Array,
  separatingRubs: boolean,
): void {
  result.holds = true;
  for (let i = 0; i < problem.count; i += 1) {
    result.state[i] = FRICTION_NONE;
    if (!(result.normalForce[i] > 0)) continue;
    if (problem.role[i] === CONTACT_SEPARATING && !separatingRubs) continue;
    const bound = problem.coefficient[i] * result.normalForce[i];
    const bu = result.force[2 * i];
    const bv = result.force[2 * i + 1];
    const inside = Math.sqrt(bu * bu + bv * bv) < (1 - AT_BOUND) * bound;
    result.state[i] = inside ? FRICTION_STICK : FRICTION_SLIP;
    if (!inside && moves(result.displacement, wrenches, WRENCH_STRIDE * i + 6, motion)) result.holds = false;
  }
}

function moves(displacement: Float64Array, wrenches: Float64Array, at: number, motion: Float64Array): boolean {
  let su = 0;
  let sv = 0;
  for (let row = 0; row < 6; row += 1) {
    su += wrenches[at + row] * displacement[row];
    sv += wrenches[at + 6 + row] * displacement[row];
  }
  return su * su + sv * sv > motion[0] * motion[0];
}

/** `motion[0]` becomes this fraction of what `displacement` moves a tool of the given size by. */
export function writeMotionLimit(
  motion: Float64Array,
  displacement: Float64Array,
  problem: FrictionProblem,
  fraction: number,
): void {
  let translation = 0;
  let rotation = 0;
  for (let axis = 0; axis < 3; axis += 1) {
    translation += displacement[axis] * displacement[axis];
    rotation += displacement[axis + 3] * displacement[axis + 3];
  }
  motion[0] = fraction * (Math.sqrt(translation) + problem.length * Math.sqrt(rotation));
}
