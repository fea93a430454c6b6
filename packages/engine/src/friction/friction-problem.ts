/**
 * The friction problem of one cycle as plain data: every model reads it, one residual judges them all, and it can be
 * written to a file. A pool with a `count`; vectors are in the world frame, torques about the tool's centre of mass.
 *
 * Symbols (Zhao, Li, Barbič, section 4): the tool is displaced by Δ = (Δx, Δω), w = (F, τ) is what acts on it besides
 * static friction, K = ∂w/∂Δ, D is the metric (`metric.ts`), and G_i = (T_i; r_i × T_i), 6×2, maps the friction force β_i of contact i
 * to a wrench. The tool is in equilibrium when w + KΔ + Σ G_i β_i = 0 (Eq. 29, 30), with |β_i| ≤ μ_i F_n,i.
 */
export interface FrictionProblem {
  /** Contacts in use, at most `capacity`. */
  count: number;
  /** Most contacts that fit. */
  readonly capacity: number;
  /** w: coupling, gravity and normal forces. */
  readonly wrench: Float64Array;
  /** K, 6×6, row by row; not symmetric in general. */
  readonly stiffness: Float64Array;
  /** The part of w that does not come from normal forces. */
  readonly couplingWrench: Float64Array;
  /** Its derivative, 6×6. Models that compute the normal forces again start from these two. */
  readonly couplingStiffness: Float64Array;
  /** Mass of the tool, kg. */
  mass: number;
  /** Inertia about the centre of mass, world frame, 3×3. */
  readonly inertia: Float64Array;
  /**
   * Of all contacts that share a direction, N/m: each has the part `normalStiffness / contactStiffness` of it, and the same
   * part of the stiffness of `springs`. 0: every contact has a spring of full stiffness.
   */
  contactStiffness: number;
  /** By this length torques are divided before they are compared with forces: the size of the tool, m. */
  length: number;
  /** From the centre of mass to the contact, three numbers per contact. */
  readonly arm: Float64Array;
  /** Unit vector along which the contact pushes the tool. */
  readonly normal: Float64Array;
  /** T_i: two unit vectors, u then v, at right angles to the normal and to each other; six numbers per contact. */
  readonly tangent: Float64Array;
  /** F_n, N: the penalty force of each contact, not below 0. */
  readonly normalForce: Float64Array;
  /** Stiffness of each contact along its normal, N/m. The contact's depth is `normalForce / normalStiffness`. */
  readonly normalStiffness: Float64Array;
  /** μ of this cycle: static, or kinetic where the contact slides or is declared dynamic. */
  readonly coefficient: Float64Array;
  /** What friction may do at each contact: one of the `CONTACT_…` constants. */
  readonly role: Uint8Array;
  /** For springs: how far the contact has moved from its anchor along u and v, m, two numbers per contact. */
  readonly stretch: Float64Array;
}

/** Static friction may act. */
export const CONTACT_STATIC = 0;
/** The contact is separating (section 4.1): its normal force stays, it has no friction. */
export const CONTACT_SEPARATING = 1;
/** Declared dynamic (section 7): it takes no part in the static test. Kinetic friction on it is our addition. */
export const CONTACT_DYNAMIC = 2;

/** Allocates a problem for at most `capacity` contacts. */
export function createFrictionProblem(capacity: number): FrictionProblem {
  return {
    count: 0,
    capacity,
    wrench: new Float64Array(6),
    stiffness: new Float64Array(36),
    couplingWrench: new Float64Array(6),
    couplingStiffness: new Float64Array(36),
    mass: 1,
    contactStiffness: 0,
    inertia: new Float64Array(9),
    length: 1,
    arm: new Float64Array(3 * capacity),
    normal: new Float64Array(3 * capacity),
    tangent: new Float64Array(6 * capacity),
    normalForce: new Float64Array(capacity),
    normalStiffness: new Float64Array(capacity),
    coefficient: new Float64Array(capacity),
    role: new Uint8Array(capacity),
    stretch: new Float64Array(2 * capacity),
  };
}
