import type { DiscSum } from './disc-sum.js';
import { FRICTION_NONE, FRICTION_SLIP, FRICTION_STICK, type FrictionResult } from './friction-model.js';
import type { FrictionProblem } from './friction-problem.js';
import { twoAt } from './pair-layout.js';

/** The answer before friction is reckoned: the penalty's normal forces, nothing else. */
export function clearForces(result: FrictionResult, problem: FrictionProblem): void {
  for (let contact = 0; contact < problem.count; contact += 1) {
    result.force[2 * contact] = 0;
    result.force[2 * contact + 1] = 0;
    result.normalForce[contact] = problem.normalForce[contact];
    result.state[contact] = FRICTION_NONE;
  }
}

/** β = ± r p, with the point p of its disc that each contact has in `sum`, and whether that is on the rim. */
export function writeForces(result: FrictionResult, sum: DiscSum, problem: FrictionProblem, sign: 1 | -1): void {
  clearForces(result, problem);
  const { index, radius, totalRadius, count } = sum.contacts;
  if (!(totalRadius > 0)) return;
  for (let n = 0; n < count; n += 1) {
    const contact = index[n];
    const scale = sign * radius[n] * totalRadius;
    result.force[2 * contact] = scale * sum.nearest[twoAt(n)];
    result.force[2 * contact + 1] = scale * sum.nearest[twoAt(n) + 2];
    result.state[contact] = sum.rim[n] === 0 ? FRICTION_STICK : FRICTION_SLIP;
  }
}
