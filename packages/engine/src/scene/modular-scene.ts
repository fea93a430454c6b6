import type { PreparedBody } from '../asset/prepared-body.js';
import { createPose, type Pose } from '../math/pose.js';
import type { ContactLink } from '../method/contact-link.js';
import { type Clock, type Method, STAGE_METHOD, STAGE_TOTAL } from '../method/method.js';
import {
  createModularContactSide,
  type ModularContactSide,
  type ModularContacts,
} from '../method/modular/contact-side.js';
import { createHierarchyContacts } from '../method/modular/hierarchy-contacts.js';
import { createModularMethod, type ModularMethod } from '../method/modular/modular.js';
import { createModularDynamics, type ModularDynamics } from '../method/modular/modular-dynamics.js';
import { DEFAULT_MODULAR_OPTIONS, type ModularOptions } from '../method/modular/modular-options.js';
import { createShellContacts } from '../method/modular/shell-contacts.js';
import type { ToolBody } from '../method/tool-contacts.js';
import { describeTool } from './describe-tool.js';
import { planPairs } from './plan-pairs.js';
import type { Scene } from './scene-description.js';
import { createScenePairs, type PairSources, placeOf, type ScenePairs } from './scene-pairs.js';

/** Both sides in one thread. */
export function createModularScene(
  scene: Scene,
  tool: string,
  toolBody: ToolBody,
  pairs: ScenePairs,
  { places, clock }: ContactSideOptions,
): ModularMethod {
  const options = modularOptions(scene, clock);
  const environmentPose = onlyEnvironment(scene, tool, places);
  return createModularMethod(toolBody, contactsOf(pairs), { ...options, ...(environmentPose && { environmentPose }) });
}

/** The haptic side alone, as a method: its contact side is at the other end of the link. */
export interface LinkedModular extends Method {
  readonly dynamics: ModularDynamics;
}

export function createLinkedModular(
  scene: Scene,
  tool: string,
  toolBody: ToolBody,
  link: ContactLink,
  { places, clock }: ContactSideOptions,
): LinkedModular {
  const environmentPose = onlyEnvironment(scene, tool, places);
  const options = { ...modularOptions(scene, clock), ...(environmentPose && { environmentPose }) };
  const dynamics = createModularDynamics(toolBody, options);
  return {
    dynamics,
    step(output, devicePose) {
      const start = clock ? clock() : 0;
      dynamics.step(output, devicePose, link.model());
      link.tell(dynamics.toolState);
      if (!clock) return;
      output.stageUs[STAGE_METHOD] = 1000 * (clock() - start);
      output.stageUs[STAGE_TOTAL] = output.stageUs[STAGE_METHOD];
    },
    reset(pose) {
      dynamics.reset(pose);
      link.tell(dynamics.toolState);
    },
    draw: (picture) => dynamics.draw(picture, link.model()),
  };
}

export interface ContactSideOptions extends PairSources {
  /** The tool that moves; the scene's first unless given. */
  readonly tool?: string;
  /** Milliseconds; without it nothing is timed. */
  readonly clock?: Clock;
}

/**
 * The contact side of a scene whose method is `modular`, for a thread of its own. Where the tool can touch one body only,
 * that body is where the tool's state says; of several, each is where the scene, or `places`, puts it.
 */
export function createSceneContactSide(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  options: ContactSideOptions = {},
): ModularContactSide {
  const { tool = scene.tool[0], clock } = options;
  const pairs = createScenePairs(scene, bodies, options, tool);
  return createModularContactSide(describeTool(scene, bodies, tool), contactsOf(pairs), modularOptions(scene, clock));
}

function contactsOf({ pairs, hierarchyPairs }: ScenePairs): ModularContacts {
  return hierarchyPairs.length > 0
    ? createHierarchyContacts(hierarchyPairs.map(movable), movingPair(hierarchyPairs))
    : createShellContacts(pairs.map(movable), movingPair(pairs));
}

/** A model of contacts knows one frame that moves: it is that of the environment if this is a single body. */
function movingPair(pairs: readonly unknown[]): number {
  return pairs.length === 1 ? 0 : -1;
}

/** The contact side writes the pose of a single body as the tool's state has it: not over the place that others share. */
function movable<Pair extends { readonly environmentPose: Pose }>(pair: Pair, _: number, all: readonly Pair[]): Pair {
  if (all.length > 1) return pair;
  const environmentPose = createPose();
  environmentPose.set(pair.environmentPose);
  return { ...pair, environmentPose };
}

function onlyEnvironment(scene: Scene, tool: string, places: ReadonlyMap<string, Pose> | undefined): Pose | undefined {
  const plans = planPairs(scene, tool);
  return plans.length === 1 ? placeOf(scene, places, plans[0].environment) : undefined;
}

function modularOptions(scene: Scene, clock: Clock | undefined): ModularOptions {
  const { method, contact, coupling, friction, limits, gravity, timeStep } = scene;
  const defaults = DEFAULT_MODULAR_OPTIONS;
  const slippery = friction.model === 'none';
  return {
    integrator: method.integrator,
    timeStep,
    coupling: {
      ...defaults.coupling,
      ...coupling,
      maxForce: limits?.force ?? Number.POSITIVE_INFINITY,
      maxTorque: limits?.torque ?? Number.POSITIVE_INFINITY,
    },
    contact: {
      ...defaults.contact,
      stiffness: contact.stiffness,
      damping: method.contactDamping,
      tolerance: method.distanceTolerance,
      clusters: method.clusters,
      linearised: method.linearised,
      fadeAfter: method.fadeAfter,
      fadeTime: method.fadeTime,
    },
    friction: {
      ...defaults.friction,
      static: slippery ? 0 : (friction.static ?? friction.coefficient),
      kinetic: slippery ? 0 : (friction.kinetic ?? friction.coefficient),
    },
    gravity,
    contactRatio: method.contactRatio,
    contactDelayed: method.contactDelayed,
    ...(clock && { clock }),
  };
}
