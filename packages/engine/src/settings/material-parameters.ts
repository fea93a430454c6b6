import type { GroupParameter } from './parameter.js';

const POINT = { kind: 'vector', length: 3, unit: 'm', min: -1000, max: 1000 } as const;

/** A box in a body's frame. */
const region = {
  kind: 'group',
  meaning: "A box in the body's frame, by two opposite corners.",
  keys: {
    min: { ...POINT, meaning: 'The corner with the smallest coordinates.' },
    max: { ...POINT, meaning: 'The corner with the largest coordinates.' },
  },
} as const satisfies GroupParameter;

/** The key `deformable` of a body. */
export const deformable = {
  kind: 'group',
  default: null,
  meaning: 'The material of a body that bends, for the method `deformable`; a body without this key is rigid.',
  keys: {
    young: {
      kind: 'number',
      unit: 'Pa',
      above: 0,
      max: 1e13,
      default: 7e8,
      meaning: "Young's modulus.",
      extremes: 'Too low, and the body sags through its supports; too high, and it is practically rigid.',
    },
    poisson: {
      kind: 'number',
      unit: '',
      min: 0,
      max: 0.49,
      default: 0.35,
      meaning: "Poisson's ratio.",
      extremes: 'Close to 0.5 the material is incompressible and linear elements become far too stiff.',
    },
    massDamping: {
      kind: 'number',
      unit: '1/s',
      min: 0,
      max: 1e5,
      default: 0,
      meaning: "Rayleigh's α: damping proportional to mass, against slow vibrations.",
      extremes: 'Too high, and the body recovers as if in honey.',
    },
    stiffnessDamping: {
      kind: 'number',
      unit: 's',
      min: 0,
      max: 10,
      default: 1e-4,
      meaning: "Rayleigh's β: damping proportional to stiffness, against fast vibrations.",
      extremes: 'Longer than a few time steps, and the body yields late.',
    },
    elementSize: {
      kind: 'number',
      unit: 'm',
      above: 0,
      max: 1000,
      default: null,
      meaning:
        'Size of the tetrahedra that fill the mesh; a twentieth of its longest side unless given. A file of tetrahedra ' +
        'has its own.',
      extremes: 'Walls thinner than about two elements are lost; halving it takes about ten times as long to prepare.',
    },
    fixed: {
      kind: 'list',
      default: [],
      meaning:
        'Nodes in these boxes are held: by the hand for a tool, by the world otherwise. A tool without boxes is held ' +
        'around its grasp point; other bodies need at least one.',
      of: region,
    },
    gripRadius: {
      kind: 'number',
      unit: 'm',
      above: 0,
      max: 1000,
      default: null,
      meaning:
        'How far around the grasp point a tool without `fixed` is held; an eighth of its longest side unless given.',
    },
    touchable: {
      ...region,
      default: null,
      meaning: 'Only the surface in this box can be touched, which saves memory; the whole surface unless given.',
    },
    modes: {
      kind: 'number',
      unit: 'modes',
      whole: true,
      min: 0,
      max: 60,
      default: 20,
      meaning: 'Number of slowest vibrations that keep their inertia; all others follow their forces at once.',
      extremes: '0 ignores the inertia of bending; many cost time in every cycle.',
    },
  },
} as const satisfies GroupParameter;
