import type { FrictionProblem } from './friction-problem.js';
import type { FrictionMetric } from './metric.js';

/** What a friction model answers. Owned by the caller, filled by `FrictionModel.solve`. */
export interface FrictionResult {
  /** Δ: where the tool goes, translation (m) and rotation vector (rad), before static damping. */
  readonly displacement: Float64Array;
  /** β: friction force of each contact along u and v, N. Separating contacts have some only in models that compute the normal forces again. */
  readonly force: Float64Array;
  /** Normal force that the model reckons with, N. The penalty force, unless the model finds its own. */
  readonly normalForce: Float64Array;
  /** Of each contact: one of the `FRICTION_…` constants. */
  readonly state: Uint8Array;
  /**
   * Whether friction holds the tool. For `cone`, `pyramid` and `quadratic`: the static test of the whole tool. For the
   * others: no contact is at its bound and moving.
   */
  holds: boolean;
  /** Whether `direction` was filled: the proof that static friction cannot hold. */
  proved: boolean;
  /** d with d·b > Σ support of contact i along G_iᵀd, for b = −(w + KΔ): force part, then torque part (world frame). */
  readonly direction: Float64Array;
  /** Iterations, or sweeps over the contacts. */
  iterations: number;
  /** Whether the cap on the iterations was met before the tolerance. */
  capped: boolean;
}

/** State of a contact: it carries no friction. */
export const FRICTION_NONE = 0;
/** State of a contact: its friction force is below its bound. */
export const FRICTION_STICK = 1;
/** State of a contact: its friction force is at its bound and it moves. */
export const FRICTION_SLIP = 2;

/**
 * A friction law and its solver. `solve` neither allocates nor throws; it may keep the last answer as the
 * start of the next one, which changes the number of iterations but, beyond the tolerance, not the answer.
 */
export interface FrictionModel {
  /** As `friction.model` of a scene names it. */
  readonly name: FrictionModelName;
  /** Solves one cycle's problem into `result`. Never throws, never allocates. */
  solve(result: FrictionResult, problem: FrictionProblem): void;
  /** Drops what the last answers left behind, for models that start from them. */
  forget?(): void;
}

/** The friction models, by the name that scene files use. */
export type FrictionModelName = 'none' | 'cone' | 'pyramid' | 'quadratic' | 'springs' | 'staggered' | 'gauss-seidel';

/** Options of the friction models; each model reads only those that concern it. */
export interface FrictionModelOptions {
  /** Contacts at most. */
  readonly capacity: number;
  /** Sides of the pyramid, 3 to 32. Circumscribed: with few sides friction is too strong along its corners. */
  readonly sides: number;
  /** What `cone` and `pyramid` do when static friction cannot hold. */
  readonly slip: 'dissipation' | 'frictionless';
  /** By what `cone`, `pyramid` and `quadratic` measure displacements: the stiffness, or the mass as in the paper. */
  readonly metric: FrictionMetric;
  /** Singular values of G below this fraction of the largest count as zero. */
  readonly rankTolerance: number;
  /** Of the springs of one direction of `springs`, N/m; contacts share it as they share the normal stiffness. */
  readonly springStiffness: number;
  /** Most iterations of one stage of a solve, or sweeps. Too few, and the answer is rough: `capped` says so. */
  readonly maxIterations: number;
  /** Relative residual at which a solve ends. */
  readonly tolerance: number;
}

/** Allocates a result for at most `capacity` contacts. */
export function createFrictionResult(capacity: number): FrictionResult {
  return {
    displacement: new Float64Array(6),
    force: new Float64Array(2 * capacity),
    normalForce: new Float64Array(capacity),
    state: new Uint8Array(capacity),
    holds: true,
    proved: false,
    direction: new Float64Array(6),
    iterations: 0,
    capped: false,
  };
}
