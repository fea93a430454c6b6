import { frictionModelOf, frictionModels } from '../friction/create-friction-model.js';
import type { FrictionModelName } from '../friction/friction-model.js';
import type { MethodDefinition } from '../method/method-definition.js';
import { type MethodSettings, methodKeys, methodOf, methods } from '../method/methods.js';
import type { ProblemList } from '../settings/problem-list.js';
import type { Scene } from './scene-description.js';

/** Groups of which a method may leave keys aside. Limits and time step are the loop's. */
const GROUPS = ['contact', 'friction', 'coupling'] as const;

/** Keys that some friction models read and others do not. */
const MODEL_KEYS: ReadonlySet<string> = new Set(frictionModels.flatMap(({ reads }) => reads));

/** Warns of keys that the file gives and the chosen method or friction model does not read, and says whose they are. */
export function warnUnread(warnings: ProblemList, value: unknown, { method, friction }: Scene): void {
  const given = value as Readonly<Record<string, object | undefined>>;
  const definition = methodOf(method.kind);
  const owners = methodKeys();
  for (const key of Object.keys(given.method ?? {})) {
    const kinds = owners.get(key)?.kinds;
    if (kinds && !kinds.includes(method.kind)) warnings.say(`method.${key}`, unread(method.kind, kinds));
  }
  for (const group of GROUPS) {
    for (const key of Object.keys(given[group] ?? {})) {
      const path = `${group}.${key}`;
      if (!reads(definition, path)) warnings.say(path, unread(method.kind, readersOf(path)));
    }
  }
  const { gravity } = given as { readonly gravity?: readonly number[] };
  if (gravity?.some((part) => part !== 0) && !reads(definition, 'gravity')) {
    warnings.say('gravity', unread(method.kind, readersOf('gravity')));
  }
  warnAboutModel(warnings, definition, given.friction ?? {}, friction.model);
}

function warnAboutModel(
  warnings: ProblemList,
  { kind, friction }: MethodDefinition,
  given: Readonly<{ model?: unknown }>,
  model: FrictionModelName,
): void {
  if (friction === 'own' && given.model !== undefined && model !== 'none') {
    const users = methods.filter((each) => each.friction === 'model').map((each) => each.kind);
    warnings.say(
      'friction.model',
      `the method "${kind}" has a friction law of its own and uses only "none" here; ${quoted(users)} uses the models`,
    );
  }
  if (friction !== 'model') return;
  for (const key of Object.keys(given)) {
    if (!MODEL_KEYS.has(key) || isReadBy(model, key)) continue;
    const users = frictionModels.map(({ name }) => name).filter((name) => isReadBy(name, key));
    warnings.say(`friction.${key}`, `the friction model "${model}" does not read it; ${does(users)}`);
  }
}

/**
 * Whether a change of a key, as `friction.sides`, makes a difference to a method with these settings and a model of
 * friction.
 */
export function isKeyUsed(path: string, method: MethodSettings, model: FrictionModelName): boolean {
  const definition = methodOf(method.kind);
  const [group, key] = path.split('.');
  if (group === 'method') return key === 'kind' || (Object.hasOwn(definition.parameters, key) && !isIdle(path, method));
  if (!reads(definition, path) || isIdle(path, method)) return false;
  if (group !== 'friction' || key === 'model') return true;
  if (model === 'none') return false;
  return definition.friction !== 'model' || !MODEL_KEYS.has(key) || isReadBy(model, key);
}

function isIdle(path: string, method: MethodSettings): boolean {
  return methodOf(method.kind).idle?.(method).includes(path) ?? false;
}

function isReadBy(model: FrictionModelName, key: string): boolean {
  return (frictionModelOf(model).reads as readonly string[]).includes(key);
}

/** A group stands for all its keys. Models of friction read what a method that uses them does not know of. */
function reads({ reads: paths, friction }: MethodDefinition, path: string): boolean {
  const [group, key] = path.split('.');
  if (friction === 'model' && group === 'friction' && MODEL_KEYS.has(key)) return true;
  return paths.includes(path) || paths.includes(group);
}

function readersOf(path: string): string[] {
  return methods.filter((each) => reads(each, path)).map(({ kind }) => kind);
}

function unread(kind: string, readers: readonly string[]): string {
  return `the method "${kind}" does not read it; ${does(readers)}`;
}

function does(names: readonly string[]): string {
  return names.length === 1 ? `${quoted(names)} does` : `${quoted(names)} do`;
}

function quoted(names: readonly string[]): string {
  const each = names.map((name) => `"${name}"`);
  return each.length < 2 ? each.join('') : `${each.slice(0, -1).join(', ')} and ${each.at(-1)}`;
}
