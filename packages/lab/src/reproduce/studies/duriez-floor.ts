import type { Row } from '@palpable/cli/internal';
import { createPose, type Hand } from '@palpable/engine';
import {
  type ConeProblem,
  createConeGaussSeidel,
  createRandom,
  type DeformableSetup,
  writeContactMotion,
} from '@palpable/engine/advanced';
import { play } from '../../play/play.js';
import { largest, rounded } from '../../play/statistics.js';
import { distancesFrom } from '../../play/summary.js';
import { type Claim, claimAbove, claimBelow } from '../claim.js';
import { defineStudy, type Lab, plot, runEach, type StudyPlot, table, type ValuesOf } from '../study.js';
import { deformableRig, relativeDifference, selectContacts } from './duriez-rig.js';
import { withoutElasticity } from './duriez-table-rig.js';

/*
 * Duriez et al., section 6.3, fig. 13: a body on the floor with friction, loaded and pushed aside. Without elasticity W
 * has no more than rank six, many forces hold the body, and Gauss–Seidel finds another one for each order in which it
 * treats the contacts. With the compliance of a stiff body, by the corotational model, there is one answer.
 */

const parameters = {
  load: { meaning: 'pressing down', unit: 'N', min: 0.01, max: 1000 },
  push: { meaning: 'along x', unit: 'N', min: 0, max: 1000 },
  rampSeconds: { meaning: 'in which the load grows', unit: 's', min: 0.01, max: 10 },
  holdSeconds: { meaning: 'of rest under the load', unit: 's', min: 0.1, max: 100 },
  orders: { meaning: 'random orders of the contacts', unit: '', min: 2, max: 1000, whole: true },
  tolerance: { meaning: 'of Gauss–Seidel', unit: '', min: 1e-14, max: 0.1 },
  seed: { meaning: 'of the orders', unit: '', min: 0, max: 1e9, whole: true },
} as const;
type Values = ValuesOf<typeof parameters>;

/**
 * Of one model of the body. `drift`: Largest motion of the tool from the middle to the end of the time of
 * rest, m. `forces`: Forces of all orders, sorted back, 3 per contact. `spread`: Largest difference from the first
 * order, of all forces and of the motions that they make. `moved`: Largest motion of a contact that presses, in a
 * step, over all orders, m. `restless`: Orders in which it did not come to rest. `capped`: Cycles of the time of rest
 * that met a cap.
 */
type FloorRun = ReturnType<typeof runOn>;

/** Without elasticity the forces wander on among all that hold the body. */
const MOST_SWEEPS = 10_000;

export const duriezFloor = defineStudy({
  name: 'duriez-floor',
  parameters,
  async run(lab, values) {
    const models = { rigid: withoutElasticity, corotational: (setup: DeformableSetup) => setup };
    const names = ['rigid', 'corotational'] as const;
    const runs = await runEach(lab, names, String, (name) => runOn(lab, values, name, models[name]));
    const [rigid, elastic] = runs as [FloorRun, FloorRun];
    return {
      tables: [table('orders', `Forces by Gauss–Seidel in ${values.orders} orders of the contacts`, runs.map(rowOf))],
      plots: runs.map(plotOf),
      claims: claimsOf(rigid, elastic),
      capped: rigid.capped + elastic.capped,
    };
  },
});

function runOn(lab: Lab, values: Values, name: string, change: (setup: DeformableSetup) => DeformableSetup) {
  const { load, push, rampSeconds, holdSeconds, seed, orders, tolerance } = values;
  const rig = deformableRig(lab, change);
  const { timeStep, coupling } = rig.setup.options;
  const ramp = Math.round(rampSeconds / timeStep);
  const cycles = ramp + Math.round(holdSeconds / timeStep);
  const move: Hand['move'] = (device, cycle) => {
    const part = Math.min(1, cycle / ramp);
    device[0] = (part * push) / coupling.stiffness;
    device[2] = (-part * load) / coupling.stiffness;
  };
  const recording = play(rig, { start: createPose(), cycles, move });
  const { column } = recording;
  const middle = Math.ceil((ramp + cycles) / 2) - 1;
  const place = [column.tool_x[middle]!, column.tool_y[middle]!, column.tool_z[middle]!];
  const drift = largest(distancesFrom(recording, place).subarray(middle));
  const capped = column.capped.subarray(ramp).filter((bits) => bits !== 0).length;
  const { problem } = rig.world.dynamics;
  return { name, drift, capped, contacts: problem.count, ...solveInOrders(problem, { seed, orders, tolerance }) };
}

