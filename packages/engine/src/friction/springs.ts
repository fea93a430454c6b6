import { solveLinear } from '../math/linear-algebra.js';
import { WRENCH_STRIDE, writeContactWrenches } from './contact-wrenches.js';
import { createElasticContacts, type ElasticContacts, solveElasticContacts } from './elastic-contacts.js';
import type { FrictionModel, FrictionModelOptions, FrictionResult } from './friction-model.js';
import { CONTACT_SEPARATING, type FrictionProblem } from './friction-problem.js';
import { judgeContacts, writeMotionLimit } from './judge-contacts.js';

/** A contact moves when it goes further than this fraction of what the tool would do without static friction. */
const MOTION_FRACTION = 1e-6;

/**
 * Yamane's frictional springs, implicit (Zhao, Li, Barbič, section 5.6): every static contact is tied to its anchor by a
 * spring k_i that tears along at μF_n. w + KΔ + Σ G_i β_i = 0 with β_i = −k_i (stretch_i + G_iᵀΔ), cut to length μF_n.
 * Contacts that share a direction share the stiffness k_t of its springs as they share that of its normal: else a face
 * would be a hundred times as stiff along itself as across, and neither yield nor creep as the paper's does.
 * The anchors are the method's; the problem carries the stretch they had at the start of the cycle.
 *
 * The springs always yield, so the tool creeps under any load: this is the baseline the others are compared with.
 * `springStiffness` too low: the creep is felt; too high: the display shakes as contacts come and go.
 */
export function createSpringsModel(options: FrictionModelOptions): FrictionModel {
  const work = createElasticContacts(options.capacity);
  const wrenches = new Float64Array(WRENCH_STRIDE * options.capacity);
  const limits = Float64Array.of(options.tolerance, options.maxIterations);
  const free = new Float64Array(6);
  const motion = new Float64Array(1);
  work.springStiffness = options.springStiffness;

  return {
    name: 'springs',
    solve(result: FrictionResult, problem: FrictionProblem): void {
      writeContactWrenches(wrenches, problem);
      pose(work, problem);
      solveElasticContacts(work, wrenches, limits);
      result.displacement.set(work.displacement);
      for (let i = 0; i < problem.count; i += 1) {
        result.force[2 * i] = work.force[2 * i];
        result.force[2 * i + 1] = work.force[2 * i + 1];
        result.normalForce[i] = problem.normalForce[i];
      }
      result.proved = false;
      result.iterations = work.iterations;
      result.capped = !work.converged;
      free.set(work.load);
      work.hessian.set(work.elasticity);
      if (!solveLinear(free, work.hessian, 6)) free.set(work.displacement);
      writeMotionLimit(motion, free, problem, MOTION_FRACTION);
      judgeContacts(result, problem, wrenches, motion, false);
    },
  };
}

function pose(work: ElasticContacts, problem: FrictionProblem): void {
  work.count = problem.count;
  work.length = problem.length;
  work.load.set(problem.wrench);
  work.displacement.fill(0);
  for (let n = 0; n < 36; n += 1) work.elasticity[n] = -problem.stiffness[n];
  for (let i = 0; i < problem.count; i += 1) {
    const rubs = problem.role[i] !== CONTACT_SEPARATING;
    work.bound[i] = rubs ? problem.coefficient[i] * problem.normalForce[i] : 0;
    work.springShare[i] = springShare(problem, i);
    const stiffness = work.springStiffness * work.springShare[i];
    work.anchorForce[2 * i] = -stiffness * problem.stretch[2 * i];
    work.anchorForce[2 * i + 1] = -stiffness * problem.stretch[2 * i + 1];
  }
}

/** The part of the springs' stiffness that a contact has. */
export function springShare({ contactStiffness, normalStiffness }: FrictionProblem, contact: number): number {
  return contactStiffness > 0 ? normalStiffness[contact] / contactStiffness : 1;
}
