import { bodyParameter } from './body-parameters.js';
import { deviceParameter } from './device-parameters.js';
import { frictionParameter } from './friction-parameters.js';
import { contactParameter, couplingParameter, limitsParameter, methodParameter } from './method-parameters.js';
import type { GroupParameter, ValueOf } from './parameter.js';

/** Every key of a scene file. World: right-handed, z up; SI units. */
export const sceneDescription = {
  kind: 'group',
  meaning: 'The bodies, which one you hold, and how contact feels.',
  keys: {
    $schema: {
      kind: 'text',
      default: null,
      meaning: 'Address of the JSON Schema, for editors; not used otherwise.',
    },
    palpable: { kind: 'number', unit: '', whole: true, min: 1, max: 1, meaning: 'Version of the format.' },
    name: { kind: 'text', default: '', meaning: 'Title of the scene.' },
    bodies: { kind: 'map', of: bodyParameter, meaning: 'The bodies, by a name of your choice.' },
    tool: {
      kind: 'names',
      meaning: 'The body that moves with the device, or a list of several; all others stay still.',
    },
    method: methodParameter,
    contact: contactParameter,
    friction: frictionParameter,
    coupling: couplingParameter,
    gravity: {
      kind: 'vector',
      length: 3,
      unit: 'm/s²',
      min: -1000,
      max: 1000,
      default: [0, 0, 0],
      meaning: 'Acts on the tool; [0, 0, -9.81] on Earth.',
    },
    timeStep: {
      kind: 'number',
      unit: 's',
      min: 1e-5,
      max: 0.1,
      default: 0.001,
      meaning: 'Time from one cycle to the next.',
      extremes:
        'Too long, and stiff contact vibrates on a device; shorter than a cycle takes, and the loop cannot keep up.',
    },
    limits: limitsParameter,
    device: deviceParameter,
    devices: {
      kind: 'map',
      of: deviceParameter,
      default: null,
      meaning: 'By tool, if there are several; replaces `device`.',
    },
  },
} as const satisfies GroupParameter;

/** A scene with all defaults filled in: what `checkScene` gives and everything else takes. */
export type Scene = ValueOf<typeof sceneDescription>;
export type SceneBody = ValueOf<typeof bodyParameter>;
export type SceneDevice = NonNullable<Scene['device']>;
export type SceneMesh = SceneBody['mesh'];
export type FrictionPair = Scene['friction']['pairs'][number];
