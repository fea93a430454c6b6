import type { PreparedBody } from '../asset/prepared-body.js';
import { PalpableError } from '../base/errors.js';
import type { Pose } from '../math/pose.js';
import { createDeformableWorld, type DeformableWorld, type WorldSources } from '../method/deformable/deformable.js';
import {
  DEFAULT_DEFORMABLE_OPTIONS,
  type DeformableBodySetup,
  type DeformableOptions,
  type DeformablePairSetup,
  type DeformableSetup,
} from '../method/deformable/deformable-setup.js';
import { createProximitySide, type ProximitySide } from '../method/deformable/proximity-side.js';
import { describeTool } from './describe-tool.js';
import type { Scene } from './scene-description.js';
import { bodyPose, coefficientsOf, missingPart, ownFriction, preparedBody } from './scene-pairs.js';

/** Proximity sides that were made before for the same bodies. Making one takes longer than a cycle. */
export type ProximityCache = Map<string, ProximitySide>;

/** The world of each scene whose hands share it. */
export type WorldCache = WeakMap<Scene, DeformableWorld>;

/** What is needed to step a scene whose method is `deformable`, with the given tools in hands. */
export function describeDeformableScene(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  tools: readonly string[],
): DeformableSetup {
  const missing = missingPart(scene, bodies, tools[0]);
  if (missing !== null) throw new PalpableError('option-invalid', missing);
  const names = Object.keys(scene.bodies);
  return {
    bodies: names.map((name) => describeBody(scene, bodies, name, tools.includes(name))),
    pairs: describePairs(scene, bodies, names, tools),
    hands: tools.map((tool) => names.indexOf(tool)),
    options: deformableOptions(scene),
  };
}

/**
 * With a link to a proximity side elsewhere, contacts of any age hold the bodies: whoever gives the link has to see to it
 * that the force fades when they are too old.
 */
export function createDeformableScene(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  tools: readonly string[],
  sides: ProximityCache,
  sources: WorldSources,
): DeformableWorld {
  const setup = describeDeformableScene(scene, bodies, tools);
  if (sources.link) return createDeformableWorld(setup, sources);
  return createDeformableWorld(setup, { ...sources, side: createSceneProximity(setup, sides) });
}

/** The proximity side hangs on the bodies, on which may touch and on how contacts are chosen, not on materials. */
export function createSceneProximity(setup: DeformableSetup, sides: ProximityCache): ProximitySide {
  const { hands, options } = setup;
  const { alarmDistance, contacts, spacing } = options;
  const pairs = setup.pairs.map(({ first, second }) => [first, second]);
  const key = JSON.stringify([hands, pairs, alarmDistance, contacts, spacing]);
  const side = sides.get(key) ?? createProximitySide(setup);
  sides.set(key, side);
  return side;
}

function describeBody(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  name: string,
  isHeld: boolean,
): DeformableBodySetup {
  const { mesh, elastic, field } = preparedBody(bodies, name);
  const { deformable, density, ...body } = scene.bodies[name];
  const tool = isHeld ? describeTool(scene, bodies, name) : null;
  const pose: Pose = bodyPose(scene.bodies[name]);
  if (!deformable || !elastic) return { surface: mesh, elastic: null, field: body.field && field, tool, pose };
  const { young, massDamping, stiffnessDamping } = deformable;
  return {
    surface: elastic.surface,
    elastic: {
      body: elastic,
      material: {
        young,
        density: tool && scene.method.mass !== null ? tool.mass / elastic.volume : density,
        massDamping,
        stiffnessDamping,
      },
    },
    field: null,
    tool,
    pose,
  };
}

/**
 * Every body that is held may touch every other one. Two that stand still may if one of them bends and the scene names
 * their friction: they often overlap where they are mounted.
 */
function describePairs(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  names: readonly string[],
  tools: readonly string[],
): DeformablePairSetup[] {
  const pairs: DeformablePairSetup[] = [];
  const isHeld = (name: string) => tools.includes(name);
  const bends = (name: string) => bodies.get(name)?.elastic != null && scene.bodies[name].deformable !== null;
  for (let i = 0; i < names.length; i += 1) {
    for (let j = i + 1; j < names.length; j += 1) {
      const own = ownFriction(scene, names[i], names[j]);
      const touches = isHeld(names[i]) || isHeld(names[j]) || (own && (bends(names[i]) || bends(names[j])));
      if (!touches) continue;
      // Points of the first are looked for in the distances of the second, if it has any.
      const turned = scene.bodies[names[i]].field !== null && !bends(names[i]);
      pairs.push({ first: turned ? j : i, second: turned ? i : j, ...coefficientsOf(scene, own) });
    }
  }
  return pairs;
}

function deformableOptions({ method, coupling, gravity, timeStep }: Scene): DeformableOptions {
  return {
    ...DEFAULT_DEFORMABLE_OPTIONS,
    timeStep,
    gravity,
    coupling,
    alarmDistance: method.alarmDistance,
    contacts: method.solvedContacts,
    spacing: SPACING * method.alarmDistance,
    local: method.localSolver,
    tolerance: method.solverTolerance,
    maxSweeps: method.maxSweeps,
    contactRatio: method.contactRatio,
    fadeAfter: method.fadeAfter,
  };
}

/** Contacts closer together than this part of the alarm distance say the same. */
const SPACING = 0.5;
