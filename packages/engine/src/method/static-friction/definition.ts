import { defineMethod } from '../method-definition.js';
import { contactStiffness, createPointPairs } from '../scene-pairs.js';
import { createStaticFrictionMethod } from './static-friction.js';
import { staticFrictionParameters } from './static-friction-parameters.js';

export const staticFriction = defineMethod({
  kind: 'static-friction',
  title: 'Static friction',
  meaning: 'static virtual coupling with Coulomb friction',
  parameters: staticFrictionParameters,
  reads: [
    ...['contact.stiffness', 'contact.margin', 'contact.adaptive', 'contact.cornerWeighting', 'contact.maxContacts'],
    ...['friction.model', 'friction.coefficient', 'friction.static', 'friction.kinetic', 'friction.pairs'],
    ...['coupling.stiffness', 'coupling.torsionalStiffness', 'coupling.graspPoint'],
    ...['coupling.maxForce', 'coupling.maxTorque'],
    'gravity',
  ],
  friction: 'model',
  leadsOut: true,
  contactsOn: () => 'points',
  create(scene, sources) {
    const { contact, friction, coupling, gravity, method: own } = scene;
    const pairs = createPointPairs(scene, sources, { margin: contact.margin, ownFriction: false });
    const method = createStaticFrictionMethod(sources.toolBody, pairs, {
      contact: { ...contact, stiffness: contactStiffness(scene, sources) },
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
