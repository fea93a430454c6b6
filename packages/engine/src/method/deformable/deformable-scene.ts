import { PalpableError } from '../../base/errors.js';
import type { Pose } from '../../math/pose.js';
import { describeTool } from '../describe-tool.js';
import type { MethodCaches } from '../method-caches.js';
import type { MethodScene, MethodSources, PreparedBodies, ValuesOf } from '../method-definition.js';
import type { modularParameters } from '../modular/modular-parameters.js';
import { bodyPose, coefficientsOf, frictionOfPair, preparedBody } from '../scene-pairs.js';
import { createDeformableWorld, type DeformableWorld } from './deformable.js';
import type { deformableParameters } from './deformable-parameters.js';
import {
  DEFAULT_DEFORMABLE_OPTIONS,
  type DeformableBodySetup,
  type DeformableOptions,
  type DeformablePairSetup,
  type DeformableSetup,
  SPACING_SHARE,
} from './deformable-setup.js';
import { createProximitySide, type ProximitySide } from './proximity-side.js';

export type DeformableScene = MethodScene<
  ValuesOf<typeof deformableParameters> &
    ValuesOf<Pick<typeof modularParameters, 'mass' | 'contactRatio' | 'fadeAfter' | 'fadeTime'>>
>;

/** Rigid bodies need nothing but their mesh. */
export function missingElastic(
  { bodies: described }: Pick<MethodScene, 'bodies'>,
  bodies: PreparedBodies,
): string | null {
  for (const [name, body] of Object.entries(described)) {
    if (!body.deformable || bodies.get(name)?.elastic) continue;
    return `The body "${name}" was prepared as a rigid one; prepare it again for the method "deformable".`;
  }
  return null;
}

/** What is needed to step a scene whose method is `deformable`, with the given tools in hands. */
export function describeDeformableScene(
  scene: DeformableScene,
  bodies: PreparedBodies,
  tools: readonly string[],
): DeformableSetup {
  const missing = missingElastic(scene, bodies);
  if (missing !== null) throw new PalpableError('option-invalid', missing);
  const names = Object.keys(scene.bodies);
  return {
    bodies: names.map((name) => describeBody(scene, bodies, name, tools.includes(name))),
    pairs: describePairs(scene, bodies, names, tools),
    hands: tools.map((tool) => names.indexOf(tool)),
    options: deformableOptions(scene),
  };
}

/** The world that the hands of a scene share. */
export function sharedWorld(
  scene: DeformableScene,
  { bodies, tools, caches, contactLink, clock }: MethodSources,
): DeformableWorld {
  const known = caches.shared.get(scene) as DeformableWorld | undefined;
  if (known) return known;
  const setup = describeDeformableScene(scene, bodies, tools);
  const world = createDeformableWorld(setup, {
    ...(contactLink ? { link: contactLink } : { side: createSceneProximity(setup, caches) }),
    clock,
  });
  caches.shared.set(scene, world);
  return world;
}

/** The proximity side hangs on the bodies, on which may touch and on how contacts are chosen, not on materials. */
export function createSceneProximity(setup: DeformableSetup, { kept }: MethodCaches): ProximitySide {
  const { hands, options } = setup;
  const { alarmDistance, contacts, spacing } = options;
  const pairs = setup.pairs.map(({ first, second }) => [first, second]);
  const key = JSON.stringify([hands, pairs, alarmDistance, contacts, spacing]);
  const side = (kept.get(key) as ProximitySide | undefined) ?? createProximitySide(setup);
  kept.set(key, side);
  return side;
}

function describeBody(
  scene: DeformableScene,
  bodies: PreparedBodies,
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
  scene: DeformableScene,
  bodies: PreparedBodies,
  names: readonly string[],
  tools: readonly string[],
): DeformablePairSetup[] {
  const pairs: DeformablePairSetup[] = [];
  const isHeld = (name: string) => tools.includes(name);
  const bends = (name: string) => bodies.get(name)?.elastic != null && scene.bodies[name].deformable !== null;
  for (let i = 0; i < names.length; i += 1) {
    for (let j = i + 1; j < names.length; j += 1) {
      const own = frictionOfPair(scene, names[i], names[j]);
      const touches = isHeld(names[i]) || isHeld(names[j]) || (own && (bends(names[i]) || bends(names[j])));
      if (!touches) continue;
      // Points of the first are looked for in the distances of the second, if it has any.
      const turned = scene.bodies[names[i]].field !== null && !bends(names[i]);
      pairs.push({ first: turned ? j : i, second: turned ? i : j, ...coefficientsOf(scene, own, true) });
    }
  }
  return pairs;
}

function deformableOptions({ method, coupling, gravity, timeStep }: DeformableScene): DeformableOptions {
  return {
    ...DEFAULT_DEFORMABLE_OPTIONS,
    timeStep,
    gravity,
    coupling,
    alarmDistance: method.alarmDistance,
    contacts: method.solvedContacts,
    spacing: SPACING_SHARE * method.alarmDistance,
    local: method.localSolver,
    tolerance: method.solverTolerance,
    maxSweeps: method.maxSweeps,
    contactRatio: method.contactRatio,
    fadeAfter: method.fadeAfter,
    fadeTime: method.fadeTime,
  };
}
