import type { Row } from '@palpable/cli/internal';
import {
  type ConeProblem,
  coneResidual,
  createConeGaussSeidel,
  createRandom,
  solveCone,
} from '@palpable/engine/advanced';
import { mean, microsecondsPerCall, rounded } from '../../play/statistics.js';
import { type Claim, claimAbove, claimBelow, claimTrue } from '../claim.js';
import { type Lab, runEach, type ValuesOf } from '../study.js';
import { relativeDifference, selectContacts } from './duriez-rig.js';
import { addPlaneMotion, alternating, feetContacts, type PressedTable } from './duriez-table-rig.js';

/* Pyramids by Lemke's method against cones by Gauss–Seidel on the contacts of the table, Duriez et al., fig. 7 and 8. */

/** Enough for the tolerance; a cap that is met is counted. */
const MOST_SWEEPS = 20_000;

/** A displacement (m) and a rotation (rad), each test its own. */
function randomMotion(random: () => number, motion: number, turn: number): [number, number, number] {
  const angle = 2 * Math.PI * random();
  const distance = motion * (0.5 + 0.5 * random());
  return [distance * Math.cos(angle), distance * Math.sin(angle), turn * (2 * random() - 1)];
}

function slidingProblem(
  table: PressedTable,
  contacts: readonly number[],
  motion: [number, number, number],
): ConeProblem {
  const { problem, contacts: found } = table.rig.world.dynamics;
  const part = selectContacts(problem, contacts);
  addPlaneMotion(part, found.position, contacts, motion);
  return part;
}

export async function comparePyramids(lab: Lab, table: PressedTable, values: TableValues) {
  const contacts = feetContacts(table, values.gapPerLeg);
  const random = createRandom(values.seed);
  const found = values.sides.map(() => ({ all: [] as number[], tangential: [] as number[], unsolved: 0 }));
  const solver = createConeGaussSeidel({
    capacity: contacts.length,
    local: 'exact',
    tolerance: values.tolerance,
    maxSweeps: MOST_SWEEPS,
  });
  let [stalled, capped] = [0, 0];
  for (let test = 0; test < values.gapTests; test += 1) {
    await lab.progress('pyramids', 0.2 + (0.3 * test) / values.gapTests);
    const problem = slidingProblem(table, contacts, randomMotion(random, values.motion, values.turn));
    const forces = new Float64Array(3 * problem.count);
    solver.solve(forces, problem);
    if (solver.capped) {
      stalled += 1;
      const exact = solveCone(problem, 'newton');
      if (exact.capped) capped += 1;
      forces.set(exact.forces);
    }
    values.sides.forEach((sides, s) => {
      const pyramid = solveCone(problem, 'pyramid', { sides });
      found[s]!.all.push(relativeDifference(pyramid.forces, forces));
      found[s]!.tangential.push(relativeDifference(tangentialPart(pyramid.forces), tangentialPart(forces)));
      if (pyramid.capped) found[s]!.unsolved += 1;
    });
  }
  const rows = values.sides.map((sides, s) => ({
    sides,
    'ε, %': rounded(100 * mean(found[s]!.all)),
    'ε of friction alone, %': rounded(100 * mean(found[s]!.tangential)),
    'largest ε, %': rounded(100 * Math.max(...found[s]!.all)),
    unsolved: found[s]!.unsolved,
  }));
  return { rows, contacts: contacts.length, stalled, capped };
}

function tangentialPart(forces: Float64Array): Float64Array {
  return forces.map((force, i) => (i % 3 === 0 ? 0 : force));
}

export function gapClaims(rows: readonly Row[], { claimedSides, sides }: TableValues): Claim[] {
  const at = (wanted: number, column: string) => Number(rows.find((row) => row.sides === wanted)?.[column]);
  const first = sides[0]!;
  const half = claimedSides / 2;
  return [
    claimBelow(
      `pyramids of ${claimedSides} sides are as near to cones as published, Eq. 26`,
      at(claimedSides, 'ε, %'),
      5,
      '%',
    ),
    claimAbove(`${first} sides are not`, at(first, 'ε, %'), 5, '%'),
    claimAbove(`nor are ${half}`, at(half, 'ε, %'), 5, '%'),
    claimTrue(
      'Lemke’s method solves all pyramids',
      rows.every(({ unsolved }) => unsolved === 0),
      `${rows.reduce((sum, { unsolved }) => sum + Number(unsolved), 0)} unsolved`,
      '0 unsolved',
    ),
  ];
}

export type Timed = Awaited<ReturnType<typeof timeSolvers>>[number];

const PYRAMID_SIDES = 8;
const REPLAYS = 3;

export function timeSolvers(lab: Lab, table: PressedTable, values: TableValues) {
  const order = alternating(feetContacts(table, values.timePerLeg.at(-1)!));
  const name = (perLeg: number) => `${4 * perLeg} contacts`;
  const run = async (perLeg: number) => {
    const random = createRandom(values.seed + perLeg);
    const contacts = order.slice(0, 4 * perLeg);
    const test = () => {
      const motion = randomMotion(random, values.cycleMotion, values.cycleTurn);
      const problem = slidingProblem(table, contacts, motion);
      const [least = 0, most = 1] = values.randomCoefficients;
      problem.coefficient.fill(least + (most - least) * random());
      return timeTest(problem, values.cycleTolerance);
    };
    const tests = await runEach(lab, Array(values.timeTests).fill(perLeg), name, test, [0.5, 1]);
    return {
      contacts: contacts.length,
      sweepsMs: mean(tests.map((test) => test.sweepsMs)),
      pyramidMs: mean(tests.map((test) => test.pyramidMs)),
      sweeps: mean(tests.map((test) => test.sweeps)),
      residual: Math.max(...tests.map((test) => test.residual)),
      unsolved: tests.filter((test) => test.unsolved).length,
      capped: tests.filter((test) => test.capped).length,
    };
  };
  return runEach(lab, values.timePerLeg, name, run, [0.5, 1]);
}

