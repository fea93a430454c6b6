import type { GroupParameter, ListParameter, ValueOf } from '../settings/parameter.js';
import { DEFAULT_FRICTION_OPTIONS, frictionModels, MAX_SIDES, MIN_SIDES } from './create-friction-model.js';
import type { FrictionModelName } from './friction-model.js';

/** The papers go up to 1000; beyond, nothing that is real is left. */
const COEFFICIENT = { kind: 'number', unit: '', min: 0, max: 10_000 } as const;
const POINT = { kind: 'vector', length: 3, unit: 'm', min: -1000, max: 1000 } as const;

const pairs = {
  kind: 'list',
  default: [],
  meaning: 'Friction of particular pairs of bodies.',
  of: {
    kind: 'group',
    meaning: 'Friction between two bodies; anything not given is as for all pairs.',
    keys: {
      bodies: {
        kind: 'list',
        length: 2,
        of: { kind: 'text', meaning: 'Name of a body.' },
        meaning: 'Names of the two bodies, in any order.',
      },
      coefficient: {
        ...COEFFICIENT,
        default: null,
        meaning: 'Sets both coefficients of this pair that are not given.',
      },
      static: { ...COEFFICIENT, default: null, meaning: 'Static friction of this pair.' },
      kinetic: { ...COEFFICIENT, default: null, meaning: 'Kinetic friction of this pair.' },
      dynamic: {
        kind: 'flag',
        default: false,
        meaning:
          'Declares all contacts of the pair dynamic: kinetic friction only, excluded from the static test (Zhao, section 7).',
      },
      dynamicRegions: {
        kind: 'list',
        default: [],
        meaning: 'Boxes in the frame of the body that carries the shell: contacts of points inside are dynamic.',
        of: {
          kind: 'group',
          meaning: 'A box, by two opposite corners.',
          keys: {
            min: { ...POINT, meaning: 'The corner with the smallest coordinates.' },
            max: { ...POINT, meaning: 'The corner with the largest coordinates.' },
          },
        },
      },
    },
  },
} as const satisfies ListParameter;

export const frictionParameter = {
  kind: 'group',
  meaning: 'Friction between tool and environment.',
  keys: {
    model: {
      kind: 'choice',
      choices: Object.fromEntries(frictionModels.map(({ name, description }) => [name, description])),
      default: 'cone',
      meaning: 'The friction law, and how it is solved.',
    },
    coefficient: {
      ...COEFFICIENT,
      default: 0.5,
      meaning: 'Coulomb coefficient; sets those of `static`, `kinetic` and `rotational` that are not given.',
      extremes: '0 slides like ice; above about 2, parts wedge and hardly come free.',
    },
    static: {
      ...COEFFICIENT,
      default: null,
      meaning: 'Coefficient of static friction, for methods that distinguish it.',
    },
    kinetic: {
      ...COEFFICIENT,
      default: null,
      meaning: 'Coefficient of kinetic friction, for methods that distinguish it.',
      extremes: 'Above the static coefficient, sliding stops by itself and starts with a jerk.',
    },
    viscous: {
      ...COEFFICIENT,
      default: null,
      meaning:
        'Coefficient of viscous friction, for methods that distinguish it: the fraction of a sliding motion that is held back ' +
        'in each cycle. A hundredth of the static coefficient unless given.',
      extremes: 'Close to 1 and above, the tool creeps after the hand.',
    },
    rotational: {
      ...COEFFICIENT,
      default: null,
      meaning: 'Coefficient of friction against rotation, for methods that distinguish it.',
    },
    slip: {
      kind: 'choice',
      choices: {
        dissipation: 'sliding friction, with sticking and slipping contacts at once',
        frictionless: 'no friction in that cycle, as in the paper',
      },
      default: DEFAULT_FRICTION_OPTIONS.slip,
      meaning: 'What `cone` and `pyramid` do when static friction cannot hold.',
    },
    metric: {
      kind: 'choice',
      choices: {
        stiffness: 'stiffness of coupling and contacts: friction opposes the slip',
        mass: 'mass of the tool, as in the paper: friction points elsewhere when the tool turns as it slides',
      },
      default: DEFAULT_FRICTION_OPTIONS.metric,
      meaning:
        'By what `cone`, `pyramid` and `quadratic` measure the displacement that they make small (Zhao, Eq. 28).',
    },
    sides: {
      kind: 'number',
      unit: 'sides',
      whole: true,
      min: MIN_SIDES,
      max: MAX_SIDES,
      default: DEFAULT_FRICTION_OPTIONS.sides,
      meaning: 'Sides of the pyramid around the cone.',
      extremes: 'Few sides make friction too strong along the corners: by 41 % with 4, by 8 % with 8.',
    },
    rankTolerance: {
      kind: 'number',
      unit: '',
      min: 0,
      max: 0.5,
      default: DEFAULT_FRICTION_OPTIONS.rankTolerance,
      meaning: 'Directions in which friction acts by less than this fraction of the strongest are ignored.',
      extremes:
        'Too small, and pressing on slightly curved faces counts as slip; too large, and weak directions slide.',
    },
    springStiffness: {
      kind: 'number',
      unit: 'N/m',
      above: 0,
      max: 1e8,
      default: DEFAULT_FRICTION_OPTIONS.springStiffness,
      meaning: 'Stiffness of the springs of one direction of contact in the model `springs`; its contacts share it.',
      extremes: 'Too low, and contacts yield before they hold; too high, and they vibrate.',
    },
    maxIterations: {
      kind: 'number',
      unit: 'iterations',
      whole: true,
      min: 1,
      max: 100_000,
      default: DEFAULT_FRICTION_OPTIONS.maxIterations,
      meaning: 'Most iterations of one solve; the column `capped` reports when they ran out.',
      extremes: 'Too few, and the answer is rough; too many, and one cycle may take longer than its time step.',
    },
    tolerance: {
      kind: 'number',
      unit: '',
      above: 0,
      max: 0.1,
      default: DEFAULT_FRICTION_OPTIONS.tolerance,
      meaning: 'Relative residual at which a solve stops.',
      extremes: 'Too large, and holding becomes creeping; below 1e-12, rounding prevents it from being met.',
    },
    pairs,
  },
} as const satisfies GroupParameter;

/** The key `friction` of a scene with all defaults filled in; SI units. */
export type FrictionSettings = Omit<ValueOf<typeof frictionParameter>, 'model'> & {
  readonly model: FrictionModelName;
};
export type FrictionPair = FrictionSettings['pairs'][number];
