import { type FrictionSettings, frictionParameter } from '../friction/friction-parameters.js';
import { DEFAULT_METHOD, type MethodSettings, methodKeys, methods } from '../method/methods.js';
import { bodyParameter } from '../settings/body-parameters.js';
import {
  contactParameter,
  couplingParameter,
  gravityParameter,
  limitsParameter,
  timeStepParameter,
} from '../settings/group-parameters.js';
import type { GroupParameter, ValueOf } from '../settings/parameter.js';
import { deviceParameter } from './device-parameters.js';

/** Flat in the file: the keys of all methods beside each other. A scene has those of its own method. */
const methodParameter = {
  kind: 'group',
  meaning: 'How the device pose becomes a tool pose and a wrench.',
  keys: {
    kind: {
      kind: 'choice',
      choices: Object.fromEntries(methods.map(({ kind, meaning }) => [kind, meaning])),
      default: DEFAULT_METHOD,
      meaning: 'The method.',
    },
    ...Object.fromEntries([...methodKeys()].map(([key, { parameter }]) => [key, parameter])),
  },
} as const satisfies GroupParameter;

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
    gravity: gravityParameter,
    timeStep: timeStepParameter,
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
export type Scene = Omit<ValueOf<typeof sceneDescription>, 'method' | 'friction'> & {
  readonly method: MethodSettings;
  readonly friction: FrictionSettings;
};
/** The device that a scene asks for, with all defaults. */
export type SceneDevice = NonNullable<Scene['device']>;