/** Both solvers on one problem, from zero, each the least of some replays. */
function timeTest(problem: ConeProblem, tolerance: number) {
  const capacity = problem.count;
  const solver = createConeGaussSeidel({ capacity, local: 'exact', tolerance, maxSweeps: MOST_SWEEPS });
  const forces = new Float64Array(3 * capacity);
  let unsolved = false;
  const leastMs = (solve: () => void) => microsecondsPerCall(solve, 1, REPLAYS) / 1000;
  const sweepsMs = leastMs(() => {
    forces.fill(0);
    solver.solve(forces, problem);
  });
  const pyramidMs = leastMs(() => {
    unsolved = solveCone(problem, 'pyramid', { sides: PYRAMID_SIDES }).capped;
  });
  const residual = coneResidual(problem, forces);
  return { sweepsMs, pyramidMs, sweeps: solver.sweeps, residual, unsolved, capped: solver.capped };
}

export function timeRow({ contacts, sweepsMs, pyramidMs, sweeps, residual, unsolved }: Timed): Row {
  return {
    contacts,
    'Gauss–Seidel, ms': rounded(sweepsMs),
    'Lemke, 8 sides, ms': rounded(pyramidMs),
    'times as long': rounded(pyramidMs / sweepsMs),
    'mean sweeps': rounded(sweeps),
    'largest residual': rounded(residual),
    'unsolved by Lemke': unsolved,
  };
}

export function timeClaims(times: readonly Timed[]): Claim[] {
  const ratio = ({ pyramidMs, sweepsMs }: Timed) => pyramidMs / sweepsMs;
  const saved = ({ pyramidMs, sweepsMs }: Timed) => pyramidMs - sweepsMs;
  const won = times.findIndex((_, n) => times.slice(n).every((timed) => ratio(timed) > 1));
  const [first, middle, last] = [times[0]!, times[times.length >> 1]!, times.at(-1)!];
  return [
    claimTrue(
      'Gauss–Seidel wins from some number of contacts on',
      won >= 0,
      won < 0 ? 'never' : `from ${times[won]!.contacts} contacts on`,
      `by ${last.contacts}`,
    ),
    claimTrue(
      'and saves more time the more contacts there are: fewest, some, most',
      saved(first) < saved(middle) && saved(middle) < saved(last),
      [first, middle, last].map((timed) => rounded(saved(timed))).join(', '),
      'rising, ms',
    ),
  ];
}

export const tableParameters = {
  load: { meaning: 'on the grip', unit: 'N', min: 0.01, max: 1000 },
  coefficients: { meaning: 'μ of the spreading legs, ascending', unit: '', min: 0, max: 10, atLeast: 3 },
  slipCoefficient: { meaning: 'μ of the comparison of pyramids', unit: '', min: 0.001, max: 10 },
  sides: { meaning: 'of the pyramids, ascending', unit: '', min: 3, max: 64, whole: true, atLeast: 2 },
  claimedSides: { meaning: 'sides that are to be enough', unit: '', min: 3, max: 64, whole: true },
  gapTests: { meaning: 'random motions of the comparison', unit: '', min: 1, max: 1000, whole: true },
  gapPerLeg: { meaning: 'contacts of each leg in the comparison', unit: '', min: 1, max: 16, whole: true },
  timeTests: { meaning: 'random motions for each number of contacts', unit: '', min: 1, max: 1000, whole: true },
  timePerLeg: { meaning: 'contacts of each leg, ascending', unit: '', min: 1, max: 16, whole: true, atLeast: 2 },
  randomCoefficients: { meaning: 'smallest and largest μ of the timed runs', unit: '', min: 0, max: 10, atLeast: 2 },
  motion: { meaning: 'largest random displacement in the plane', unit: 'm', min: 1e-6, max: 0.1 },
  turn: { meaning: 'largest random rotation about z', unit: 'rad', min: 0, max: 1 },
  cycleStep: { meaning: 'time step of a haptic cycle', unit: 's', min: 1e-5, max: 0.1 },
  cycleMotion: { meaning: 'largest random displacement in a haptic cycle', unit: 'm', min: 1e-6, max: 0.1 },
  cycleTurn: { meaning: 'largest random rotation in a haptic cycle', unit: 'rad', min: 0, max: 1 },
  cycleTolerance: { meaning: 'of Gauss–Seidel in a haptic cycle', unit: '', min: 1e-14, max: 0.1 },
  tolerance: { meaning: 'of Gauss–Seidel', unit: '', min: 1e-14, max: 0.1 },
  seed: { meaning: 'of the random motions', unit: '', min: 0, max: 1e9, whole: true },
} as const;
export type TableValues = ValuesOf<typeof tableParameters>;
