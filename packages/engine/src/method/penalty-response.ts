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

/** −k J Jᵀ. The sums are local variables, because that is more than twice as fast as adding to an array. */
function addSprings(matrix: Float64Array, { set }: ToolContacts): void {
  const { normal, arm, stiffness, count } = set;
  let s00 = 0;
  let s10 = 0;
  let s11 = 0;
  let s20 = 0;
  let s21 = 0;
  let s22 = 0;
  let s30 = 0;
  let s31 = 0;
  let s32 = 0;
  let s33 = 0;
  let s40 = 0;
  let s41 = 0;
  let s42 = 0;
  let s43 = 0;
  let s44 = 0;
  let s50 = 0;
  let s51 = 0;
  let s52 = 0;
  let s53 = 0;
  let s54 = 0;
  let s55 = 0;
  for (let c = 0; c < count; c += 1) {
    const k = stiffness[c];
    if (k === 0) continue;
    const o = 3 * c;
    const j0 = normal[o];
    const j1 = normal[o + 1];
    const j2 = normal[o + 2];
    const j3 = arm[o + 1] * j2 - arm[o + 2] * j1;
    const j4 = arm[o + 2] * j0 - arm[o] * j2;
    const j5 = arm[o] * j1 - arm[o + 1] * j0;
    const k0 = k * j0;
    const k1 = k * j1;
    const k2 = k * j2;
    const k3 = k * j3;
    const k4 = k * j4;
    const k5 = k * j5;
    s00 += k0 * j0;
    s10 += k1 * j0;
    s11 += k1 * j1;
    s20 += k2 * j0;
    s21 += k2 * j1;
    s22 += k2 * j2;
    s30 += k3 * j0;
    s31 += k3 * j1;
    s32 += k3 * j2;
    s33 += k3 * j3;
    s40 += k4 * j0;
    s41 += k4 * j1;
    s42 += k4 * j2;
    s43 += k4 * j3;
    s44 += k4 * j4;
    s50 += k5 * j0;
    s51 += k5 * j1;
    s52 += k5 * j2;
    s53 += k5 * j3;
    s54 += k5 * j4;
    s55 += k5 * j5;
  }
  matrix[0] -= s00;
  matrix[6] -= s10;
  matrix[1] -= s10;
  matrix[7] -= s11;
  matrix[12] -= s20;
  matrix[2] -= s20;
  matrix[13] -= s21;
  matrix[8] -= s21;
  matrix[14] -= s22;
  matrix[18] -= s30;
  matrix[3] -= s30;
  matrix[19] -= s31;
  matrix[9] -= s31;
  matrix[20] -= s32;
  matrix[15] -= s32;
  matrix[21] -= s33;
  matrix[24] -= s40;
  matrix[4] -= s40;
  matrix[25] -= s41;
  matrix[10] -= s41;
  matrix[26] -= s42;
  matrix[16] -= s42;
  matrix[27] -= s43;
  matrix[22] -= s43;
  matrix[28] -= s44;
  matrix[30] -= s50;
  matrix[5] -= s50;
  matrix[31] -= s51;
  matrix[11] -= s51;
  matrix[32] -= s52;
  matrix[17] -= s52;
  matrix[33] -= s53;
  matrix[23] -= s53;
  matrix[34] -= s54;
  matrix[29] -= s54;
  matrix[35] -= s55;
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
