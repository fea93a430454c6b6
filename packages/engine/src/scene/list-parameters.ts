import type { GroupParameter, Parameter, VariantsParameter } from '../settings/parameter.js';
import { sceneDescription } from './scene-description.js';

/** One key of the scene file, for panels and tables: where it is, and all that is known of it. */
export interface ListedParameter {
  /** `bodies.*.field.resolution`, `friction.pairs[].static`. */
  readonly path: string;
  readonly parameter: Parameter;
}

/** All keys of the scene file, groups before what is in them. */
export function listParameters(): ListedParameter[] {
  const listed: ListedParameter[] = [];
  addKeys(listed, '', sceneDescription);
  return listed;
}

function addKeys(listed: ListedParameter[], prefix: string, { keys }: GroupParameter | VariantsParameter): void {
  for (const [key, parameter] of Object.entries(keys)) {
    const path = prefix === '' ? key : `${prefix}.${key}`;
    listed.push({ path, parameter });
    addInner(listed, path, parameter);
  }
}

function addInner(listed: ListedParameter[], path: string, parameter: Parameter): void {
  if (parameter.kind === 'group' || parameter.kind === 'variants') addKeys(listed, path, parameter);
  else if (parameter.kind === 'map' && parameter.of.kind === 'group') addKeys(listed, `${path}.*`, parameter.of);
  else if (parameter.kind === 'list' && parameter.of.kind === 'group') addKeys(listed, `${path}[]`, parameter.of);
}
