import { deformableParameters } from './deformable-parameters.js';
import { modularParameters } from './modular-parameters.js';
import type { GroupParameter } from './parameter.js';

export const methodParameter = {
  kind: 'group',
  meaning: 'How the pose of the device becomes the pose of the tool and a wrench.',
  keys: {
    kind: {
      kind: 'choice',
      choices: {
        penalty: 'the tool is where the device is, and contacts push like springs',
        'static-friction': 'static virtual coupling with Coulomb friction',
        'god-object': 'a proxy that stays on the surface while the device goes through it',
        modular: 'implicit dynamics of a light tool with linearised contact',
        deformable: 'bodies that bend, under the laws of Signorini and Coulomb',
      },
      default: 'static-friction',
      meaning: 'The method.',
    },
    staticDamping: {
      kind: 'number',
      unit: '',
      min: 0,
      max: 0.99,
      default: 0.6,
      meaning: 'Part of the displacement that is held back in every cycle with contacts (Zhao, section 4.2).',
      extremes: '0 may tremble at stiff contacts; close to 1 the tool follows as if through honey.',
    },
    separation: {
      kind: 'choice',
      choices: {
        pull: 'a contact that would open loses its friction when the coupling pulls it open',
        printed: 'the test as printed in section 4.1, which also frees loaded edges',
        off: 'contacts keep their friction until they are gone, and lifting feels sticky',
      },
      default: 'pull',
      meaning: 'When a contact counts as separating (Zhao, section 4.1).',
    },
    constraint: {
      kind: 'choice',
      choices: {
        heuristic: 'the sum of all contacts as one direction, as in the paper; a few microseconds',
        manifold: 'every contact for itself: slides right in corners and holes, and is exact',
      },
      default: 'heuristic',
      meaning: 'How contacts hold the proxy of `god-object`.',
    },
    correction: {
      kind: 'choice',
      choices: {
        'least-energy': 'the least motion that resolves the overlap',
        printed: 'the formulas of the paper, which resolve a part of it',
      },
      default: 'least-energy',
      meaning: 'How the heuristic of `god-object` takes its proxy out of the surface (Sagardia, section 2.2).',
    },
    sampling: {
      kind: 'choice',
      choices: {
        field: 'distances interpolated from the field',
        voxels: 'whole voxel layers, as in the paper (Sagardia, Eq. 1)',
      },
      default: 'field',
      meaning: 'Where `god-object` takes the depth of a point from.',
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
      meaning: 'How far from a surface `god-object` heeds it; takes the place of `contact.margin`.',
      extremes: 'Much thinner than a voxel, and fast tools wait for their proxy; wide margins cost time.',
    },
    ...modularParameters,
    ...deformableParameters,
  },
} as const satisfies GroupParameter;

export const contactParameter = {
  kind: 'group',
  meaning: 'How contacts are found and how they push.',
  keys: {
    stiffness: {
      kind: 'number',
      unit: 'N/m',
      above: 0,
      max: 1e8,
      default: 5000,
      meaning: 'Stiffness of one contact along its normal.',
      extremes: 'Too low, and bodies sink into each other; too high, and contact trembles.',
    },
    margin: {
      kind: 'number',
      unit: 'm',
      min: 0,
      max: 1,
      default: 0,
      meaning: 'Points this far outside are found as well.',
      extremes: 'Large margins find many points that do not touch, and cost time.',
    },
    adaptive: {
      kind: 'flag',
      default: true,
      meaning: 'Contacts of the same normal share their stiffness, so that a flat face is no stiffer than a point.',
    },
    cornerWeighting: {
      kind: 'flag',
      default: true,
      meaning: 'Points round the corner, whose normal lies in the other surface, do not push sideways.',
    },
    maxContacts: {
      kind: 'number',
      unit: 'contacts',
      whole: true,
      min: 1,
      max: 100_000,
      default: 1000,
      meaning: 'No more contacts than this; the deepest and best spread are kept.',
      extremes: 'Too few, and large faces are felt coarsely; too many, and a cycle takes longer than its time step.',
    },
  },
} as const satisfies GroupParameter;

export const couplingParameter = {
  kind: 'group',
  meaning: 'The spring between device and tool.',
  keys: {
    stiffness: {
      kind: 'number',
      unit: 'N/m',
      above: 0,
      max: 1e7,
      default: 1000,
      meaning: 'Of the spring that pulls the tool to the device.',
      extremes: 'Too low, and contact feels soft; higher than the device can show, and it trembles.',
    },
    torsionalStiffness: {
      kind: 'number',
      unit: 'N m/rad',
      above: 0,
      max: 1e6,
      default: 5,
      meaning: 'Of the spring that turns the tool to the device.',
      extremes: 'Too low, and the tool turns away in the hand; too high, and the device trembles.',
    },
    graspPoint: {
      kind: 'vector',
      length: 3,
      unit: 'm',
      min: -1000,
      max: 1000,
      default: null,
      meaning: "Where the spring acts, in the tool's body frame; its centre of mass unless given.",
      extremes: 'Far from the centre of mass, small turns of the hand become long ways.',
    },
    damping: {
      kind: 'number',
      unit: 'N s/m',
      min: 0,
      max: 1e5,
      default: null,
      meaning:
        'Force against the speed at which device and tool part. Without it what the method takes: 0 for `god-object`, ' +
        'critical damping for `modular` and `deformable`; the others have none.',
      extremes: 'Too high for the device and the time step, and contact buzzes; too low, and a light tool rings.',
    },
    torsionalDamping: {
      kind: 'number',
      unit: 'N m s/rad',
      min: 0,
      max: 1e4,
      default: null,
      meaning: 'The same for turning.',
    },
  },
} as const satisfies GroupParameter;

/** Stated by the device's data sheet; `run` applies what the scene states and nothing else. */
export const limitsParameter = {
  kind: 'group',
  default: null,
  meaning: 'The most that a device may be asked for; without this key nothing is limited.',
  keys: {
    force: {
      kind: 'number',
      unit: 'N',
      above: 0,
      max: 1e6,
      default: null,
      meaning: 'Largest force.',
      extremes: 'Too low, and walls feel soft: the force no longer grows.',
    },
    torque: { kind: 'number', unit: 'N m', above: 0, max: 1e6, default: null, meaning: 'Largest torque.' },
    forceRate: {
      kind: 'number',
      unit: 'N/s',
      above: 0,
      max: 1e9,
      default: null,
      meaning: 'Fastest change of the force.',
      extremes: 'Too low, and contacts come late and release late.',
    },
    torqueRate: {
      kind: 'number',
      unit: 'N m/s',
      above: 0,
      max: 1e9,
      default: null,
      meaning: 'Fastest change of the torque.',
    },
  },
} as const satisfies GroupParameter;
