import type { Parameter } from '../../settings/parameter.js';

/** Keys of `method` that only `modular` heeds. */
export const modularParameters = {
  integrator: {
    kind: 'choice',
    choices: {
      implicit: 'semi-implicit backward Euler, reduced to six unknowns',
      'implicit-13': 'the same in all thirteen unknowns, as in the paper; slower, to compare with',
      euler: 'explicit Euler; needs a heavy tool to be stable',
      'runge-kutta': 'explicit, of fourth order; needs a heavy tool to be stable',
    },
    default: 'implicit',
    meaning: 'How the motion of the tool of `modular` is integrated.',
  },
  detection: {
    kind: 'choice',
    choices: {
      shell: 'points of one body in the distance field of the other, as with the other methods',
      hierarchy: 'convex pieces of both, at the coarsest level of detail that `tolerance` allows',
    },
    default: 'shell',
    meaning: 'How `modular` finds contacts.',
  },
  clusters: {
    kind: 'number',
    unit: 'clusters',
    whole: true,
    min: 1,
    max: 100,
    default: 5,
    meaning: 'Most groups of neighbouring contacts of `modular`; each acts as one (K).',
    extremes: 'Too few, and a broad contact tilts; every further one costs time in each cycle.',
  },
  tolerance: {
    kind: 'number',
    unit: 'of the radius',
    min: 0,
    max: 0.5,
    default: 0.025,
    meaning:
      'With `detection` `hierarchy`: how far the surfaces that touch may be off the finest ones, as a share of the smaller ' +
      'radius of the two bodies.',
    extremes: 'Too large, and small features are not felt; 0 asks the finest surfaces, which takes longest.',
  },
  absoluteTolerance: {
    kind: 'number',
    unit: 'm',
    min: 0,
    max: 1,
    default: null,
    meaning: 'The same as a length; goes before `tolerance`.',
  },
  distanceTolerance: {
    kind: 'number',
    unit: 'm',
    above: 0,
    max: 1,
    default: 0.001,
    meaning: 'From how far on contacts of `modular` push (d); takes the place of `contact.margin`.',
    extremes: 'Too small, and contacts come and go; too large, and surfaces are felt where nothing is seen.',
  },
  linearised: {
    kind: 'flag',
    default: true,
    meaning:
      'Whether `modular` follows its contact model to the state of each cycle; otherwise it holds the force until there is ' +
      'a new model, as if by a zero-order hold.',
  },
  contactRatio: {
    kind: 'number',
    unit: 'cycles',
    whole: true,
    min: 1,
    max: 1000,
    default: 1,
    meaning:
      'Where `modular` or `deformable` has no thread of its own for contacts, it looks for them in every so many-th ' +
      'cycle.',
    extremes: 'Large ones spare time, and contact comes late.',
  },
  contactDelayed: {
    kind: 'flag',
    default: false,
    meaning:
      'Whether contacts that were found so count only when the next search begins, as with a thread that needs that long.',
  },
  mass: {
    kind: 'number',
    unit: 'kg',
    above: 0,
    max: 1e6,
    default: null,
    meaning: 'Mass of the tool of `modular` and `deformable`; from its density unless given.',
    extremes: 'Heavy tools are felt as inertia; some grams are stable with the implicit integrators only.',
  },
  contactDamping: {
    kind: 'number',
    unit: 'N s/m',
    min: 0,
    max: 1e5,
    default: null,
    meaning: 'Of each cluster of `modular`; half of the critical damping of the tool unless given.',
    extremes: '0 lets a light tool bounce; too high, and surfaces feel sticky.',
  },
  fadeAfter: {
    kind: 'number',
    unit: 's',
    min: 0,
    max: 10,
    default: 0.1,
    meaning: 'So long what was found of contacts by `modular` or `deformable` counts in full when nothing newer comes.',
    extremes:
      'Shorter than the search for contacts takes, and contact comes and goes; too long, and a dead thread holds on.',
  },
  fadeTime: {
    kind: 'number',
    unit: 's',
    min: 0,
    max: 10,
    default: 0.1,
    meaning: 'Time constant with which contact of `modular` or `deformable` fades after that.',
    extremes: '0 lets go at once, which the hand feels as a jerk.',
  },
} as const satisfies Record<string, Parameter>;
