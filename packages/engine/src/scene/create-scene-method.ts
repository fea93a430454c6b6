import type { PreparedBody } from '../asset/prepared-body.js';
import { PalpableError } from '../base/errors.js';
import type { ContactLink } from '../method/contact-link.js';
import type { DeformableWorld } from '../method/deformable/deformable.js';
import { createGodObjectMethod, type GodObjectMethod } from '../method/god-object/god-object.js';
import type { Clock, Method } from '../method/method.js';
import type { ModularMethod } from '../method/modular/modular.js';
import type { ModularDynamics } from '../method/modular/modular-dynamics.js';
import { createPenaltyMethod } from '../method/penalty.js';
import { createStaticFrictionMethod, type StaticFrictionMethod } from '../method/static-friction.js';
import type { ToolBody } from '../method/tool-contacts.js';
import { createDeformableScene, type ProximityCache, type WorldCache } from './deformable-scene.js';
import { describeTool } from './describe-tool.js';
import { createLinkedModular, createModularScene } from './modular-scene.js';
import type { Scene } from './scene-description.js';
import { createScenePairs, type PairSources, type ScenePair, type ScenePairs } from './scene-pairs.js';

/** A scene as something that can be stepped: its method, and what it was made from. */
export interface SceneMethod extends ScenePairs {
  /** Name of the body that moves with the device. */
  readonly tool: string;
  readonly toolBody: ToolBody;
  readonly method: Method;
  /** The same method if it is `static-friction`, for what only that one tells. */
  readonly staticFriction: StaticFrictionMethod | null;
  /** And the same for `god-object`. */
  readonly godObject: GodObjectMethod | null;
  /** And for `modular`, if both of its sides are in this thread. */
  readonly modular: ModularMethod | null;
  /** The haptic side of `modular`, wherever its contact side is. */
  readonly dynamics: ModularDynamics | null;
  /** The world of `deformable`, which hands may share. */
  readonly world: DeformableWorld | null;
}

export interface SceneMethodOptions extends PairSources {
  /** The tool that moves; the scene's first unless given. Other tools stay where the scene puts them. */
  readonly tool?: string;
  /** Milliseconds; without it the stages are not timed. */
  readonly clock?: Clock;
  /**
   * To a contact side that runs elsewhere (`createSceneContactSide`), for `modular`, or to a proximity side, for
   * `deformable`: the method is its haptic side then, and has no pairs. Other methods take no notice of it.
   */
  readonly contactLink?: ContactLink;
  /** For `deformable`: all tools that hands hold, in their order; the tool alone unless given. */
  readonly tools?: readonly string[];
  /** For `deformable`: where hands find the world that they share, and proximity sides that were made before. */
  readonly worlds?: WorldCache;
  readonly sides?: ProximityCache;
}

/**
 * Builds the method of a scene from bodies that were prepared as `planPreparation` says. Throws `option-invalid` for
 * what this version does not have, and for a tool without volume.
 */
export function createSceneMethod(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  options: SceneMethodOptions = {},
): SceneMethod {
  const { tool = scene.tool[0], clock, contactLink } = options;
  checkRunnable(scene, tool);
  const toolBody = describeTool(scene, bodies, tool);
  const none = { staticFriction: null, godObject: null, modular: null, dynamics: null, world: null };
  if (scene.method.kind === 'deformable') {
    const world = sharedWorld(scene, bodies, tool, options);
    const method = world.methods[(options.tools ?? [tool]).indexOf(tool)];
    return { ...none, tool, toolBody, method, world, pairs: [], hierarchyPairs: [] };
  }
  if (scene.method.kind === 'modular' && contactLink) {
    const method = createLinkedModular(scene, tool, toolBody, contactLink, options);
    return { ...none, tool, toolBody, method, dynamics: method.dynamics, pairs: [], hierarchyPairs: [] };
  }
  const found = createScenePairs(scene, bodies, options, tool);
  const made = { ...none, tool, toolBody, ...found };
  if (scene.method.kind === 'modular') {
    const method = createModularScene(scene, tool, toolBody, found, options);
    return { ...made, method, modular: method, dynamics: method.dynamics };
  }
  const { pairs } = found;
  if (scene.method.kind === 'penalty') {
    return { ...made, method: createPenaltyMethod(toolBody, pairs, { ...scene.contact, ...(clock && { clock }) }) };
  }
  if (scene.method.kind === 'god-object') {
    const method = createGodObject(scene, toolBody, pairs, clock);
    return { ...made, method, godObject: method };
  }
  const method = createStaticFrictionMethod(toolBody, pairs, {
    contact: scene.contact,
    friction: scene.friction,
    coupling: scene.coupling,
    staticDamping: scene.method.staticDamping,
    separation: scene.method.separation,
    gravity: scene.gravity,
    ...(clock && { clock }),
  });
  return { ...made, method, staticFriction: method };
}

function sharedWorld(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  tool: string,
  { tools = [tool], worlds, sides = new Map(), contactLink: link, clock }: SceneMethodOptions,
): DeformableWorld {
  const known = worlds?.get(scene);
  if (known) return known;
  const world = createDeformableScene(scene, bodies, tools, sides, { ...(link && { link }), ...(clock && { clock }) });
  worlds?.set(scene, world);
  return world;
}

function createGodObject(
  scene: Scene,
  toolBody: ToolBody,
  pairs: readonly ScenePair[],
  clock: Clock | undefined,
): GodObjectMethod {
  const { method, friction, contact, coupling, gravity, timeStep } = scene;
  const { coefficient, static: rest, viscous, rotational } = friction;
  return createGodObjectMethod(toolBody, pairs, {
    constraint: method.constraint,
    correction: method.correction,
    sampling: method.sampling,
    filter: method.filter,
    contact,
    coupling: { ...coupling, damping: coupling.damping ?? 0, torsionalDamping: coupling.torsionalDamping ?? 0 },
    friction: {
      viscous: friction.model === 'none' ? 0 : Math.min(viscous ?? VISCOUS_PART * (rest ?? coefficient), MOST_VISCOUS),
      rotational: friction.model === 'none' ? 0 : rotational,
    },
    gravity,
    timeStep,
    ...(clock && { clock }),
  });
}

/** Of the static coefficient, as Sagardia and Hulin found best (section 2.7). */
const VISCOUS_PART = 0.01;
const MOST_VISCOUS = 0.99;

/** Throws `option-invalid` for what can be told before anything is prepared: no such tool. */
export function checkRunnable(scene: Scene, tool = scene.tool[0]): void {
  if (!scene.tool.includes(tool)) {
    throw new PalpableError(
      'option-invalid',
      `The scene has no tool "${tool}"; its ${scene.tool.length === 1 ? 'tool is' : 'tools are'} ${scene.tool.join(', ')}.`,
      'tool',
    );
  }
}
