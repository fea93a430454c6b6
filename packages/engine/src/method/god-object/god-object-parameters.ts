import type { Parameter } from '../../settings/parameter.js';

/** Keys of `method` that `god-object` reads. */
export const godObjectParameters = {
  constraint: {
    kind: 'choice',
    choices: {
      heuristic: 'the sum of all contacts as one direction, as in the paper; a few microseconds',
      manifold: 'every contact individually: exact, slides correctly in corners and holes',
    },
    default: 'manifold',
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
} as const satisfies Readonly<Record<string, Parameter>>;
