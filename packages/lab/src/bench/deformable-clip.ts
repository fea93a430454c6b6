import {
  type AssetCache,
  checkSceneFile,
  mapBodies,
  prepareScene,
  sceneFile,
  soundScene,
} from '@palpable/cli/internal';
import {
  CAPPED_ITERATIONS,
  createDeformableWorld,
  createMethodOutput,
  createPose,
  type DeformableSetup,
  describeDeformableScene,
  type ElasticBody,
  type Pose,
  type PreparedBody,
  type ProximityModel,
  type Scene,
  STAGE_CONTACT,
  STAGE_METHOD,
  sceneWithMethod,
} from '@palpable/engine';

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

/** Every cycle of one replay. */
export interface ClipReplay {
  readonly methodUs: Float64Array;
  readonly proximityUs: Float64Array;
  /** Contacts that were solved, and those of them that press. */
  readonly solved: Float64Array;
  readonly pressing: Float64Array;
  readonly sweeps: Float64Array;
  /** 1 where the solver met its cap on sweeps. */
  readonly capped: Float64Array;
}

const CLIP = 'clip';

export async function loadClip(
  elementSize: number,
  cache: AssetCache,
  onProgress: (stage: string, fraction: number) => void,
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

/** Plays the motion with proximity in the same thread, or with the models that were found when it was played before. */
export function playClip(
  setup: DeformableSetup,
  motion: readonly Pose[],
  { onCycle, models }: { readonly onCycle?: OnCycle; readonly models?: readonly ProximityModel[] } = {},
): ClipReplay {
  let cycle = 0;
  const link = models && { model: () => models[cycle]!, tell: () => {} };
  const world = createDeformableWorld(setup, { clock: () => performance.now(), ...(link && { link }) });
  const { dynamics } = world;
  const method = world.methods[0]!;
  const output = createMethodOutput();
  const column = () => new Float64Array(motion.length);
  const replay: ClipReplay = {
    methodUs: column(),
    proximityUs: column(),
    solved: column(),
    pressing: column(),
    sweeps: column(),
    capped: column(),
  };
  method.reset(motion[0]!);
  for (; cycle < motion.length; cycle += 1) {
    method.step(output, motion[cycle]!);
    replay.methodUs[cycle] = output.stageUs[STAGE_METHOD]!;
    replay.proximityUs[cycle] = output.stageUs[STAGE_CONTACT]!;
    replay.solved[cycle] = dynamics.contacts.count;
    replay.pressing[cycle] = output.contacts;
    replay.sweeps[cycle] = dynamics.sweeps;
    replay.capped[cycle] = output.capped & CAPPED_ITERATIONS ? 1 : 0;
    onCycle?.(cycle, world);
  }
  return replay;
}

/** What proximity found in every cycle of the motion. */
export function recordModels(setup: DeformableSetup, motion: readonly Pose[]): ProximityModel[] {
  const models: ProximityModel[] = [];
  playClip(setup, motion, { onCycle: (_, { methods }) => models.push(methods[0]!.contactModel!.slice()) });
  return models;
}

/**
 * Each cycle's least times of all replays: what the machine does beside us only ever adds. With `models` proximity is not
 * worked out again.
 */
export function leastTimes(
  setup: DeformableSetup,
  motion: readonly Pose[],
  replays: number,
  models?: readonly ProximityModel[],
): ClipReplay {
  const play = () => playClip(setup, motion, models && { models });
  const best = play();
  for (let n = 1; n < replays; n += 1) {
    const again = play();
    for (const name of ['methodUs', 'proximityUs'] as const) {
      again[name].forEach((us, cycle) => {
        best[name][cycle] = Math.min(us, best[name][cycle]!);
      });
    }
  }
  return best;
}
