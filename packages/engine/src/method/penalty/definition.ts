import { defineMethod } from '../method-definition.js';
import { createPointPairs, RENDERED_STIFFNESS } from '../scene-pairs.js';
import { createPenaltyMethod } from './penalty.js';

export const penalty = defineMethod({
  kind: 'penalty',
  title: 'Penalty',
  meaning: 'the tool is where the device is, and contacts push like springs',
  parameters: {},
  reads: ['contact.stiffness', 'contact.margin', 'contact.adaptive', 'contact.cornerWeighting', 'contact.maxContacts'],
  friction: 'none',
  leadsOut: false,
  contactsOn: () => 'points',
  create(scene, sources) {
    const { contact } = scene;
    const pairs = createPointPairs(scene, sources, { margin: contact.margin, ownFriction: false });
    const options = { ...contact, stiffness: contact.stiffness ?? RENDERED_STIFFNESS, clock: sources.clock };
    return { method: createPenaltyMethod(sources.toolBody, pairs, options), pairs };
  },
  // There is no coupling: contacts alone hold energy, and nothing carries the tool.
  storedEnergy: ({ contact, coupling }, force, torque) =>
    (force * force) / (contact.stiffness ?? RENDERED_STIFFNESS) + (torque * torque) / coupling.torsionalStiffness,
  carriesWeight: false,
});
