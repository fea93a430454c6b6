import { type AssetCache, checkSceneFile, mapBodies, prepareScene, soundScene } from '@palpable/cli/internal';
import {
  CAPPED_ITERATIONS,
  createPose,
  type Hand,
  handAlong,
  type Pose,
  type PreparedBody,
  type Probe,
  type Scene,
  sceneWithMethod,
} from '@palpable/engine';
import {
  type ConeProblem,
  type ConeSolverName,
  coneResidual,
  createConeGaussSeidel,
  createDeformableWorld,
  createElasticDynamics,
  type DeformableSetup,
  describeDeformableScene,
  type ElasticBody,
  nodesInBox,
  type ProgressListener,
  type ProximityModel,
  percentile,
  solveCone,
} from '@palpable/engine/advanced';
import { sceneFile } from '../play/load-scene.js';
import { play, type Recording } from '../play/play.js';
import { leastOfEach, timeCall } from '../play/statistics.js';
import { selectContacts } from '../reproduce/studies/duriez-rig.js';

/** The clip on the rigid pipe of the gallery with elements of one size. */
export interface ClipScene {
  readonly scene: Scene;
  readonly bodies: ReadonlyMap<string, PreparedBody>;
  readonly elastic: ElasticBody;
  /** Of the preparation; null if the clip came from the cache. */
  readonly preparationSeconds: number | null;
}

/** What is varied between runs. */
export interface ClipVariant {
  /** Most contacts that are solved in a cycle. */
  readonly contacts: number;
  readonly coefficient: number;
  readonly local: 'exact' | 'diagonal';
}

/** Contacts that were solved, in how many sweeps, and 1 where the solver met its cap on them. Contacts are those that press. */
export type ClipReplay = Recording<'solved' | 'sweeps' | 'sweeps_capped'>;

const CLIP = 'clip';

export async function loadClip(
  elementSize: number,
  cache: AssetCache,
  onProgress: ProgressListener,
): Promise<ClipScene> {
  const path = sceneFile('clip-pipe.json');
  const read = soundScene(await checkSceneFile(path));
  const clip = read.bodies[CLIP]!;
  const scene: Scene = {
    ...read,
    bodies: { ...read.bodies, [CLIP]: { ...clip, deformable: { ...clip.deformable!, elementSize } } },
  };
  const begun = performance.now();
  const prepared = await prepareScene(scene, path, { cache, onProgress });
  const seconds = (performance.now() - begun) / 1000;
  const { body, fromCache } = prepared.get(CLIP)!;
  return { scene, bodies: mapBodies(prepared), elastic: body.elastic!, preparationSeconds: fromCache ? null : seconds };
}

/** A cache that keeps nothing, for preparations that are to be timed. */
export const NO_CACHE: AssetCache = { folder: '', get: async () => undefined, put: async () => {} };

export function clipSetup(
  { scene, bodies }: ClipScene,
  { contacts, coefficient, local }: ClipVariant,
): DeformableSetup {
  const variant = {
    ...sceneWithMethod(scene, 'deformable', { solvedContacts: contacts, localSolver: local }),
    friction: { ...scene.friction, coefficient, static: null, kinetic: null },
  };
  return describeDeformableScene(variant, bodies, [CLIP]);
}

const ABOVE = 0.0185;
/** How far the hand presses beyond where the clip sits, m. */
const BEYOND = 0.008;

/**
 * Device poses, one per cycle: `phase` cycles of snapping in, then as many in which the clip is pushed to and fro and twisted
 * on the pipe.
 */
export function clipMotion(phase: number): Pose[] {
  const snapping = Array.from({ length: phase }, (_, n) => {
    const share = Math.min(1, (1.2 * n) / phase);
    return createPose(0, 0, ABOVE - (ABOVE + BEYOND) * share);
  });
  const worked = Array.from({ length: phase }, (_, n) => {
    const turn = (2 * Math.PI * n) / phase;
    const settle = Math.min(1, (10 * n) / phase);
    const tilt = 0.04 * Math.sin(3 * turn);
    const z = -BEYOND * (1 - settle) + 0.002 * Math.sin(2 * turn);
    return createPose(0.003 * Math.sin(turn), 0.002 * Math.sin(5 * turn), z, 0, Math.sin(tilt), 0, Math.cos(tilt));
  });
  return [...snapping, ...worked];
}

/** Called after every cycle. */
export type OnCycle = (cycle: number, world: ReturnType<typeof createDeformableWorld>) => void;

interface ClipPlay {
  readonly onCycle?: OnCycle;
  /** Proximity is not worked out again. */
  readonly models?: readonly ProximityModel[];
}

/** Plays the motion with proximity in the same thread, or with the models that were found when it was played before. */
export function playClip(
  setup: DeformableSetup,
  motion: readonly Pose[],
  { onCycle, models }: ClipPlay = {},
): ClipReplay {
  let now = 0;
  const link = models && { model: () => models[now]!, tell: () => {} };
  const world = createDeformableWorld(setup, { clock: () => performance.now(), ...(link && { link }) });
  const { dynamics } = world;
  const along = handAlong(motion);
  const hand: Hand = {
    ...along,
    move: (device, cycle, last) => {
      now = cycle;
      along.move(device, cycle, last);
    },
  };
  const probes: Record<'solved' | 'sweeps' | 'sweeps_capped', Probe> = {
    solved: () => dynamics.contacts.count,
    sweeps: ({ cycle }) => {
      onCycle?.(cycle, world);
      return dynamics.sweeps;
    },
    sweeps_capped: ({ output }) => (output.capped & CAPPED_ITERATIONS ? 1 : 0),
  };
  return play({ method: world.methods[0]!, timeStep: setup.options.timeStep }, hand, { probes });
}

/** What proximity found in every cycle of the motion. */
export function recordModels(setup: DeformableSetup, motion: readonly Pose[]): ProximityModel[] {
  const models: ProximityModel[] = [];
  playClip(setup, motion, { onCycle: (_, { methods }) => models.push(methods[0]!.contactModel!.slice()) });
  return models;
}

/** One solver on the contact problems of a run, all from zero forces: the solve call alone. */
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
