import { defineMethod } from '../method-definition.js';
import { createPointPairs } from '../scene-pairs.js';
import { createPenaltyMethod } from './penalty.js';

export const penalty = defineMethod({
  kind: 'penalty',
  title: 'Penalty',
  meaning: 'the tool is where the device is, and contacts push like springs',
  parameters: {},
  reads: ['contact'],
  friction: 'none',
  contactsOn: () => 'points',
  create(scene, sources) {
    const { contact } = scene;
    const pairs = createPointPairs(scene, sources, { margin: contact.margin, ownFriction: false });
    return { method: createPenaltyMethod(sources.toolBody, pairs, { ...contact, clock: sources.clock }), pairs };
  },
  // There is no coupling: contacts alone hold energy, and nothing carries the tool.
  storedEnergy: ({ contact, coupling }, force, torque) =>
    (force * force) / contact.stiffness + (torque * torque) / coupling.torsionalStiffness,
  carriesWeight: false,
});
