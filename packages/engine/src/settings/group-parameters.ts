import type { GroupParameter, Parameter, ValueOf } from './parameter.js';

export const contactParameter = {
  kind: 'group',
  meaning: 'How contacts are found and how they push.',
  keys: {
    stiffness: {
      kind: 'number',
      unit: 'N/m',
      above: 0,
      max: 1e8,
      default: null,
      meaning:
        'Stiffness of one direction of contact: all contacts that push the same way share it. Without it, static friction ' +
        'and modular sink in by half a voxel under the full force of the coupling, the manifold god object is 500 times ' +
        'as stiff as the coupling and gives way by 0.1 mm at most, and penalty, which renders it to the hand, takes 5000 N/m.',
      extremes: 'Too low, and bodies sink into each other; too high, and contact vibrates.',
    },
    margin: {
      kind: 'number',
      unit: 'm',
      min: 0,
      max: 1,
      default: 0,
      meaning: 'Points this far outside count as contacts too.',
      extremes: 'Large margins find many points that do not touch, and cost time.',
    },
    adaptive: {
      kind: 'flag',
      default: true,
      meaning: 'Contacts with the same normal share their stiffness, so a flat face is no stiffer than a point.',
    },
    cornerWeighting: {
      kind: 'flag',
      default: true,
      meaning: 'Points around the corner, whose normal lies in the other surface, do not push sideways.',
    },
    symmetric: {
      kind: 'flag',
      default: true,
      meaning:
        'Whether points of both bodies count, each in the field of the other, so that no edge passes between the points ' +
        'of the tool. Bodies that were prepared without shell or field do without.',
    },
    reduce: {
      kind: 'flag',
      default: true,
      meaning:
        'Whether flat faces that lie on each other are taken for a few points where they overlap, which bear and hold what ' +
        'all their points would. Works with `contact.symmetric`.',
    },
    maxContacts: {
      kind: 'number',
      unit: 'contacts',
      whole: true,
      min: 1,
      max: 100_000,
      default: 1000,
      meaning: 'Most contacts; the deepest and best-spread ones are kept.',
      extremes: 'Too few, and large faces feel coarse; too many, and a cycle takes longer than its time step.',
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
      meaning: 'Stiffness of the spring that pulls the tool to the device.',
      extremes: 'Too low, and contact feels soft; higher than the device can render, and it vibrates.',
    },
    torsionalStiffness: {
      kind: 'number',
      unit: 'N m/rad',
      above: 0,
      max: 1e6,
      default: 5,
      meaning: 'Stiffness of the spring that rotates the tool to the device.',
      extremes: 'Too low, and the tool twists in the hand; too high, and the device vibrates.',
    },
    graspPoint: {
      kind: 'vector',
      length: 3,
      unit: 'm',
      min: -1000,
      max: 1000,
      default: null,
      meaning: "Where the spring acts, in the tool's body frame; its centre of mass unless given.",
      extremes: 'Far from the centre of mass, small rotations of the hand become long displacements.',
    },
    damping: {
      kind: 'number',
      unit: 'N s/m',
      min: 0,
      max: 1e5,
      default: null,
      meaning:
        'Force against the speed at which device and tool separate. The default depends on the method: 0 for `god-object`, ' +
        'critical damping for `modular` and `deformable`; the others have none.',
      extremes: 'Too high for the device and the time step, and contact buzzes; too low, and a light tool rings.',
    },
    torsionalDamping: {
      kind: 'number',
      unit: 'N m s/rad',
      min: 0,
      max: 1e4,
      default: null,
      meaning: 'The same for rotation.',
    },
    maxForce: {
      kind: 'number',
      unit: 'N',
      above: 0,
      max: 1e6,
      default: null,
      meaning:
        'Force at which the spring saturates: it pulls no harder however far the device is from the tool. Unlimited unless ' +
        'given; `modular` then takes `limits.force`.',
      extremes: 'More than the device can render, and the tool is pressed into parts harder than you feel.',
    },
    maxTorque: {
      kind: 'number',
      unit: 'N m',
      above: 0,
      max: 1e6,
      default: null,
      meaning: 'The same for torque; `modular` takes `limits.torque` unless given.',
    },
  },
} as const satisfies GroupParameter;

/** Stated by the device's data sheet; `run` applies what the scene states and nothing else. */
export const limitsParameter = {
  kind: 'group',
  default: null,
  meaning: 'Limits of the device; without this key nothing is limited.',
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
      extremes: 'Too low, and contacts start and end late.',
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

export const gravityParameter = {
  kind: 'vector',
  length: 3,
  unit: 'm/s²',
  min: -1000,
  max: 1000,
  default: [0, 0, 0],
  meaning: 'Acts on the tool; [0, 0, -9.81] on Earth.',
} as const satisfies Parameter;

export const timeStepParameter = {
  kind: 'number',
  unit: 's',
  min: 1e-5,
  max: 0.1,
  default: 0.001,
  meaning: 'Time from one cycle to the next.',
  extremes:
    'Too long, and stiff contact vibrates on a device; shorter than a cycle takes, and the loop cannot keep up.',
} as const satisfies Parameter;

export type ContactSettings = ValueOf<typeof contactParameter>;
export type CouplingSettings = ValueOf<typeof couplingParameter>;
export type LimitSettings = ValueOf<typeof limitsParameter>;
