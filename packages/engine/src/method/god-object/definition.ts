import type { FrictionSettings } from '../../friction/friction-parameters.js';
import { defineMethod } from '../method-definition.js';
import { createPointPairs } from '../scene-pairs.js';
import { createGodObjectMethod, type GodObjectOptions, MOST_VISCOUS } from './god-object.js';
import { godObjectParameters } from './god-object-parameters.js';

export const godObject = defineMethod({
  kind: 'god-object',
  title: 'God object',
  meaning: 'a proxy that stays on the surface while the device goes through it',
  parameters: godObjectParameters,
  reads: [
    ...['contact.stiffness', 'contact.cornerWeighting', 'contact.symmetric', 'contact.reduce', 'contact.maxContacts'],
    ...['friction.model', 'friction.coefficient', 'friction.static', 'friction.kinetic'],
    ...['friction.viscous', 'friction.rotational', 'friction.pairs'],
    'coupling',
    'gravity',
  ],
  friction: 'own',
  // The proxy of the heuristic does not enter the surface, so nothing is pressed in.
  idle: ({ constraint }) =>
    constraint === 'heuristic'
      ? ['contact.stiffness', 'contact.symmetric', 'contact.reduce']
      : ['method.correction', 'method.filter', 'friction.rotational'],
  form: ({ constraint }) => constraint,
  leadsOut: true,
  contactsOn: () => 'points',
  isSymmetric: ({ method, contact }) => method.constraint === 'manifold' && contact.symmetric,
  create(scene, sources) {
    const { contact, friction, coupling, gravity, timeStep, method: own } = scene;
    const pairs = createPointPairs(scene, sources, {
      margin: own.safetyMargin,
      ownFriction: true,
      isSymmetric: own.constraint === 'manifold' && contact.symmetric,
      isReduced: own.constraint === 'manifold' && contact.symmetric && contact.reduce,
    });
    const method = createGodObjectMethod(sources.toolBody, pairs, {
      constraint: own.constraint,
      correction: own.correction,
      sampling: own.sampling,
      filter: own.filter,
      contact,
      coupling: { ...coupling, damping: coupling.damping ?? 0, torsionalDamping: coupling.torsionalDamping ?? 0 },
      friction: frictionOf(friction),
      gravity,
      timeStep,
      clock: sources.clock,
    });
    return { method, pairs };
  },
});

/** Of the static coefficient, as Sagardia and Hulin found best (section 2.7). */
const VISCOUS_PART = 0.01;

function frictionOf(friction: FrictionSettings): GodObjectOptions['friction'] {
  const { model, coefficient, static: rest, viscous, rotational } = friction;
  if (model === 'none') return { viscous: 0, rotational: 0 };
  return { viscous: Math.min(viscous ?? VISCOUS_PART * (rest ?? coefficient), MOST_VISCOUS), rotational };
}
