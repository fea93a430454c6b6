/** The keys of a scene that may change while it runs, and which of them the chosen method and friction model use. */
import { type FrictionModelName, type MethodKind, methodOf, methods } from '@palpable/engine';
import {
  type ChoiceParameter,
  type FlagParameter,
  isKeyUsed,
  type LIVE_GROUPS,
  listParameters,
  type MethodSettings,
  methodSettings,
  type NumberParameter,
  type Parameter,
  type VectorParameter,
} from '@palpable/engine/advanced';
import { capitalise } from '../controls/words.js';

import { bendingBodies, materialParameter, materialTitle } from './material-parameters.js';

export type EditableParameter = NumberParameter | FlagParameter | ChoiceParameter | VectorParameter;

export interface LiveParameter<P extends EditableParameter = EditableParameter> {
  /** As in the scene file: `friction.coefficient`. */
  readonly path: string;
  /** One of the scene, or a body whose material it is: `bodies.clip`. */
  readonly group: string;
  /** `Torsional stiffness`. */
  readonly label: string;
  /** The label with its group, for where the group is not seen: `Coupling: torsional stiffness`. */
  readonly name: string;
  readonly parameter: P;
}

type LiveGroup = (typeof LIVE_GROUPS)[number];

/** The groups that may change, in the order of the panel. */
export const PANEL_GROUPS: readonly LiveGroup[] = ['friction', 'method', 'contact', 'coupling', 'gravity'];

export const METHOD_PATH = 'method.kind';
export const MODEL_PATH = 'friction.model';

/** What decides which other keys matter. */
export type Choices = Readonly<ReturnType<typeof readChoices>>;

/** Keys that stand by themselves, above the groups. */
const TOP_LABELS: Readonly<Record<string, string>> = { [METHOD_PATH]: 'Method', [MODEL_PATH]: 'Friction model' };

/** All of them but lists, which are edited in the scene file. */
export const liveParameters: readonly LiveParameter[] = PANEL_GROUPS.flatMap((group) =>
  listParameters().flatMap(({ path, parameter }) => {
    const isInGroup = path === group || path.startsWith(`${group}.`);
    if (!isInGroup || path.includes('[') || !isEditable(parameter)) return [];
    return [{ path, group, ...nameKey(path, group), parameter }];
  }),
);

export function liveParameter(path: string): LiveParameter | undefined {
  return liveParameters.find((live) => live.path === path) ?? materialParameter(path);
}

function isEditable(parameter: Parameter): parameter is EditableParameter {
  const { kind } = parameter;
  return kind === 'number' || kind === 'flag' || kind === 'choice' || kind === 'vector';
}

function nameKey(path: string, group: LiveGroup): { label: string; name: string } {
  const top = TOP_LABELS[path];
  if (top !== undefined) return { label: top, name: top };
  const label = path === 'gravity' ? 'Acceleration' : inWords(path.slice(path.lastIndexOf('.') + 1));
  return { label, name: `${inWords(group)}: ${label.toLowerCase()}` };
}

/** `torsionalStiffness` and `god-object` as words: `Torsional stiffness`, `God object`. */
export function inWords(key: string): string {
  if (key === 'gauss-seidel') return 'Gauss–Seidel';
  const words = key.replaceAll('-', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return capitalise(words);
}

export function groupTitle(group: string): string {
  return materialTitle(group) ?? inWords(group);
}

/** Whether a change of the key has an effect. */
export function isUsed(path: string, choices: Choices): boolean {
  if (materialTitle(path) !== undefined) return bends(choices.method);
  return isKeyUsed(path, settingsOf(choices), choices.model as FrictionModelName);
}

function settingsOf({ method, constraint, detection }: Choices): MethodSettings {
  const { parameters } = methodOf(method);
  const given = Object.entries({ constraint, detection }).filter(([key]) => Object.hasOwn(parameters, key));
  return methodSettings(method as MethodKind, Object.fromEntries(given));
}

/** Whether this is a method that bends bodies. */
export function bends(method: unknown): boolean {
  const found = methods.find(({ kind }) => kind === method);
  return found?.contactsOn(methodSettings(found.kind as MethodKind)) === 'surfaces';
}

/** What the scene says under a key, or the default. */
export function readValue(scene: unknown, path: string): unknown {
  const written = writtenValue(scene, path);
  return written === undefined ? liveParameter(path)?.parameter.default : written;
}

/** Undefined where the scene does not say it. */
export function writtenValue(scene: unknown, path: string): unknown {
  let value = scene;
  for (const key of path.split('.')) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}

export function readChoices(read: (path: string) => unknown) {
  return {
    method: String(read(METHOD_PATH)),
    model: String(read(MODEL_PATH)),
    constraint: String(read('method.constraint')),
    detection: String(read('method.detection')),
  };
}

/** What can be chosen: not to bend bodies where none has a material, unless the scene does. */
export function offeredChoices({ choices }: ChoiceParameter, chosen: unknown, bodies: unknown): string[] {
  const isOffered = (choice: string) => !bends(choice) || bendingBodies({ bodies }).length > 0;
  return Object.keys(choices).filter((choice) => choice === chosen || isOffered(choice));
}

/** What the method at work does, and why it is the one. */
export function methodNote({ method, constraint }: Choices, isNamed: boolean): string {
  const isFlagship = method === 'god-object' && constraint === 'manifold';
  const why = isNamed ? 'The scene names it.' : 'The default for rigid parts.';
  return `${capitalise(methodOf(method).meaning)}${isFlagship ? ', held by all contacts at once' : ''}. ${why}`;
}

/** What the friction model means to the method, where it is not what the model itself says. */
export function frictionNote({ method, model }: Choices): string | undefined {
  const { friction, title } = methodOf(method);
  if (friction === 'none') return `${title} only pushes; it has no friction.`;
  if (friction === 'model' || model === 'none') return undefined;
  return `${title} has its own friction law: all models except “None” act the same.`;
}

const IMPLIED_WORDS: Readonly<Record<string, string>> = {
  'coupling.graspPoint': 'the centre of mass',
  'method.absoluteTolerance': 'by the fraction above',
  'method.mass': 'from the density',
  'method.contactDamping': 'half of critical damping',
  'contact.stiffness': 'as the method needs',
  'coupling.maxForce': 'what the device can give',
  'coupling.maxTorque': 'what the device can give',
};

/** What stands for a key that is null: a value where there is one, and words. */
export function impliedValue(
  path: string,
  read: (path: string) => unknown,
): { readonly value?: number; readonly words: string } {
  const coefficient = Number(read('friction.coefficient'));
  if (path === 'friction.viscous') {
    const rest = read('friction.static');
    const value = (typeof rest === 'number' ? rest : coefficient) / 100;
    return { value, words: 'a hundredth of static' };
  }
  if (path === 'coupling.damping' || path === 'coupling.torsionalDamping') {
    return methodOf(String(read(METHOD_PATH))).dampsCritically ? { words: 'critical' } : { value: 0, words: 'none' };
  }
  const words = IMPLIED_WORDS[path];
  if (words !== undefined) return { words };
  return { value: coefficient, words: 'as the coefficient' };
}

/** Whether every word of the filter is somewhere in name, path or meaning. */
export function matchesFilter({ path, name, parameter }: LiveParameter, filter: string): boolean {
  const text = `${name} ${path} ${parameter.meaning}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
