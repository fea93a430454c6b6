import { throwProblems } from '../settings/check-options.js';
import { checkValue } from '../settings/check-value.js';
import type { Parameter } from '../settings/parameter.js';
import { ProblemList } from '../settings/problem-list.js';
import { deformable } from './deformable/definition.js';
import { godObject } from './god-object/definition.js';
import type { MethodDefinition, ValuesOf } from './method-definition.js';
import { modular } from './modular/definition.js';
import { penalty } from './penalty/definition.js';
import { staticFriction } from './static-friction/definition.js';

/** All methods, in the order in which they are offered. A new one is its folder and a line here. */
const definitions = [penalty, staticFriction, godObject, modular, deformable] as const;

type Definition = (typeof definitions)[number];

/** The kinds of method that a scene can ask for: `method.kind`. */
export type MethodKind = Definition['kind'];

/** `method` of a scene: a kind, and the keys that this kind reads. */
export type MethodSettings = {
  [Each in Definition as Each['kind']]: { readonly kind: Each['kind'] } & ValuesOf<Each['parameters']>;
}[MethodKind];

/**
 * The definitions of all methods, in the order in which menus offer them.
 *
 * @example
 * ```ts
 * import { methods } from '@palpable/engine';
 *
 * for (const { kind, title, meaning } of methods) console.log(`${kind} (${title}): ${meaning}`);
 * ```
 */
export const methods: readonly MethodDefinition[] = definitions as readonly unknown[] as readonly MethodDefinition[];

export const DEFAULT_METHOD: MethodKind = 'god-object';

/** The definition of a kind. Throws a `RangeError` for a kind that there is not, which no checked scene has. */
export function methodOf(kind: string): MethodDefinition {
  const found = methods.find((each) => each.kind === kind);
  if (!found) throw new RangeError(`There is no method "${kind}".`);
  return found;
}

export type SettingsOf<Kind extends MethodKind> = Extract<MethodSettings, { readonly kind: Kind }>;

/** The settings of a method with its defaults for whatever is not given. Throws `option-invalid` with all problems. */
export function methodSettings<Kind extends MethodKind>(
  kind: Kind,
  given: Partial<Omit<SettingsOf<Kind>, 'kind'>> = {},
): SettingsOf<Kind> {
  const problems = new ProblemList();
  const group = { kind: 'group', meaning: '', keys: methodOf(kind).parameters } as const;
  const filled = checkValue(problems, group, given, 'method');
  throwProblems(problems);
  return { kind, ...(filled as object) } as SettingsOf<Kind>;
}

/** All keys that a method may read, and whose they are. */
export function methodKeys(): Map<string, { readonly parameter: Parameter; readonly kinds: readonly string[] }> {
  const keys = new Map<string, { readonly parameter: Parameter; readonly kinds: readonly string[] }>();
  for (const { kind, parameters } of methods) {
    for (const [key, parameter] of Object.entries(parameters)) {
      keys.set(key, { parameter, kinds: [...(keys.get(key)?.kinds ?? []), kind] });
    }
  }
  return keys;
}
