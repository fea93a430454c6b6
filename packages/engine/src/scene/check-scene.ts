import { PalpableError } from '../base/errors.js';
import { methodOf } from '../method/methods.js';
import { checkValue } from '../settings/check-value.js';
import { JsonSyntaxError, type Place, parseJson } from '../settings/parse-json.js';
import { ProblemList, type SceneProblem } from '../settings/problem-list.js';
import { type Scene, sceneDescription } from './scene-description.js';
import { checkRules } from './scene-rules.js';
import { warnUnread } from './used-keys.js';

/** What a check found: the scene or its problems, and warnings in either case. */
export interface CheckedScene {
  /** With all defaults; null if there are problems. */
  readonly scene: Scene | null;
  /** All that is wrong. */
  readonly problems: readonly SceneProblem[];
  /** What is allowed, but probably not meant. */
  readonly warnings: readonly SceneProblem[];
}

/** What a check may look up beside the scene itself. */
export interface CheckSceneOptions {
  /** Whether there is a file at a path relative to the scene file; without it mesh files are not searched for. */
  readonly fileExists?: (path: string) => boolean;
}

/**
 * Checks what a scene file holds. Never throws: whatever is wrong comes back as problems.
 *
 * @example
 * ```ts
 * import { checkScene } from '@palpable/engine';
 *
 * const { scene, problems, warnings } = checkScene('{ "palpable": 1, "tool": "peg" }');
 * for (const { message } of [...problems, ...warnings]) console.log(message);
 * console.log(scene?.timeStep);
 * ```
 */
export function checkScene(text: string, options: CheckSceneOptions = {}): CheckedScene {
  try {
    const { value, places, repeated } = parseJson(text);
    const problems = new ProblemList(places);
    for (const path of repeated) problems.say(path, 'the key is given twice, expected it once');
    return check(value, places, problems, options);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { place, message } = error;
    const sentence = `line ${place.line}, column ${place.column}: ${message}.`;
    return { scene: null, problems: [{ path: '', place, found: '', expected: '', message: sentence }], warnings: [] };
  }
}

/** Checks a scene that is at hand as a value, as `checkScene` does its text. Never throws. */
export function checkSceneValue(value: unknown, options: CheckSceneOptions = {}): CheckedScene {
  return check(value, new Map(), new ProblemList(), options);
}

function check(
  value: unknown,
  places: ReadonlyMap<string, Place>,
  problems: ProblemList,
  { fileExists }: CheckSceneOptions,
): CheckedScene {
  const warnings = new ProblemList(places);
  const filled = checkValue(problems, sceneDescription, value ?? null, '');
  if (filled) checkRules(problems, warnings, filled as Parameters<typeof checkRules>[2], fileExists);
  const found = inOrderOfFile(problems.problems);
  const scene = found.length === 0 ? withOwnKeys(filled as Scene) : null;
  if (scene) {
    warnUnread(warnings, value, scene);
    methodOf(scene.method.kind).warn?.(scene, (path, message) => warnings.say(path, message));
  }
  return {
    scene,
    problems: found,
    warnings: inOrderOfFile(warnings.problems),
  };
}

/** Of the flat keys of `method` those that its kind reads. */
function withOwnKeys(scene: Scene): Scene {
  const { kind } = scene.method;
  const { parameters } = methodOf(kind);
  const own = Object.entries(scene.method).filter(([key]) => key === 'kind' || Object.hasOwn(parameters, key));
  return { ...scene, method: Object.fromEntries(own) as Scene['method'] };
}

/** What has no place in the file (a key that is missing) comes first. */
function inOrderOfFile(problems: readonly SceneProblem[]): SceneProblem[] {
  const rank = ({ place }: SceneProblem) => (place ? place.line * 1e6 + place.column : 0);
  return [...problems].sort((a, b) => rank(a) - rank(b));
}

/** The scene of a file's text; throws a `PalpableError` of code `format-invalid` that lists all problems. */
export function readScene(text: string, fileName = 'scene'): Scene {
  const { scene, problems } = checkScene(text);
  if (!scene) throw sceneError(fileName, problems);
  return scene;
}

/** The error of a scene file with these problems, of which there is at least one: `format-invalid`, a line for each. */
export function sceneError(fileName: string, problems: readonly SceneProblem[]): PalpableError {
  const [first] = problems;
  const path = first.path || fileName;
  if (problems.length === 1) return new PalpableError('format-invalid', `${fileName}: ${first.message}`, path);
  const lines = problems.map(({ message }) => `\n  ${message}`);
  return new PalpableError('format-invalid', `${fileName}: ${problems.length} problems:${lines.join('')}`, path);
}
