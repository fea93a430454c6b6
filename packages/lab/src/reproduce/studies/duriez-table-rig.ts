import { prepareScene } from '@palpable/cli/internal';
import { createPose, type Hand, PalpableError, type Pose } from '@palpable/engine';
import type { ConeProblem, DeformableSetup } from '@palpable/engine/advanced';
import type { LoadedScene } from '../../play/load-scene.js';
import { play } from '../../play/play.js';
import { mean } from '../../play/statistics.js';
import type { Lab } from '../study.js';
import { type DeformableRig, deformableRig, heldBody, withFriction } from './duriez-rig.js';

/* The table of Duriez et al., section 5: four legs on the floor, with or without stretchers along x, under a load. */

/** The scene with the table's surface replaced by that of another model. */
export async function withModel({ scene, bodies, cache }: Lab, model: 'table' | 'table-braced'): Promise<LoadedScene> {
  const tool = scene.tool[0]!;
  const table = { ...scene.bodies[tool]!, mesh: { model } };
  const changed = { ...scene, bodies: { ...scene.bodies, [tool]: table } };
  const prepared = await prepareScene(changed, '.', { cache });
  return { scene: changed, bodies: new Map([...bodies, [tool, prepared.get(tool)!.body]]) };
}

export function atStep({ scene, bodies }: LoadedScene, timeStep: number): LoadedScene {
  return { scene: { ...scene, timeStep }, bodies };
}

/** Steps until the load is on: long ones each take the rest of the error down to about two thirds. */
const STEPS = 40;
/** Time that the table takes to come to rest when steps are short, s. */
const SETTLING = 0.3;

export type PressedTable = ReturnType<typeof pressTable>;

/** Stands the table on the floor and loads its grip until it rests. */
export function pressTable(scene: LoadedScene, load: number, coefficient: number) {
  const rig = deformableRig(scene, (setup) => withFriction(setup, coefficient));
  const { coupling, timeStep } = rig.setup.options;
  const hand: Hand = {
    start: createPose(),
    cycles: Math.max(STEPS, Math.round(SETTLING / timeStep)),
    // The spring is kept as long as the load stretches it.
    move: (device, _, { toolPose }) => {
      device[2] = toolPose[2]! - load / coupling.stiffness;
    },
  };
  const { column, finalPose } = play(rig, hand);
  return {
    rig,
    /** N, as the grip feels it. */
    load: column.force_z.at(-1)!,
    /** Mean displacement of the feet outward from the middle, m. */
    spread: meanSpread(rig, finalPose),
    /** Whether the last step met a cap. */
    capped: column.capped.at(-1)! !== 0,
  };
}

/** Vertices at rest that are nearer to z = 0 than this are a foot, m. */
const FOOT = 1e-3;

function meanSpread({ setup, world }: DeformableRig, toolPose: Pose): number {
  const { rest, local } = world.side!.bodies[heldBody(setup)]!;
  let [sum, count] = [0, 0];
  for (let v = 0; v < rest.length; v += 3) {
    if (rest[v + 2]! > FOOT) continue;
    const before = Math.hypot(rest[v]!, rest[v + 1]!);
    sum += Math.hypot(local[v]! + toolPose[0]!, local[v + 1]! + toolPose[1]!) - before;
    count += 1;
  }
  return sum / Math.max(1, count);
}

/** 0 to 3, by the corner of the table: legs 0 and 1, and 2 and 3, are those that a stretcher along x joins. */
function legOf(position: ArrayLike<number>, contact: number): number {
  return (position[3 * contact + 1]! > 0 ? 2 : 0) + (position[3 * contact]! > 0 ? 1 : 0);
}

