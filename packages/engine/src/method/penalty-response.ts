import type { ToolContacts } from './tool-contacts.js';

/**
 * Penalty forces of all contacts and their derivative (Zhao, Li, Barbič, Eq. 1–3), added to a wrench w and to its
 * stiffness K = ∂w/∂(x, ω).
 *
 * F = k d N, τ = r × F, with d > 0 the depth and N the direction that pushes the tool out. Let J = (N, r × N). With N held
 * constant a displacement Δ of the tool lessens the depth by JᵀΔ, which gives −k J Jᵀ: Eq. 2 and the common part of
 * Eq. 3. The rest depends on who carries the shell, for the arm of the force changes:
 *
 * - shell on the environment: the point stays in the world and the tool's centre moves: ∂τ/∂x gains [F]×, as printed;
 * - shell on the tool: the point turns with it: ∂τ/∂ω gains [F]×[r]× = r Fᵀ − (F·r) 1, and ∂τ/∂x gains nothing.
 *
 * Torques about the tool's centre of mass, world frame.
 */
export function addPenaltyStiffness(stiffness: Float64Array, contacts: ToolContacts): void {
  addSprings(stiffness, contacts);
  for (let p = 0; p < contacts.pairs.length; p += 1) {
    if (contacts.pairs[p].query.shellOn === 'tool') addTurningArms(stiffness, contacts, p);
    else addMovingCentre(stiffness, contacts, p);
  }
}

/** F and τ of Eq. 1, of all contacts. */
export function addPenaltyWrench(wrench: Float64Array, { set }: ToolContacts): void {
  const { normal, arm, depth, stiffness, count } = set;
  for (let c = 0; c < count; c += 1) {
    if (stiffness[c] === 0) continue;
    const o = 3 * c;
    const force = stiffness[c] * depth[c];
    const fx = force * normal[o];
    const fy = force * normal[o + 1];
    const fz = force * normal[o + 2];
    wrench[0] += fx;
    wrench[1] += fy;
    wrench[2] += fz;
    wrench[3] += arm[o + 1] * fz - arm[o + 2] * fy;
    wrench[4] += arm[o + 2] * fx - arm[o] * fz;
    wrench[5] += arm[o] * fy - arm[o + 1] * fx;
  }
}

/** −k J Jᵀ. */
function addSprings(matrix: Float64Array, { set }: ToolContacts): void {
  const { normal, arm, stiffness, count } = set;
  for (let c = 0; c < count; c += 1) {
    const k = -stiffness[c];
    if (k === 0) continue;
    const o = 3 * c;
    const n0 = normal[o];
    const n1 = normal[o + 1];
    const n2 = normal[o + 2];
    const m0 = arm[o + 1] * n2 - arm[o + 2] * n1;
    const m1 = arm[o + 2] * n0 - arm[o] * n2;
    const m2 = arm[o] * n1 - arm[o + 1] * n0;
    for (let row = 0; row < 6; row += 1) {
      const factor = k * (row === 0 ? n0 : row === 1 ? n1 : row === 2 ? n2 : row === 3 ? m0 : row === 4 ? m1 : m2);
      const at = 6 * row;
      matrix[at] += factor * n0;
      matrix[at + 1] += factor * n1;
      matrix[at + 2] += factor * n2;
      matrix[at + 3] += factor * m0;
      matrix[at + 4] += factor * m1;
      matrix[at + 5] += factor * m2;
    }
  }
}

/** [F]× into ∂τ/∂x. */
function addMovingCentre(matrix: Float64Array, { set, ends }: ToolContacts, pair: number): void {
  const { normal, depth, stiffness } = set;
  let fx = 0;
  let fy = 0;
  let fz = 0;
  for (let c = pair > 0 ? ends[pair - 1] : 0; c < ends[pair]; c += 1) {
    const force = stiffness[c] * depth[c];
    fx += force * normal[3 * c];
    fy += force * normal[3 * c + 1];
    fz += force * normal[3 * c + 2];
  }
  matrix[6 * 3 + 1] -= fz;
  matrix[6 * 3 + 2] += fy;
  matrix[6 * 4] += fz;
  matrix[6 * 4 + 2] -= fx;
  matrix[6 * 5] -= fy;
  matrix[6 * 5 + 1] += fx;
}

/** r Fᵀ − (F·r) 1 into ∂τ/∂ω. */
function addTurningArms(matrix: Float64Array, { set, ends }: ToolContacts, pair: number): void {
  const { normal, arm, depth, stiffness } = set;
  for (let c = pair > 0 ? ends[pair - 1] : 0; c < ends[pair]; c += 1) {
    const force = stiffness[c] * depth[c];
    if (force === 0) continue;
    const o = 3 * c;
    const fx = force * normal[o];
    const fy = force * normal[o + 1];
    const fz = force * normal[o + 2];
    const inner = fx * arm[o] + fy * arm[o + 1] + fz * arm[o + 2];
    for (let row = 0; row < 3; row += 1) {
      const at = 6 * (3 + row) + 3;
      const r = arm[o + row];
      matrix[at] += r * fx;
      matrix[at + 1] += r * fy;
      matrix[at + 2] += r * fz;
      matrix[at + row] -= inner;
    }
  }
}
