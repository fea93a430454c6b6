import { createSurfaceStress, surfaceStress } from '../../elasticity/stress.js';
import { MODEL_COUNT } from '../contact-model-header.js';
import { defineMethod, type ServedSide } from '../method-definition.js';
import { modularParameters } from '../modular/modular-parameters.js';
import { deformableParameters } from './deformable-parameters.js';
import {
  createSceneProximity,
  type DeformableScene,
  describeDeformableScene,
  missingElastic,
  sharedWorld,
} from './deformable-scene.js';
import type { DeformableSetup } from './deformable-setup.js';
import { candidateCount, proximityModelSize } from './proximity-model.js';
import type { ProximitySide } from './proximity-side.js';
import { layOutState } from './world-state.js';

const { mass, contactRatio, fadeAfter, fadeTime } = modularParameters;
const mostContacts = deformableParameters.solvedContacts.max;

export const deformable = defineMethod({
  kind: 'deformable',
  title: 'Deformable',
  meaning: "bodies that bend, under Signorini's and Coulomb's laws",
  parameters: { ...deformableParameters, mass, contactRatio, fadeAfter, fadeTime },
  reads: [
    ...['friction.model', 'friction.coefficient', 'friction.static', 'friction.kinetic', 'friction.pairs'],
    'coupling',
    'gravity',
  ],
  friction: 'own',
  dampsCritically: true,
  contactsOn: () => 'surfaces',
  missing: missingElastic,
  create(scene, sources) {
    const world = sharedWorld(scene, sources);
    return { method: world.methods[sources.tools.indexOf(sources.tool)] };
  },
  changeProblem: ({ kept }) =>
    kept.size > 0
      ? null
      : 'None of the bodies was prepared to bend; start the scene with the method "deformable" instead.',
  // Rigid bodies alone can be stepped as well, but what is needed for it takes seconds to make of large meshes.
  isExpected: (bodies) => [...bodies.values()].some(({ elastic }) => elastic !== null),
  contactSide: {
    modelSize: proximityModelSize(candidateCount(mostContacts)),
    sizeOf: (model) => proximityModelSize(model[MODEL_COUNT]),
    stateSize: (scene, bodies, tools) => {
      const setup = describeDeformableScene(scene, bodies, tools);
      return layOutState({ ...setup, options: { ...setup.options, contacts: mostContacts } }).size;
    },
    isShared: true,
    serve(scene, { bodies, tools, caches }) {
      const setup = describeDeformableScene(scene, bodies, tools);
      return serveWorld(scene, setup, createSceneProximity(setup, caches));
    },
    bentBodies: (scene, bodies) =>
      Object.entries(scene.bodies).flatMap(([name, { deformable: material }]) => {
        const elastic = material && bodies.get(name)?.elastic;
        return elastic ? [{ name, vertices: elastic.surface.positions.length / 3 }] : [];
      }),
  },
});

function serveWorld(scene: DeformableScene, setup: DeformableSetup, side: ProximitySide): ServedSide {
  const first = setup.hands[0];
  const names = Object.keys(scene.bodies);
  const bent = new Map(
    setup.bodies.flatMap(({ elastic }, index) => {
      if (!elastic) return [];
      const { rest } = side.bodies[index];
      const scratch = { displacements: new Float64Array(rest.length), stress: new Float64Array(rest.length / 3) };
      return [[names[index], { index, surface: createSurfaceStress(elastic.body), ...scratch }]];
    }),
  );
  return {
    update: (model, state) => side.update(model, state),
    reset() {},
    place(out) {
      const { pose } = side.bodies[first];
      for (let i = 0; i < 7; i += 1) out[i] = pose[i];
    },
    drawBent(name, positions, stress) {
      const found = bent.get(name);
      if (!found) return;
      const { local, rest, part } = side.bodies[found.index];
      for (let k = 0; k < local.length; k += 1) found.displacements[k] = local[k] - rest[k];
      surfaceStress(found.stress, found.surface, found.displacements, 1 / part!.inverseYoung[0]);
      positions.set(local);
      stress.set(found.stress);
    },
  };
}