/** The same problem from zero forces, with its contacts in other orders. */
function solveInOrders(
  problem: ConeProblem,
  { seed, orders, tolerance }: Pick<Values, 'seed' | 'orders' | 'tolerance'>,
) {
  const random = createRandom(seed);
  const { count } = problem;
  const solver = createConeGaussSeidel({ capacity: count, local: 'exact', tolerance, maxSweeps: MOST_SWEEPS });
  const all = Array.from({ length: orders }, (_, n) => (n === 0 ? range(count) : shuffled(range(count), random)));
  const motion = new Float64Array(3 * count);
  const forces: Float64Array[] = [];
  const motions: Float64Array[] = [];
  let [sweeps, restless, moved] = [0, 0, 0];
  for (const order of all) {
    const part = selectContacts(problem, order);
    const found = new Float64Array(3 * count);
    solver.solve(found, part);
    writeContactMotion(motion, part, found);
    sweeps = Math.max(sweeps, solver.sweeps);
    if (solver.capped) restless += 1;
    order.forEach((_, k) => {
      if (found[3 * k]! > 0)
        moved = Math.max(moved, Math.hypot(motion[3 * k]!, motion[3 * k + 1]!, motion[3 * k + 2]!));
    });
    forces.push(sortedBack(found, order));
    motions.push(sortedBack(motion, order));
  }
  const spread = Math.max(...forces.map((found) => relativeDifference(found, forces[0]!)));
  const free = Math.hypot(...problem.free.subarray(0, 3 * count));
  const motionSpread = Math.max(...motions.map((found) => lengthBetween(found, motions[0]!))) / free;
  return { forces, spread, motionSpread, moved, sweeps, restless };
}

function lengthBetween(a: Float64Array, b: Float64Array): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0));
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

function shuffled(items: number[], random: () => number): number[] {
  for (let n = items.length - 1; n > 0; n -= 1) {
    const other = Math.floor(random() * (n + 1));
    [items[n], items[other]] = [items[other]!, items[n]!];
  }
  return items;
}

function sortedBack(values: Float64Array, order: readonly number[]): Float64Array {
  const sorted = new Float64Array(values.length);
  order.forEach((contact, k) => {
    sorted.set(values.subarray(3 * k, 3 * k + 3), 3 * contact);
  });
  return sorted;
}

function rowOf({ name, drift, contacts, spread, motionSpread, moved, sweeps, restless }: FloorRun): Row {
  return {
    model: name,
    contacts,
    'forces differ by, %': rounded(100 * spread),
    'motions differ by, %': rounded(100 * motionSpread),
    'contacts move in a step, nm': rounded(1e9 * moved),
    'drift, nm': rounded(1e9 * drift),
    'most sweeps': sweeps,
    'orders without rest': restless,
  };
}

function claimsOf(rigid: FloorRun, elastic: FloorRun): Claim[] {
  return [
    claimAbove('rigid: forces depend on the order of the contacts', 100 * rigid.spread, 1, '%'),
    claimBelow('rigid: the motion does not', 100 * rigid.motionSpread, 0.01, '%'),
    claimBelow('corotational: forces do not', 100 * elastic.spread, 0.1, '%'),
    claimBelow('rigid: the body does not move', 1e6 * rigid.drift, 1, 'µm'),
    claimBelow('corotational: nor does it', 1e6 * elastic.drift, 1, 'µm'),
  ];
}

const SHOWN_ORDERS = 4;

function plotOf({ name, forces }: FloorRun): StudyPlot {
  const series = forces.slice(0, SHOWN_ORDERS).map((found, order) => ({
    name: `order ${order + 1}`,
    points: Array.from({ length: found.length / 3 }, (_, c) => [c + 1, found[3 * c]!] as const),
  }));
  return plot(`forces-${name}`, `Normal forces, ${name}`, 'contact', { label: 'normal force, N', min: 0 }, series);
}
