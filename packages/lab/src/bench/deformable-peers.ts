import {
  type ConeProblem,
  type ConeSolverName,
  coneResidual,
  createConeGaussSeidel,
  createElasticDynamics,
  type DeformableSetup,
  nodesInBox,
  type Pose,
  percentile,
  solveCone,
} from '@palpable/engine';
import { leastOfEach, timeCall } from '../play/statistics.js';
import { selectContacts } from '../reproduce/studies/duriez-rig.js';
import { type ClipScene, type OnCycle, playClip } from './deformable-clip.js';

/** One way to solve the contact problems of a run, all from zero forces: the solve call alone. */
export type SolverRow = ReturnType<typeof timeSolver>;

const PYRAMID_SIDES = 8;

/** At most `most` problems of a run with as many contacts as were allowed, evenly over its cycles. */
export function recordProblems(setup: DeformableSetup, motion: readonly Pose[], most: number): ConeProblem[] {
  const found: ConeProblem[] = [];
  const onCycle: OnCycle = (_, { dynamics }) => {
    const { problem } = dynamics;
    if (dynamics.groups === 1 && problem.count === setup.options.contacts)
      found.push(selectContacts(problem, [...Array(problem.count).keys()]));
  };
  playClip(setup, motion, { onCycle });
  const stride = Math.max(1, found.length / most);
  return Array.from({ length: Math.min(most, found.length) }, (_, n) => found[Math.floor(n * stride)]!);
}

/** The solver of the cycle, in both forms, beside Lemke's method on pyramids and without friction, and Newton's. */
export function timeSolvers(
  problems: readonly ConeProblem[],
  { options }: DeformableSetup,
  replays: number,
): SolverRow[] {
  const { tolerance, maxSweeps } = options;
  const sweeps = (local: 'exact' | 'diagonal') => {
    const solver = createConeGaussSeidel({
      capacity: options.contacts,
      local,
      tolerance,
      maxSweeps,
      measure: 'motion',
    });
    return (problem: ConeProblem) => {
      const forces = new Float64Array(3 * problem.count);
      solver.solve(forces, problem);
      return forces;
    };
  };
  const by = (name: ConeSolverName) => (problem: ConeProblem) =>
    solveCone(problem, name, { sides: PYRAMID_SIDES }).forces;
  const time = (solver: string, solve: Solve) => timeSolver(solver, problems, solve, replays);
  return [
    time('sweeps, exact', sweeps('exact')),
    time('sweeps, diagonal', sweeps('diagonal')),
    time(`Lemke, pyramids of ${PYRAMID_SIDES}`, by('pyramid')),
    time('Lemke, no friction', by('frictionless')),
    time('Newton, exact cone to 1e-12', by('newton')),
  ];
}

type Solve = (problem: ConeProblem) => Float64Array;

function timeSolver(solver: string, problems: readonly ConeProblem[], solve: Solve, replays: number) {
  const least = leastOfEach(problems, replays, (problem) => timeCall(() => solve(problem)));
  return {
    solver,
    problems: problems.length,
    contacts: problems[0]?.count ?? 0,
    p50Us: percentile(least, 50),
    p99Us: percentile(least, 99),
    /** Of the exact cone, in Siconos' measure. */
    worstResidual: Math.max(0, ...problems.map((problem) => coneResidual(problem, solve(problem)))),
  };
}

const VOLUME_STEPS = 30;

/** p50 of one step of all nodes of the same body by implicit Euler (Eq. 27), factored beforehand and without contacts, µs. */
export function timeVolume({ scene, elastic }: ClipScene): number {
  const { deformable, density } = scene.bodies.clip!;
  const { young, poisson, massDamping, stiffnessDamping, fixed: boxes } = deformable!;
  const { positions } = elastic.tetrahedra;
  const { min, max } = boxes[0]!;
  const dynamics = createElasticDynamics(elastic.tetrahedra, {
    young,
    poisson,
    density,
    massDamping,
    stiffnessDamping,
    timeStep: scene.timeStep,
    fixed: nodesInBox(positions, min, max),
  });
  const forces = new Float64Array(positions.length);
  forces[3 * elastic.surfaceNodes[elastic.columnOf.indexOf(0)]!] = 1;
  const us = Array.from({ length: VOLUME_STEPS }, () => timeCall(() => dynamics.step(forces)));
  return percentile(us, 50);
}
