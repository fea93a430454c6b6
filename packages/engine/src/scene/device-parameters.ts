import { limitsParameter } from '../settings/group-parameters.js';
import type { GroupParameter } from '../settings/parameter.js';

const workspaceParameter = {
  kind: 'group',
  default: null,
  meaning: "Where the device's own frame lies in the world, and how large its workspace is there.",
  keys: {
    convention: {
      kind: 'choice',
      choices: {
        world: 'x right, y away from the user, z up, as in the world',
        'y-up': 'x right, y up, z to the user: OpenHaptics, WebXR, three.js',
        chai3d: 'x to the user, y right, z up',
      },
      default: 'world',
      meaning: "Which way the device's axes point.",
    },
    basis: {
      kind: 'vector',
      length: 4,
      unit: '',
      rotation: true,
      default: null,
      meaning: 'The same as a quaternion x, y, z, w, for any other convention.',
    },
    scale: {
      kind: 'number',
      unit: '',
      above: 0,
      max: 1000,
      default: 1,
      meaning: 'Metres in the world for one of the device.',
      extremes:
        'Large, and fine work is hard and contact stiffer than the device can show; small, and it does not reach.',
    },
    origin: {
      kind: 'vector',
      length: 3,
      unit: 'm',
      min: -1000,
      max: 1000,
      default: null,
      meaning: "Where the device's origin lies in the world; where the scene puts the tool, unless given.",
    },
    grip: {
      kind: 'vector',
      length: 4,
      unit: '',
      rotation: true,
      default: null,
      meaning: 'Turn of the tool in the hand; as the scene puts the tool, unless given.',
    },
    clutch: {
      kind: 'number',
      unit: '',
      whole: true,
      min: 0,
      max: 30,
      default: null,
      meaning: 'Button, from 0, that lets the hand move without the tool; without one there is no clutch.',
    },
    smoothing: {
      kind: 'number',
      unit: 's',
      min: 0,
      max: 1,
      default: 0,
      meaning: 'Time in which the tool follows a device that speaks more seldom than the loop asks.',
      extremes: '0 makes the samples of a slow device felt as steps; too long, and the tool drags behind.',
    },
  },
} as const satisfies GroupParameter;

/** Keys beyond these depend on the kind of the device. */
export const deviceParameter = {
  kind: 'group',
  default: null,
  open: true,
  meaning: 'The device for live use; further keys depend on its kind.',
  keys: {
    kind: {
      kind: 'text',
      default: null,
      meaning: 'Which device: `simulated`, `replay`, `vrpn`, `haply` or `module`.',
    },
    address: {
      kind: 'text',
      default: null,
      meaning: 'Where it is: `Phantom0@host:3883`, `ws://host:10001`, or a file to replay or to import.',
    },
    workspace: workspaceParameter,
    limits: { ...limitsParameter, meaning: 'What the device can give, where it does not say so itself.' },
    stopButton: {
      kind: 'number',
      unit: '',
      whole: true,
      min: 0,
      max: 30,
      default: null,
      meaning:
        'Button, from 0, that is an emergency stop: it takes the force away from all hands until that is released on purpose.',
    },
    silentAfter: {
      kind: 'number',
      unit: 's',
      above: 0,
      max: 10,
      default: null,
      meaning: 'So long it may say nothing before the force is taken away; 0.01 unless given.',
      extremes:
        'Shorter than the time between its samples, and there is never a force; long, and a loss goes unnoticed.',
    },
  },
} as const satisfies GroupParameter;
