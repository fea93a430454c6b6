import { PalpableError } from '../base/errors.js';
import { checkValue } from './check-value.js';
import type { Parameter } from './parameter.js';
import { ProblemList } from './problem-list.js';

/** A value of some options, with the path of its key in a scene file and the description of that key. */
export type CheckedOption = readonly [path: string, parameter: Parameter, value: unknown];

/** What code gives has the ranges of the scene file. Throws `option-invalid` with all that is wrong. */
export function checkOptions(options: readonly CheckedOption[]): void {
  const problems = new ProblemList();
  for (const [path, parameter, value] of options) checkValue(problems, parameter, value, path);
  throwProblems(problems);
}

export function throwProblems({ problems }: ProblemList): void {
  if (problems.length === 0) return;
  throw new PalpableError('option-invalid', problems.map(({ message }) => message).join('\n'), problems[0].path);
}

/** The keys of a group that some options have, each with its description. */
export function optionsOf(group: string, keys: Readonly<Record<string, Parameter>>, values: object): CheckedOption[] {
  return Object.entries(keys).flatMap(([key, parameter]): CheckedOption[] =>
    Object.hasOwn(values, key) ? [[`${group}.${key}`, parameter, (values as Record<string, unknown>)[key]]] : [],
  );
}
