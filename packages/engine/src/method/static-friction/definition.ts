import { defineMethod } from '../method-definition.js';
import { createPointPairs } from '../scene-pairs.js';
import { createStaticFrictionMethod } from './static-friction.js';

export const staticFriction = defineMethod({
  kind: 'static-friction',
  title: 'Static friction',
  meaning: 'static virtual coupling with Coulomb friction',
  parameters: {
    staticDamping: {
      kind: 'number',
      unit: '',
      min: 0,
      max: 0.99,
      default: 0.6,
      meaning: 'Fraction of the displacement that is held back in every cycle with contacts (Zhao, section 4.2).',
      extremes: 'At 0, stiff contacts may vibrate; close to 1, the tool follows as if through honey.',
    },
    separation: {
      kind: 'choice',
      choices: {
        pull: 'a contact that would open loses its friction when the coupling pulls it open',
        printed: 'the test as printed in section 4.1, which also frees loaded edges',
        off: 'contacts keep their friction until they are gone, so lifting feels sticky',
      },
      default: 'pull',
      meaning: 'When a contact counts as separating (Zhao, section 4.1).',
    },
  },
  reads: [
    'contact',
    ...['friction.model', 'friction.coefficient', 'friction.static', 'friction.kinetic', 'friction.pairs'],
    ...['coupling.stiffness', 'coupling.torsionalStiffness', 'coupling.graspPoint'],
    'gravity',
  ],
  friction: 'model',
  contactsOn: () => 'points',
  create(scene, sources) {
    const { contact, friction, coupling, gravity, method: own } = scene;
    const pairs = createPointPairs(scene, sources, { margin: contact.margin, ownFriction: false });
    const method = createStaticFrictionMethod(sources.toolBody, pairs, {
      contact,
      friction,
      coupling,
      staticDamping: own.staticDamping,
      separation: own.separation,
      gravity,
      clock: sources.clock,
    });
    return { method, pairs };
  },
});
