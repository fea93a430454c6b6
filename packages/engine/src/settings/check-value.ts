import { expectedNumber, expectedVector, isWithin } from './describe-range.js';
import { indexPath, keyPath } from './key-path.js';
import {
  type ChoiceParameter,
  type GroupParameter,
  isOptional,
  type ListParameter,
  type MapParameter,
  type Parameter,
  type VariantsParameter,
  type VectorParameter,
} from './parameter.js';
import { hintOf, type ProblemList } from './problem-list.js';
import { closestName } from './suggest.js';
import { unitRotation } from './unit-rotation.js';

/**
 * Compares a value with the description of its key and gives it back with all defaults filled in. What is wrong is
 * added to `problems`, and stands as undefined in the result.
 */
export function checkValue(problems: ProblemList, parameter: Parameter, value: unknown, path: string): unknown {
  if (value === undefined || (value === null && 'default' in parameter && parameter.default === null)) {
    return absentValue(problems, parameter, path);
  }
  switch (parameter.kind) {
    case 'number': {
      const ok =
        typeof value === 'number' && isWithin(value, parameter) && (!parameter.whole || Number.isInteger(value));
      return ok ? value : refuse(problems, path, value, expectedNumber(parameter));
    }
    case 'flag':
      return typeof value === 'boolean' ? value : refuse(problems, path, value, 'true or false');
    case 'text':
      return typeof value === 'string' ? value : refuse(problems, path, value, 'a text');
    case 'choice':
      return checkChoice(problems, parameter, value, path);
    case 'vector':
      return checkVector(problems, parameter, value, path);
    case 'names':
      return checkNames(problems, value, path);
    case 'list':
      return checkList(problems, parameter, value, path);
    case 'group':
      return checkGroup(problems, parameter, value, path);
    case 'map':
      return checkMap(problems, parameter, value, path);
    case 'variants':
      return checkVariants(problems, parameter, value, path);
  }
}

function absentValue(problems: ProblemList, parameter: Parameter, path: string): unknown {
  if ('default' in parameter) return parameter.default;
  if (parameter.kind === 'group' && isOptional(parameter)) return checkGroup(problems, parameter, {}, path);
  problems.say(
    path,
    `missing, expected ${expectedKind(parameter)}: ${parameter.meaning.replace(/\.$/, '')}`,
    expectedKind(parameter),
  );
  return undefined;
}

function checkChoice(problems: ProblemList, { choices }: ChoiceParameter, value: unknown, path: string): unknown {
  if (typeof value === 'string' && Object.hasOwn(choices, value)) return value;
  const names = Object.keys(choices);
  const hint = typeof value === 'string' ? hintOf(closestName(value, names)) : '';
  return refuse(problems, path, value, expectedChoice(names), hint);
}

function checkVector(problems: ProblemList, parameter: VectorParameter, value: unknown, path: string): unknown {
  const numbers = isNumberList(value, parameter.length) ? value : undefined;
  if (!numbers?.every((each) => isWithin(each, parameter))) {
    return refuse(problems, path, value, expectedVector(parameter));
  }
  if (!parameter.rotation) return numbers;
  return unitRotation(numbers) ?? refuse(problems, path, value, expectedVector(parameter));
}

function checkNames(problems: ProblemList, value: unknown, path: string): unknown {
  const names = typeof value === 'string' ? [value] : value;
  const ok = Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string');
  return ok ? names : refuse(problems, path, value, 'a name, or a list of at least one name');
}

function checkList(problems: ProblemList, parameter: ListParameter, value: unknown, path: string): unknown {
  const ok = Array.isArray(value) && (parameter.length === undefined || value.length === parameter.length);
  if (!ok) return refuse(problems, path, value, expectedKind(parameter));
  return value.map((item, index) => checkValue(problems, parameter.of, item, indexPath(path, index)));
}

function checkGroup(problems: ProblemList, parameter: GroupParameter, value: unknown, path: string): unknown {
  if (!isObject(value)) return refuse(problems, path, value, expectedKind(parameter));
  const { keys, open } = parameter;
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(keys, key));
  if (!open) for (const key of unknown) sayUnknown(problems, Object.keys(keys), path, key);
  const known = Object.entries(keys).map(([key, each]) => {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    return [key, checkValue(problems, each, given, keyPath(path, key))];
  });
  const kept = open ? unknown.map((key) => [key, value[key]]) : [];
  return Object.fromEntries([...known, ...kept]);
}

function sayUnknown(problems: ProblemList, keys: readonly string[], path: string, key: string): void {
  const hint = hintOf(closestName(key, keys));
  const expected = `one of ${keys.join(', ')}`;
  problems.say(keyPath(path, key), `there is no such key, expected ${expected}${hint && `; ${hint}`}`, expected);
}

function checkMap(problems: ProblemList, parameter: MapParameter, value: unknown, path: string): unknown {
  if (!isObject(value)) return refuse(problems, path, value, expectedKind(parameter));
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    // A name with null is as wrong as any other value that is no object.
    checkValue(problems, parameter.of, each ?? null, keyPath(path, name)),
  ]);
  return Object.fromEntries(entries);
}

function checkVariants(problems: ProblemList, parameter: VariantsParameter, value: unknown, path: string): unknown {
  const { keys } = parameter;
  if (typeof value === 'string' && value !== '') return value;
  if (!isObject(value)) return refuse(problems, path, value, expectedKind(parameter));
  const given = Object.keys(value);
  const unknown = given.filter((key) => !Object.hasOwn(keys, key));
  for (const key of unknown) sayUnknown(problems, Object.keys(keys), path, key);
  if (unknown.length > 0) return undefined;
  const [only] = given;
  if (given.length !== 1)
    return refuse(problems, path, value, `exactly one of the keys ${Object.keys(keys).join(', ')}`);
  return { [only]: checkValue(problems, keys[only], value[only] ?? null, keyPath(path, only)) };
}

function refuse(problems: ProblemList, path: string, value: unknown, expected: string, hint?: string): undefined {
  problems.add(path, value, expected, hint);
  return undefined;
}

/** What a value of this kind looks like, for messages. */
function expectedKind(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'number':
      return expectedNumber(parameter);
    case 'flag':
      return 'true or false';
    case 'text':
      return 'a text';
    case 'choice':
      return expectedChoice(Object.keys(parameter.choices));
    case 'vector':
      return expectedVector(parameter);
    case 'names':
      return 'a name, or a list of at least one name';
    case 'list':
      return parameter.length === undefined ? 'a list' : `a list of ${parameter.length}`;
    case 'group':
      return `an object with keys such as ${Object.keys(parameter.keys).slice(0, 3).join(', ')}`;
    case 'map':
      return 'an object whose keys are names';
    case 'variants':
      return `a ${parameter.text}, or an object with one of the keys ${Object.keys(parameter.keys).join(', ')}`;
  }
}

function expectedChoice(names: readonly string[]): string {
  return `one of ${names.map((name) => `"${name}"`).join(', ')}`;
}

function isNumberList(value: unknown, length: number): value is number[] {
  return Array.isArray(value) && value.length === length && value.every((each) => typeof each === 'number');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