/** `perLeg` contacts of each leg, those first that press most or are nearest, one leg after the other. */
export function feetContacts({ rig }: PressedTable, perLeg: number): number[] {
  const { contacts } = rig.world.dynamics;
  const all = Array.from({ length: contacts.count }, (_, c) => c);
  const byPress = (a: number, b: number) =>
    contacts.force[3 * b]! - contacts.force[3 * a]! || contacts.gap[a]! - contacts.gap[b]!;
  const legs = [0, 1, 2, 3].map((leg) =>
    all
      .filter((c) => legOf(contacts.position, c) === leg)
      .sort(byPress)
      .slice(0, perLeg),
  );
  const fewest = Math.min(...legs.map(({ length }) => length));
  if (fewest < perLeg) {
    const message = `A leg of the table has ${fewest} contacts, but the experiment takes ${perLeg}; raise method.solvedContacts or make elements smaller.`;
    throw new PalpableError('option-invalid', message, 'parameters');
  }
  return legs.flat();
}

/** The same contacts with one of each leg in turn, so that the first 4n are n of each leg. */
export function alternating(contacts: readonly number[]): number[] {
  const perLeg = contacts.length / 4;
  return contacts.map((_, n) => contacts[(n % 4) * perLeg + Math.floor(n / 4)]!);
}

/** Moves all contacts of a problem on the floor, where t₁ is x and t₂ is y: by x and y (m), and about z (rad). */
export function addPlaneMotion(
  problem: ConeProblem,
  positions: ArrayLike<number>,
  contacts: readonly number[],
  [x, y, turn]: readonly [number, number, number],
): void {
  contacts.forEach((contact, row) => {
    problem.free[3 * row + 1]! += x - turn * positions[3 * contact + 1]!;
    problem.free[3 * row + 2]! += y + turn * positions[3 * contact]!;
  });
}

/** All bodies rigid, with the surfaces that they have. */
export function withoutElasticity(setup: DeformableSetup): DeformableSetup {
  return { ...setup, bodies: setup.bodies.map((body) => ({ ...body, elastic: null })) };
}

/* How strongly contacts of the table act on each other through W, by leg; contacts are sorted by leg, as many of each. */

/** Normal, t₁ and t₂, which are x and y on the floor, with the colours of the paper's figures. */
export const PANELS = [
  { label: 'normal', colour: '#c00000' },
  { label: 'along x', colour: '#0047ab' },
  { label: 'along y', colour: '#007a33' },
] as const;

/** Of each direction. */
export type Coupling = ReturnType<typeof couplingOf>;

export function couplingOf(problem: ConeProblem, perLeg: number) {
  const axes = [0, 1, 2];
  const between = (axis: number, counts: (first: number, second: number) => boolean) => {
    const shares: number[] = [];
    for (let a = 0; a < problem.count; a += 1) {
      for (let b = 0; b < problem.count; b += 1) {
        if (a === b || !counts(Math.floor(a / perLeg), Math.floor(b / perLeg))) continue;
        const own = Math.sqrt(entry(problem, axis, a, a) * entry(problem, axis, b, b));
        shares.push(Math.abs(entry(problem, axis, a, b)) / own);
      }
    }
    return mean(shares);
  };
  const areJoined = (a: number, b: number) => a !== b && a >> 1 === b >> 1;
  return {
    /** Mean of W_αα, m/N. */
    own: axes.map((axis) => mean(Array.from({ length: problem.count }, (_, a) => entry(problem, axis, a, a)))),
    /** Means of |W_αβ| / √(W_αα W_ββ): how much of a contact's motion another one shares. */
    sameLeg: axes.map((axis) => between(axis, (a, b) => a === b)),
    /** Of the two legs that differ in x alone, which is where the stretchers are. */
    alongX: axes.map((axis) => between(axis, areJoined)),
    others: axes.map((axis) => between(axis, (a, b) => a >> 1 !== b >> 1)),
  };
}

/** |W| of all pairs along one direction, the largest being 1. */
export function panelValues(problem: ConeProblem, axis: number): Float64Array {
  const { count } = problem;
  const values = new Float64Array(count * count);
  for (let a = 0; a < count; a += 1) {
    for (let b = 0; b < count; b += 1) values[a * count + b] = Math.abs(entry(problem, axis, a, b));
  }
  const most = values.reduce((largest, value) => Math.max(largest, value), 0);
  return most > 0 ? values.map((value) => value / most) : values;
}

/** Of the dense pattern. */
function entry({ blocks, count }: ConeProblem, axis: number, a: number, b: number): number {
  return blocks[9 * (a * count + b) + 4 * axis]!;
}
