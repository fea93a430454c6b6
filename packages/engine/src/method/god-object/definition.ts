import type { FrictionSettings } from '../../friction/friction-parameters.js';
import { defineMethod } from '../method-definition.js';
import { createPointPairs } from '../scene-pairs.js';
import { createGodObjectMethod, type GodObjectOptions } from './god-object.js';

export const godObject = defineMethod({
  kind: 'god-object',
  title: 'God object',
  meaning: 'a proxy that stays on the surface while the device goes through it',
  parameters: {
    constraint: {
      kind: 'choice',
      choices: {
        heuristic: 'the sum of all contacts as one direction, as in the paper; a few microseconds',
        manifold: 'every contact individually: exact, slides correctly in corners and holes',
      },
      default: 'heuristic',
      meaning: 'How contacts hold the proxy of `god-object`.',
    },
    correction: {
      kind: 'choice',
      choices: {
        'least-energy': 'the least motion that resolves the overlap',
        printed: 'the formulas of the paper, which resolve part of it',
      },
      default: 'least-energy',
      meaning: 'How the heuristic of `god-object` moves its proxy out of the surface (Sagardia, section 2.2).',
    },
    sampling: {
      kind: 'choice',
      choices: {
        field: 'distances interpolated from the field',
        voxels: 'whole voxel layers, as in the paper (Sagardia, Eq. 1)',
      },
      default: 'field',
      meaning: 'How `god-object` measures the depth of a point.',
    },
    filter: {
      kind: 'flag',
      default: true,
      meaning:
        'Whether the heuristic of `god-object` smooths the motion of its proxy on a surface (Sagardia, section 2.5).',
    },
    safetyMargin: {
      kind: 'number',
      unit: 'm',
      above: 0,
      max: 1,
      default: 0.003,
      meaning: 'How far from a surface `god-object` uses it; takes the place of `contact.margin`.',
      extremes: 'Much less than a voxel, and fast tools wait for their proxy; wide margins cost time.',
    },
  },
  reads: [
    ...['contact.stiffness', 'contact.cornerWeighting', 'contact.maxContacts'],
    ...['friction.model', 'friction.coefficient', 'friction.static', 'friction.kinetic'],
    ...['friction.viscous', 'friction.rotational', 'friction.pairs'],
    'coupling',
    'gravity',
  ],
  friction: 'own',
  // The proxy of the heuristic does not enter the surface, so nothing is pressed in.
  idle: ({ constraint }) =>
    constraint === 'heuristic' ? ['contact.stiffness'] : ['method.correction', 'method.filter', 'friction.rotational'],
  form: ({ constraint }) => constraint,
  contactsOn: () => 'points',
  create(scene, sources) {
    const { contact, friction, coupling, gravity, timeStep, method: own } = scene;
    const pairs = createPointPairs(scene, sources, { margin: own.safetyMargin, ownFriction: true });
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
const MOST_VISCOUS = 0.99;

function frictionOf(friction: FrictionSettings): GodObjectOptions['friction'] {
  const { model, coefficient, static: rest, viscous, rotational } = friction;
  if (model === 'none') return { viscous: 0, rotational: 0 };
  return { viscous: Math.min(viscous ?? VISCOUS_PART * (rest ?? coefficient), MOST_VISCOUS), rotational };
}
