import type { ElasticBody } from '../../elasticity/elastic-body.js';
import type { ElasticMaterial } from '../../elasticity/elastic-dynamics.js';
import { square } from '../../math/portable.js';

/**
 * The deformation of one body in its own frame (Duriez et al., Eq. 27), on its surface alone:
 *
 *     u = K⁻¹ F̄ + G b + Φ y
 *
 * K⁻¹ F̄ is the static answer to the nodal forces of the contacts, G b that to the body force b, and Φ y what mass changes in
 * it: the lowest modes Φ are integrated by implicit Euler as Eq. 27 says; all higher ones have no inertia, since implicit
 * Euler takes the memory of what is far above the rate of the loop away within a step anyway. So the body costs the same in
 * every cycle whatever the number of its elements, and its material and the time step are free to change.
 *
 * Without inertia Eq. 27 with D = βK reads (1 + β/Δt) K u = F + (β/Δt) K u₋: the forces count with a delay,
 * F̄ = h F̄₋ + (1 − h) F with h = (β/Δt) / (1 + β/Δt).
 *
 * Of mode k, mass-normalised for a density of 1 with λ_k for a modulus of 1: the step is
 * s_k q = p + (ρ/Δt² + d_k/Δt) q₋ + (ρ/Δt) q̇₋ with s_k = ρ/Δt² + d_k/Δt + Eλ_k and d_k = αρ + βEλ_k, and y = q less what
 * the two static answers hold of the mode already.
 */
export interface ElasticPart {
  readonly body: ElasticBody;
  /** Surface vertex of each column of the compliance, vertices that move but have no column, and both. */
  readonly columnVertex: Int32Array;
  readonly untouchable: Int32Array;
  readonly moving: Int32Array;
  /**
   * So many of the lowest modes have a memory worth keeping at this material and time step; the arrays of modes are zero
   * beyond. A stiff body has few: the others are too fast for the loop.
   */
  lively: number;
  readonly inverseYoung: Float64Array;
  /** ρ, by which body forces are multiplied. */
  readonly density: Float64Array;
  /** 1/s_k */
  readonly response: Float64Array;
  /** 1/(Eλ_k) */
  readonly staticResponse: Float64Array;
  /** (1 − h)/(Eλ_k) − 1/s_k: how much less than without inertia mode k gives way within a step. */
  readonly shortfall: Float64Array;
  /** What of q₋ and of q̇₋ stays in q. */
  readonly keepPlace: Float64Array;
  readonly keepSpeed: Float64Array;
  /** 1/Δt */
  readonly rate: Float64Array;
  /** h */
  readonly delay: Float64Array;
  /** (1 − h)/E, by which forces count within their step. */
  readonly prompt: Float64Array;
  /** What K⁻¹ F̄ holds of the modes. */
  readonly still: Float64Array;
  /** q, q̇: the state of the modes. */
  readonly place: Float64Array;
  readonly speed: Float64Array;
  /** Body force per mass in the body's frame, m/s². */
  readonly weight: Float64Array;
  /** y of the free motion of this step, and of its end. */
  readonly free: Float64Array;
  readonly shape: Float64Array;
  /** F and Φᵀ F: the contact forces of this step. */
  readonly pull: NodalLoad;
  readonly modalForce: Float64Array;
  /** F̄ of the step before. */
  readonly load: NodalLoad;
}

/** Forces on surface vertices, body frame. A pool with a `count`. */
export interface NodalLoad {
  count: number;
  readonly capacity: number;
  readonly vertex: Int32Array;
  /** N, three numbers each. */
  readonly force: Float64Array;
  /** Place in the pool of each surface vertex, −1 for none. */
  readonly slot: Int32Array;
}

/** A mode that keeps less than this of its motion through a step has no memory. */
const FORGOTTEN = 3e-4;

