import { type AssetCache, checkSceneFile, mapBodies, prepareScene, soundScene } from '@palpable/cli/internal';
import {
  CAPPED_ITERATIONS,
  createDeformableWorld,
  createPose,
  type DeformableSetup,
  describeDeformableScene,
  type ElasticBody,
  type Hand,
  handAlong,
  type Pose,
  type PreparedBody,
  type Probe,
  type ProgressListener,
  type ProximityModel,
  type Scene,
  sceneWithMethod,
} from '@palpable/engine';
import { sceneFile } from '../play/load-scene.js';
import { play, type Recording } from '../play/play.js';

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
    const way = Math.min(1, (1.2 * n) / phase);
    return createPose(0, 0, ABOVE - (ABOVE + BEYOND) * way);
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
