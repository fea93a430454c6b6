/** The keys of a scene that may change while it is felt, and which of them the chosen method and friction model heed. */
import {
  type ChoiceParameter,
  type FlagParameter,
  type LIVE_GROUPS,
  listParameters,
  type NumberParameter,
  type Parameter,
  type VectorParameter,
} from '@palpable/engine';

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
export interface Choices {
  readonly method: string;
  readonly model: string;
  readonly constraint: string;
  readonly detection: string;
}

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
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function groupTitle(group: string): string {
  return materialTitle(group) ?? inWords(group);
}

type Rule = (choices: Choices) => boolean;

const always: Rule = () => true;
const isStaticFriction: Rule = ({ method }) => method === 'static-friction';
const isGodObject: Rule = ({ method }) => method === 'god-object';
const isHeuristic: Rule = (choices) => isGodObject(choices) && choices.constraint === 'heuristic';
const isModular: Rule = ({ method }) => method === 'modular';
const isDeformable: Rule = ({ method }) => method === 'deformable';
/** Contacts may be found in a thread of their own. */
const isThreaded: Rule = (choices) => isModular(choices) || isDeformable(choices);
/** Surfaces are pressed into each other, rather than kept apart. */
const isSpringy: Rule = (choices) => !isHeuristic(choices) && !isDeformable(choices);
const usesLevels: Rule = (choices) => isModular(choices) && choices.detection === 'hierarchy';
/** Device and tool are two things with a spring between them. */
const isCoupled: Rule = ({ method }) => method !== 'penalty';
const isDamped: Rule = (choices) => isGodObject(choices) || isThreaded(choices);
const hasMargin: Rule = (choices) => !isGodObject(choices) && !isThreaded(choices);
const rubs: Rule = (choices) => isCoupled(choices) && choices.model !== 'none';
const solvesFriction: Rule = (choices) => isStaticFriction(choices) && choices.model !== 'none';
const hasModel =
  (...models: readonly string[]): Rule =>
  (choices) =>
    isStaticFriction(choices) && models.includes(choices.model);

/** Follows what the methods read; a test holds it against the list of keys. */
const RULES: Readonly<Record<string, Rule>> = {
  [METHOD_PATH]: always,
  'method.staticDamping': isStaticFriction,
  'method.separation': solvesFriction,
  'method.constraint': isGodObject,
  'method.correction': isHeuristic,
  'method.sampling': isGodObject,
  'method.filter': isHeuristic,
  'method.safetyMargin': isGodObject,
  'method.integrator': isModular,
  'method.detection': isModular,
  'method.clusters': isModular,
  'method.tolerance': usesLevels,
  'method.absoluteTolerance': usesLevels,
  'method.distanceTolerance': isModular,
  'method.linearised': isModular,
  'method.contactRatio': isThreaded,
  'method.contactDelayed': isModular,
  'method.mass': isThreaded,
  'method.contactDamping': isModular,
  'method.fadeAfter': isThreaded,
  'method.fadeTime': isModular,
  'method.alarmDistance': isDeformable,
  'method.solvedContacts': isDeformable,
  'method.localSolver': isDeformable,
  'method.solverTolerance': isDeformable,
  'method.maxSweeps': isDeformable,
  // The proxy of the heuristic does not enter the surface, so nothing is pressed in.
  'contact.stiffness': isSpringy,
  'contact.margin': hasMargin,
  'contact.adaptive': hasMargin,
  'contact.cornerWeighting': (choices) => !isThreaded(choices),
  'contact.maxContacts': (choices) => !isDeformable(choices),
  [MODEL_PATH]: isCoupled,
  'friction.coefficient': rubs,
  'friction.static': rubs,
  'friction.kinetic': rubs,
  'friction.viscous': (choices) => isGodObject(choices) && rubs(choices),
  'friction.rotational': (choices) => isHeuristic(choices) && rubs(choices),
  'friction.slip': hasModel('cone', 'pyramid'),
  'friction.sides': hasModel('pyramid'),
  'friction.rankTolerance': hasModel('cone', 'pyramid', 'quadratic'),
  'friction.springStiffness': hasModel('springs'),
  'friction.maxIterations': solvesFriction,
  'friction.tolerance': solvesFriction,
  'coupling.stiffness': isCoupled,
  'coupling.torsionalStiffness': isCoupled,
  'coupling.graspPoint': isCoupled,
  'coupling.damping': isDamped,
  'coupling.torsionalDamping': isDamped,
  gravity: isCoupled,
};

/** The keys that the table above knows, for its test. */
export const ruledPaths: readonly string[] = Object.keys(RULES);

/** Whether a change of the key can be felt. A key that the table does not know is taken to matter. */
export function isHeeded(path: string, choices: Choices): boolean {
  return RULES[path]?.(choices) ?? (materialTitle(path) === undefined || isDeformable(choices));
}

/** What the scene says under a key, or the default. */
export function readValue(scene: unknown, path: string): unknown {
  let value = scene;
  for (const key of path.split('.')) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value === undefined ? liveParameter(path)?.parameter.default : value;
}

export function readChoices(read: (path: string) => unknown): Choices {
  return {
    method: String(read(METHOD_PATH)),
    model: String(read(MODEL_PATH)),
    constraint: String(read('method.constraint')),
    detection: String(read('method.detection')),
  };
}

/** What can be chosen: not to bend bodies where none has a material, unless the scene does. */
export function offeredChoices({ choices }: ChoiceParameter, chosen: unknown, bodies: unknown): string[] {
  const isOffered = (choice: string) => choice !== 'deformable' || bendingBodies({ bodies }).length > 0;
  return Object.keys(choices).filter((choice) => choice === chosen || isOffered(choice));
}

/** What the friction model means to the method, where it is not what the model itself says. */
export function frictionNote({ method, model }: Choices): string | undefined {
  if (method === 'penalty') return 'The penalty method only pushes; it has no friction.';
  if (method === 'god-object' && model !== 'none') {
    return 'The god object has its own friction law: all models except “None” act the same.';
  }
  if (method === 'modular' && model !== 'none') {
    return 'The modular method has one friction law for its clusters: all models except “None” act the same.';
  }
  if (method === 'deformable' && model !== 'none') {
    return 'The deformable method uses Coulomb’s law directly: all models except “None” act the same.';
  }
  return undefined;
}

const IMPLIED_WORDS: Readonly<Record<string, string>> = {
  'coupling.graspPoint': 'the centre of mass',
  'method.absoluteTolerance': 'by the fraction above',
  'method.mass': 'from the density',
  'method.contactDamping': 'half of critical damping',
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
    return ['modular', 'deformable'].includes(String(read(METHOD_PATH)))
      ? { words: 'critical' }
      : { value: 0, words: 'none' };
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