export function createElasticPart(
  body: ElasticBody,
  material: Omit<ElasticMaterial, 'poisson'>,
  timeStep: number,
  loadCapacity: number,
): ElasticPart {
  const modes = body.modeStiffness.length;
  const { young, density, massDamping = 0, stiffnessDamping = 0 } = material;
  const numbers = () => new Float64Array(modes);
  const delay = stiffnessDamping / (timeStep + stiffnessDamping);
  const part: ElasticPart = {
    body,
    ...sortVertices(body),
    lively: 0,
    inverseYoung: Float64Array.of(1 / young),
    density: Float64Array.of(density),
    response: numbers(),
    staticResponse: numbers(),
    shortfall: numbers(),
    keepPlace: numbers(),
    keepSpeed: numbers(),
    rate: Float64Array.of(1 / timeStep),
    delay: Float64Array.of(delay),
    prompt: Float64Array.of((1 - delay) / young),
    still: numbers(),
    place: numbers(),
    speed: numbers(),
    weight: new Float64Array(3),
    free: numbers(),
    shape: numbers(),
    pull: createLoad(loadCapacity, body),
    modalForce: numbers(),
    load: createLoad(loadCapacity, body),
  };
  for (let k = 0; k < modes; k += 1) {
    const stiffness = young * body.modeStiffness[k];
    const damping = massDamping * density + stiffnessDamping * stiffness;
    const inertia = density / (timeStep * timeStep) + damping / timeStep;
    const swing = density / (timeStep * timeStep) + (massDamping * density) / timeStep;
    if (!(swing > FORGOTTEN * stiffness)) break;
    part.lively = k + 1;
    part.response[k] = 1 / (inertia + stiffness);
    part.staticResponse[k] = 1 / stiffness;
    part.shortfall[k] = (1 - part.delay[0]) / stiffness - 1 / (inertia + stiffness);
    part.keepPlace[k] = inertia / (inertia + stiffness);
    part.keepSpeed[k] = density / timeStep / (inertia + stiffness);
  }
  return part;
}

function createLoad(capacity: number, { columnOf }: ElasticBody): NodalLoad {
  return {
    count: 0,
    capacity,
    vertex: new Int32Array(capacity),
    force: new Float64Array(3 * capacity),
    slot: new Int32Array(columnOf.length).fill(-1),
  };
}

function sortVertices({ columnOf, columnCount, fixedVertices }: ElasticBody) {
  const columnVertex = new Int32Array(columnCount);
  const untouchable: number[] = [];
  columnOf.forEach((column, vertex) => {
    if (column >= 0) columnVertex[column] = vertex;
    else if (!fixedVertices[vertex]) untouchable.push(vertex);
  });
  return {
    columnVertex,
    untouchable: Int32Array.from(untouchable),
    moving: Int32Array.from([...columnVertex, ...untouchable]).sort(),
  };
}

/** Forgets all motion and all forces. */
export function relaxElastic(part: ElasticPart): void {
  part.still.fill(0);
  part.place.fill(0);
  part.speed.fill(0);
  part.weight.fill(0);
  part.free.fill(0);
  part.shape.fill(0);
  part.modalForce.fill(0);
  clearLoad(part.pull);
  clearLoad(part.load);
}

/** Takes the deformation of a part of the same body over, which may be of another material: the shape stays, forces fit it. */
export function takeOverElastic(part: ElasticPart, before: ElasticPart): void {
  relaxElastic(part);
  const kept = Math.min(part.lively, before.lively);
  for (const name of ['still', 'place', 'speed', 'shape'] as const) part[name].set(before[name].subarray(0, kept));
  part.weight.set(before.weight);
  const { load } = part;
  const scale = before.inverseYoung[0] / part.inverseYoung[0];
  load.count = Math.min(before.load.count, load.capacity);
  for (let n = 0; n < load.count; n += 1) {
    load.vertex[n] = before.load.vertex[n];
    load.slot[load.vertex[n]] = n;
    for (let i = 0; i < 3; i += 1) load.force[3 * n + i] = scale * before.load.force[3 * n + i];
  }
}

