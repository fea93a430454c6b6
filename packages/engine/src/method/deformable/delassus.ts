import type { ConeProblem } from '../../complementarity/cone-problem.js';
import { layDense } from '../../complementarity/cone-problem.js';
import { RIGID, type WorldContacts } from './contacts.js';
import type { ElasticPart } from './elastic-part.js';
import type { WorldBody } from './world-body.js';

/**
 * The Delassus operator of some contacts (Duriez et al., Eq. 17 and 30): W = Σ_i (H_i C_i H_iᵀ + J_i S_i⁻¹ J_iᵀ) over the
 * bodies i, with C_i the compliance of the deformation within a step and S_i⁻¹ that of the rigid motion. `members` are the
 * contacts, by index, in the order of the problem; of the first `known` of them it is there already.
 */
export function extendDelassus(
  problem: ConeProblem,
  contacts: WorldContacts,
  bodies: readonly WorldBody[],
  members: Int32Array,
  known: number,
  count: number,
): void {
  layDense(problem, count);
  const { blocks } = problem;
  spread(blocks, known, count);
  for (let b = known; b < count; b += 1) {
    for (let a = 0; a <= b; a += 1) {
      const block = 9 * (a * count + b);
      for (let k = 0; k < 9; k += 1) blocks[block + k] = 0;
      addPair(blocks, block, contacts, bodies, members[a], members[b]);
      if (a !== b) mirror(blocks, block, 9 * (b * count + a));
    }
  }
}

/** Moves the blocks of a full matrix to their places in a larger one. */
function spread(blocks: Float64Array, from: number, to: number): void {
  for (let row = from - 1; row > 0; row -= 1) blocks.copyWithin(9 * row * to, 9 * row * from, 9 * (row + 1) * from);
}

/** W is symmetric: the other block is this one transposed. */
function mirror(blocks: Float64Array, from: number, to: number): void {
  for (let i = 0; i < 3; i += 1) for (let j = 0; j < 3; j += 1) blocks[to + 3 * j + i] = blocks[from + 3 * i + j];
}

/** What a force at contact β moves at contact α, through all bodies that they share. */
function addPair(
  blocks: Float64Array,
  block: number,
  contacts: WorldContacts,
  bodies: readonly WorldBody[],
  alpha: number,
  beta: number,
): void {
  const { body } = contacts.side;
  for (let s = 2 * alpha; s < 2 * alpha + 2; s += 1) {
    for (let t = 2 * beta; t < 2 * beta + 2; t += 1) {
      if (body[s] !== body[t]) continue;
      const shared = bodies[body[s]];
      addCoordinates(blocks, block, contacts, shared, s, t);
      if (shared.elastic !== null) addStatic(blocks, block, contacts, shared.elastic, s, t);
    }
  }
}

/**
 * J S⁻¹ Jᵀ, and what inertia takes away from the static answer of the lowest modes: the product of motion and answer over
 * the coordinates that the body has.
 */
function addCoordinates(
  blocks: Float64Array,
  block: number,
  { side, coordinates }: WorldContacts,
  { rigid, elastic }: WorldBody,
  s: number,
  t: number,
): void {
  const { motion, answer } = side;
  const from = rigid === null ? RIGID : 0;
  const to = elastic === null ? RIGID : RIGID + elastic.lively;
  let nn = 0;
  let nu = 0;
  let nv = 0;
  let un = 0;
  let uu = 0;
  let uv = 0;
  let vn = 0;
  let vu = 0;
  let vv = 0;
  let a = 3 * (coordinates * s + from);
  let m = 3 * (coordinates * t + from);
  for (let k = from; k < to; k += 1) {
    const an = answer[a];
    const au = answer[a + 1];
    const av = answer[a + 2];
    const mn = motion[m];
    const mu = motion[m + 1];
    const mv = motion[m + 2];
    nn += an * mn;
    nu += an * mu;
    nv += an * mv;
    un += au * mn;
    uu += au * mu;
    uv += au * mv;
    vn += av * mn;
    vu += av * mu;
    vv += av * mv;
    a += 3;
    m += 3;
  }
  blocks[block] += nn;
  blocks[block + 1] += nu;
  blocks[block + 2] += nv;
  blocks[block + 3] += un;
  blocks[block + 4] += uu;
  blocks[block + 5] += uv;
  blocks[block + 6] += vn;
  blocks[block + 7] += vu;
  blocks[block + 8] += vv;
}

/** H K⁻¹ Hᵀ: the compliance between the vertices of both points, weighted, seen along both frames. */
function addStatic(
  blocks: Float64Array,
  block: number,
  { side, workspace }: WorldContacts,
  { body, prompt }: ElasticPart,
  s: number,
  t: number,
): void {
  const { vertex, weight, frame } = side;
  const { compliance, columnOf, columnCount } = body;
  const { half } = workspace;
  let xx = 0;
  let xy = 0;
  let xz = 0;
  let yx = 0;
  let yy = 0;
  let yz = 0;
  let zx = 0;
  let zy = 0;
  let zz = 0;
  for (let j = 0; j < 3; j += 1) {
    const u = vertex[3 * t + j];
    // A vertex that is held gives no answer.
    if (u < 0 || columnOf[u] < 0) continue;
    const column = columnOf[u];
    for (let i = 0; i < 3; i += 1) {
      const v = vertex[3 * s + i];
      if (v < 0) continue;
      const w = weight[3 * s + i] * weight[3 * t + j];
      const at = 9 * (columnCount * v + column);
      xx += w * compliance[at];
      xy += w * compliance[at + 1];
      xz += w * compliance[at + 2];
      yx += w * compliance[at + 3];
      yy += w * compliance[at + 4];
      yz += w * compliance[at + 5];
      zx += w * compliance[at + 6];
      zy += w * compliance[at + 7];
      zz += w * compliance[at + 8];
    }
  }
  const scale = prompt[0];
  const f = 9 * s;
  const g = 9 * t;
  for (let i = 0; i < 3; i += 1) {
    const x = scale * frame[f + 3 * i];
    const y = scale * frame[f + 3 * i + 1];
    const z = scale * frame[f + 3 * i + 2];
    half[0] = x * xx + y * yx + z * zx;
    half[1] = x * xy + y * yy + z * zy;
    half[2] = x * xz + y * yz + z * zz;
    for (let j = 0; j < 3; j += 1) {
      blocks[block + 3 * i + j] +=
        half[0] * frame[g + 3 * j] + half[1] * frame[g + 3 * j + 1] + half[2] * frame[g + 3 * j + 2];
    }
  }
}
