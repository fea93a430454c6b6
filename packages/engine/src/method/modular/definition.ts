import { createPose, type Pose } from '../../math/pose.js';
import { indexPath, keyPath } from '../../settings/key-path.js';
import { MODEL_COUNT } from '../contact-model-header.js';
import {
  type CreatedMethod,
  defineMethod,
  type MethodScene,
  type MethodSources,
  type ValuesOf,
} from '../method-definition.js';
import {
  contactStiffness,
  createPiecePairs,
  createPointPairs,
  placeOf,
  planPairs,
  type ScenePairs,
} from '../scene-pairs.js';
import { contactModelSize } from './contact-model.js';
import { createModularContactSide, type ModularContacts } from './contact-side.js';
import { createHierarchyContacts } from './hierarchy-contacts.js';
import { createLinkedModularMethod, createModularMethod } from './modular.js';
import { DEFAULT_MODULAR_OPTIONS, type ModularOptions } from './modular-options.js';
import { modularParameters } from './modular-parameters.js';
import { createShellContacts } from './shell-contacts.js';
import { stateToPose, TOOL_STATE_SIZE } from './tool-state.js';

type ModularScene = MethodScene<ValuesOf<typeof modularParameters>>;

export const modular = defineMethod({
  kind: 'modular',
  title: 'Modular',
  meaning: 'implicit dynamics of a light tool with linearised contact',
  parameters: modularParameters,
  reads: [
    ...['contact.stiffness', 'contact.maxContacts'],
    ...['friction.model', 'friction.coefficient', 'friction.static', 'friction.kinetic', 'friction.pairs'],
    'coupling',
    'gravity',
    ...['limits.force', 'limits.torque'],
  ],
  friction: 'own',
  idle: ({ detection }) => (detection === 'hierarchy' ? [] : ['method.tolerance', 'method.absoluteTolerance']),
  form: ({ detection }) => (detection === 'hierarchy' ? 'levels of detail' : 'shell'),
  dampsCritically: true,
  drawsClusters: true,
  contactsOn: ({ detection }) => (detection === 'hierarchy' ? 'pieces' : 'points'),
  warn: warnAboutPieces,
  create: createModular,
  contactSide: {
    modelSize: contactModelSize(modularParameters.clusters.max),
    sizeOf: (model) => contactModelSize(model[MODEL_COUNT]),
    stateSize: () => TOOL_STATE_SIZE,
    isShared: false,
    serve(scene, sources) {
      const { toolBody } = sources;
      const contacts = contactsOf(createPairs(scene, sources));
      const side = createModularContactSide(toolBody, contacts, modularOptions(scene, sources));
      return {
        update: (model, state) => side.update(model, state),
        reset: () => side.reset(),
        place: (out, state) => stateToPose(out, state, toolBody),
      };
    },
  },
});

function createModular(scene: ModularScene, sources: MethodSources): CreatedMethod {
  const { toolBody, contactLink } = sources;
  const options = modularOptions(scene, sources);
  if (contactLink) return { method: createLinkedModularMethod(toolBody, contactLink, options) };
  const pairs = createPairs(scene, sources);
  return { method: createModularMethod(toolBody, contactsOf(pairs), options), ...pairs };
}

function createPairs(scene: ModularScene, sources: MethodSources): ScenePairs {
  const { method } = scene;
  if (method.detection === 'hierarchy') return { pairs: [], hierarchyPairs: createPiecePairs(scene, sources, method) };
  const options = { margin: method.distanceTolerance, ownFriction: true };
  return { pairs: createPointPairs(scene, sources, options), hierarchyPairs: [] };
}

/**
 * Where the tool can touch one body only, that body is where the tool's state says; of several, each is where the scene,
 * or `places`, puts it.
 */
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

function modularOptions(scene: ModularScene, sources: MethodSources): ModularOptions {
  const { tool, places, clock } = sources;
  const { method, coupling, friction, limits, gravity, timeStep } = scene;
  const defaults = DEFAULT_MODULAR_OPTIONS;
  const slippery = friction.model === 'none';
  const plans = planPairs(scene, tool);
  return {
    integrator: method.integrator,
    timeStep,
    coupling: {
      ...defaults.coupling,
      ...coupling,
      maxForce: coupling.maxForce ?? limits?.force ?? null,
      maxTorque: coupling.maxTorque ?? limits?.torque ?? null,
    },
    contact: {
      ...defaults.contact,
      stiffness: contactStiffness(scene, sources),
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
    ...(plans.length === 1 && { environmentPose: placeOf(scene, places, plans[0].environment) }),
    clock,
  };
}

/** Between convex pieces, what is said of points and of fields means nothing. */
function warnAboutPieces(
  { method, bodies, friction }: ModularScene,
  say: (path: string, message: string) => void,
): void {
  if (method.detection !== 'hierarchy') return;
  const { tolerance, absoluteTolerance } = method;
  for (const [name, { field, hierarchy }] of Object.entries(bodies)) {
    const path = keyPath('bodies', name);
    if (field?.offset)
      say(`${path}.field.offset`, 'contacts are found on the mesh itself, so that the offset is not felt');
    const finest = hierarchy?.tolerance;
    if (absoluteTolerance === null && finest !== undefined && tolerance > 0 && tolerance < finest) {
      say(
        `${path}.hierarchy.tolerance`,
        `the finest pieces are coarser (${finest}) than method.tolerance asks for (${tolerance})`,
      );
    }
  }
  friction.pairs.forEach((pair, index) => {
    if (pair.dynamicRegions.length === 0) return;
    const path = `${indexPath('friction.pairs', index)}.dynamicRegions`;
    say(path, 'regions mark points of a shell, and contacts between convex pieces have none');
  });
}