function clearLoad(load: NodalLoad): void {
  for (let n = 0; n < load.count; n += 1) load.slot[load.vertex[n]] = -1;
  load.count = 0;
}

/** y of the motion without contact forces under the part's `weight`. */
export function freeElastic(part: ElasticPart): void {
  const { place, speed, keepPlace, keepSpeed, response, staticResponse, still, free } = part;
  const delay = part.delay[0];
  for (let k = 0; k < part.lively; k += 1) {
    const load = weightOnMode(part, k);
    free[k] =
      keepPlace[k] * place[k] + keepSpeed[k] * speed[k] + (response[k] - staticResponse[k]) * load - delay * still[k];
  }
}

function weightOnMode({ body, density, weight }: ElasticPart, k: number): number {
  const { modeWeight: w } = body;
  return density[0] * (w[3 * k] * weight[0] + w[3 * k + 1] * weight[1] + w[3 * k + 2] * weight[2]);
}

/** Adds Φ_v y + G_v b of a surface vertex to three numbers at `at` in `out`. */
export function addSmoothPart(out: Float64Array, at: number, part: ElasticPart, y: Float64Array, vertex: number): void {
  const { body, weight } = part;
  const scale = part.density[0] * part.inverseYoung[0];
  const shapes = body.modeShapes;
  const modes = body.modeStiffness.length;
  for (let i = 0; i < 3; i += 1) {
    const row = (3 * vertex + i) * modes;
    let sum = 0;
    for (let k = 0; k < part.lively; k += 1) sum += shapes[row + k] * y[k];
    const g = 3 * (3 * vertex + i);
    const response = body.weightResponse;
    out[at + i] += sum + scale * (response[g] * weight[0] + response[g + 1] * weight[1] + response[g + 2] * weight[2]);
  }
}

/** Adds K⁻¹ F̄ of a surface vertex. */
export function addStaticPart(out: Float64Array, at: number, part: ElasticPart, vertex: number): void {
  addAnswer(out, at, part, part.load, vertex, part.inverseYoung);
}

/** Adds what the contact forces of this step move a surface vertex by: as W has it. */
export function addPulledPart(out: Float64Array, at: number, part: ElasticPart, vertex: number): void {
  const { body, modalForce, shortfall, prompt } = part;
  addAnswer(out, at, part, part.pull, vertex, prompt);
  const { modeShapes } = body;
  const modes = shortfall.length;
  for (let i = 0; i < 3; i += 1) {
    const row = (3 * vertex + i) * modes;
    let sum = 0;
    for (let k = 0; k < part.lively; k += 1) sum += modeShapes[row + k] * shortfall[k] * modalForce[k];
    out[at + i] -= sum;
  }
}

/** `scale[0]` times the response of a modulus of 1 to a load. */
function addAnswer(
  out: Float64Array,
  at: number,
  { body }: ElasticPart,
  load: NodalLoad,
  vertex: number,
  scale: Float64Array,
): void {
  const { compliance, columnOf } = body;
  const row = 9 * body.columnCount * vertex;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let n = 0; n < load.count; n += 1) {
    const block = row + 9 * columnOf[load.vertex[n]];
    const fx = load.force[3 * n];
    const fy = load.force[3 * n + 1];
    const fz = load.force[3 * n + 2];
    x += compliance[block] * fx + compliance[block + 1] * fy + compliance[block + 2] * fz;
    y += compliance[block + 3] * fx + compliance[block + 4] * fy + compliance[block + 5] * fz;
    z += compliance[block + 6] * fx + compliance[block + 7] * fy + compliance[block + 8] * fz;
  }
  out[at] += scale[0] * x;
  out[at + 1] += scale[0] * y;
  out[at + 2] += scale[0] * z;
}

/** The contact forces of this step are to be added. */
export function beginLoad(part: ElasticPart): void {
  clearLoad(part.pull);
  part.modalForce.fill(0);
}

