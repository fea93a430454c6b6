import type { Parameter } from '../../settings/parameter.js';

/** Keys of `method` that only `modular` reads. */
export const modularParameters = {
  integrator: {
    kind: 'choice',
    choices: {
      implicit: 'semi-implicit backward Euler, reduced to six unknowns',
      'implicit-13': 'the same in all thirteen unknowns, as in the paper; slower, for comparison',
      euler: 'explicit Euler; needs a heavy tool to be stable',
      'runge-kutta': 'explicit, fourth order; needs a heavy tool to be stable',
    },
    default: 'implicit',
    meaning: 'How the motion of the tool of `modular` is integrated.',
  },
  detection: {
    kind: 'choice',
    choices: {
      shell: 'points of one body in the distance field of the other, as in the other methods',
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
    meaning: 'Most clusters of neighbouring contacts in `modular`; each acts as one contact (K).',
    extremes: 'Too few, and a broad contact tilts; each one more costs time in every cycle.',
  },
  tolerance: {
    kind: 'number',
    unit: 'of the radius',
    min: 0,
    max: 0.5,
    default: 0.025,
    meaning:
      'With `detection` `hierarchy`: how far the touching surfaces may deviate from the finest ones, as a fraction of the smaller ' +
      'radius of the two bodies.',
    extremes: 'Too large, and small features are lost; 0 uses the finest surfaces, which takes longest.',
  },
  absoluteTolerance: {
    kind: 'number',
    unit: 'm',
    min: 0,
    max: 1,
    default: null,
    meaning: 'The same as a length; overrides `tolerance`.',
  },
  distanceTolerance: {
    kind: 'number',
    unit: 'm',
    above: 0,
    max: 1,
    default: 0.001,
    meaning: 'Distance at which contacts of `modular` begin to push (d); replaces `contact.margin`.',
    extremes: 'Too small, and contacts come and go; too large, and you feel surfaces before you see contact.',
  },
  linearised: {
    kind: 'flag',
    default: true,
    meaning:
      'Whether `modular` evaluates its contact model at the state of each cycle; otherwise it holds the force until there is ' +
      'a new model, like a zero-order hold.',
  },
  contactRatio: {
    kind: 'number',
    unit: 'cycles',
    whole: true,
    min: 1,
    max: 1000,
    default: 1,
    meaning: 'Without a contact thread, `modular` and `deformable` search for contacts once in this many cycles.',
    extremes: 'Large values save time, but contact comes late.',
  },
  contactDelayed: {
    kind: 'flag',
    default: false,
    meaning:
      'Whether contacts found in this way count only when the next search begins, as with a thread that takes that long.',
  },
  mass: {
    kind: 'number',
    unit: 'kg',
    above: 0,
    max: 1e6,
    default: null,
    meaning: 'Mass of the tool of `modular` and `deformable`; from its density unless given.',
    extremes: 'You feel the inertia of heavy tools; a few grams are stable only with the implicit integrators.',
  },
  contactDamping: {
    kind: 'number',
    unit: 'N s/m',
    min: 0,
    max: 1e5,
    default: null,
    meaning: 'Damping of each cluster of `modular`; half the critical damping of the tool unless given.',
    extremes: '0 lets a light tool bounce; too high, and surfaces feel sticky.',
  },
  fadeAfter: {
    kind: 'number',
    unit: 's',
    min: 0,
    max: 10,
    default: 0.1,
    meaning: 'How long contacts found by `modular` or `deformable` count in full when nothing newer arrives.',
    extremes: 'Shorter than a contact search, and contact comes and goes; too long, and a dead thread holds on.',
  },
  fadeTime: {
    kind: 'number',
    unit: 's',
    min: 0,
    max: 10,
    default: 0.1,
    meaning: 'Time constant with which contact of `modular` or `deformable` fades after that.',
    extremes: '0 lets go at once, which you feel as a jerk.',
  },
} as const satisfies Record<string, Parameter>;
