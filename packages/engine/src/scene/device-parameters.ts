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
      meaning: "Directions of the device's axes.",
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
      meaning: 'Metres in the world per metre of the device.',
      extremes:
        'Large, and fine work is hard and contact stiffer than the device can render; small, and it does not reach.',
    },
    origin: {
      kind: 'vector',
      length: 3,
      unit: 'm',
      min: -1000,
      max: 1000,
      default: null,
      meaning: "Position of the device's origin in the world; where the scene puts the tool, unless given.",
    },
    grip: {
      kind: 'vector',
      length: 4,
      unit: '',
      rotation: true,
      default: null,
      meaning: 'Rotation of the tool in the hand; as the scene puts the tool, unless given.',
    },
    clutch: {
      kind: 'number',
      unit: '',
      whole: true,
      min: 0,
      max: 30,
      default: null,
      meaning: 'Button, from 0, that lets the hand move without the tool; no clutch unless given.',
    },
    smoothing: {
      kind: 'number',
      unit: 's',
      min: 0,
      max: 1,
      default: 0,
      meaning: 'Time over which the tool follows a device that reports less often than the loop runs.',
      extremes: 'At 0 you feel the samples of a slow device as steps; too long, and the tool lags behind.',
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
    limits: { ...limitsParameter, meaning: 'What the device can render, if it does not report this itself.' },
    stopButton: {
      kind: 'number',
      unit: '',
      whole: true,
      min: 0,
      max: 30,
      default: null,
      meaning:
        'Button, from 0, that is an emergency stop: it removes the force from all hands until you release the stop.',
    },
    silentAfter: {
      kind: 'number',
      unit: 's',
      above: 0,
      max: 10,
      default: null,
      meaning: 'How long it may be silent before the force is removed; 0.01 unless given.',
      extremes:
        'Shorter than the time between its samples, and there is never a force; long, and a loss goes unnoticed.',
    },
  },
} as const satisfies GroupParameter;