/** Those of the last step fade. */
function fadeLoad({ load, delay }: ElasticPart): void {
  const kept = delay[0];
  let count = 0;
  for (let n = 0; n < load.count; n += 1) {
    const vertex = load.vertex[n];
    const x = kept * load.force[3 * n];
    const y = kept * load.force[3 * n + 1];
    const z = kept * load.force[3 * n + 2];
    load.slot[vertex] = -1;
    if (!(x * x + y * y + z * z > NEGLIGIBLE)) continue;
    load.slot[vertex] = count;
    load.vertex[count] = vertex;
    load.force[3 * count] = x;
    load.force[3 * count + 1] = y;
    load.force[3 * count + 2] = z;
    count += 1;
  }
  load.count = count;
}

/** Squared, N²: what is left of a force that no longer acts. */
const NEGLIGIBLE = 1e-5 * 1e-5;

/** Adds `weight · force` on a surface vertex, the force being three numbers in the body's frame. */
export function addLoad(
  part: ElasticPart,
  vertex: number,
  weights: Float64Array,
  w: number,
  force: Float64Array,
): void {
  const { body, pull, modalForce } = part;
  const weight = weights[w];
  // A vertex that is held moves with the rigid part alone.
  if (weight === 0 || body.columnOf[vertex] < 0) return;
  const slot = takeSlot(pull, vertex);
  const modes = modalForce.length;
  for (let i = 0; i < 3; i += 1) {
    const component = weight * force[i];
    pull.force[3 * slot + i] += component;
    const row = (3 * vertex + i) * modes;
    for (let k = 0; k < part.lively; k += 1) modalForce[k] += body.modeShapes[row + k] * component;
  }
}

/** The place of a vertex in a load, with no force if it is new. */
function takeSlot(load: NodalLoad, vertex: number): number {
  let slot = load.slot[vertex];
  if (slot >= 0) return slot;
  slot = load.count < load.capacity ? load.count : weakest(load);
  load.count = Math.max(load.count, slot + 1);
  if (load.slot[load.vertex[slot]] === slot) load.slot[load.vertex[slot]] = -1;
  load.slot[vertex] = slot;
  load.vertex[slot] = vertex;
  for (let i = 0; i < 3; i += 1) load.force[3 * slot + i] = 0;
  return slot;
}

/** With many sliding contacts old forces may fill all the room. */
function weakest({ count, force }: NodalLoad): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < count; n += 1) {
    const lengthSquared = square(force[3 * n]) + square(force[3 * n + 1]) + square(force[3 * n + 2]);
    if (lengthSquared >= least) continue;
    least = lengthSquared;
    best = n;
  }
  return best;
}

/** The loads and modes at the end of the step, from the free motion and the forces that were added. */
export function endElastic(part: ElasticPart): void {
  endLoad(part);
  const { place, speed, keepPlace, keepSpeed, response, staticResponse, still, shape, modalForce } = part;
  const delay = part.delay[0];
  const rate = part.rate[0];
  for (let k = 0; k < part.lively; k += 1) {
    const load = weightOnMode(part, k);
    const q = keepPlace[k] * place[k] + keepSpeed[k] * speed[k] + response[k] * (load + modalForce[k]);
    speed[k] = rate * (q - place[k]);
    place[k] = q;
    still[k] = delay * still[k] + (1 - delay) * staticResponse[k] * modalForce[k];
    shape[k] = q - still[k] - staticResponse[k] * load;
  }
}

/** F̄ = h F̄₋ + (1 − h) F */
function endLoad(part: ElasticPart): void {
  const { load, pull } = part;
  const share = 1 - part.delay[0];
  fadeLoad(part);
  for (let n = 0; n < pull.count; n += 1) {
    const slot = takeSlot(load, pull.vertex[n]);
    for (let i = 0; i < 3; i += 1) load.force[3 * slot + i] += share * pull.force[3 * n + i];
  }
}
