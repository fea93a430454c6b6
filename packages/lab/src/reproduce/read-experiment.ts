import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readUserFile } from '@palpable/cli/internal';
import { PalpableError } from '@palpable/engine';
import { studies } from './studies/studies.js';
import type { Study, StudyParameter } from './study.js';

/** One figure of a paper as a file: what was published, and how to do it again. */
export interface Experiment {
  /** Path of its file. */
  readonly file: string;
  readonly name: string;
  readonly title: string;
  readonly paper: string;
  readonly figure: string;
  /** One sentence with the published numbers. */
  readonly published: string;
  /** Path of the scene file, from the experiment's folder. */
  readonly scene: string;
  /** Keys of the scene file that are different here. */
  readonly changes: JsonObject;
  readonly study: Study;
  readonly parameters: Readonly<Record<string, number | readonly number[]>>;
  /** What is different in a short run. */
  readonly quick: { readonly changes: JsonObject; readonly parameters: Experiment['parameters'] };
}

export type JsonObject = { readonly [key: string]: unknown };

const FOLDER = fileURLToPath(new URL('../../../../experiments/', import.meta.url));
const MAX_BYTES = 1024 * 1024;
const TEXTS = ['experiment', 'title', 'paper', 'figure', 'published', 'scene', 'study'] as const;
const KEYS: readonly string[] = ['palpable', ...TEXTS, 'changes', 'parameters', 'quick'];

/** Names of the experiments that come with Palpable, sorted. */
export function experimentNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/** By name, or by the path of a file that ends in .json. */
export async function readExperiment(nameOrFile: string): Promise<Experiment> {
  if (nameOrFile.endsWith('.json')) return parseExperiment(await readText(nameOrFile), nameOrFile);
  const names = experimentNames();
  if (!names.includes(nameOrFile)) {
    const message = `There is no experiment "${nameOrFile}"; choose one of ${names.join(', ')}, all, or name a file that ends in .json.`;
    throw new PalpableError('option-invalid', message, nameOrFile);
  }
  const file = resolve(FOLDER, `${nameOrFile}.json`);
  return parseExperiment(await readText(file), file);
}

async function readText(file: string): Promise<string> {
  return Buffer.from(await readUserFile(file, MAX_BYTES)).toString('utf8');
}

/** Checks an experiment; all problems are reported at once, with the path of each key. */
function parseExperiment(text: string, file: string): Experiment {
  const value = parseObject(text, file);
  const problems: string[] = [];
  for (const key of Object.keys(value)) {
    if (!KEYS.includes(key)) problems.push(`${key}: there is no such key, expected one of ${KEYS.join(', ')}`);
  }
  if (value.palpable !== 1) problems.push(`palpable: found ${show(value.palpable)}, expected 1, the version`);
  for (const key of TEXTS) {
    if (typeof value[key] !== 'string') problems.push(`${key}: found ${show(value[key])}, expected a text`);
  }
  const study = studies.find(({ name }) => name === value.study);
  if (!study && typeof value.study === 'string') {
    const names = studies.map(({ name }) => `"${name}"`).join(', ');
    problems.push(`study: found ${show(value.study)}, expected one of ${names}`);
  }
  const quick = objectAt(problems, value, 'quick', '');
  const parameters = objectAt(problems, value, 'parameters', '');
  const quickParameters = objectAt(problems, quick, 'parameters', 'quick.');
  if (study) {
    checkParameters(problems, study, parameters, 'parameters', true);
    checkParameters(problems, study, quickParameters, 'quick.parameters', false);
  }
  for (const key of Object.keys(quick)) {
    if (key !== 'changes' && key !== 'parameters') {
      problems.push(`quick.${key}: there is no such key, expected one of changes, parameters`);
    }
  }
  const changes = objectAt(problems, value, 'changes', '');
  const quickChanges = objectAt(problems, quick, 'changes', 'quick.');
  if (problems.length > 0 || !study) throw invalid(file, problems);
  const [name, title, paper, figure, published, scene] = TEXTS.map((key) => value[key] as string);
  return {
    file,
    name: name!,
    title: title!,
    paper: paper!,
    figure: figure!,
    published: published!,
    scene: scene!,
    changes,
    study,
    parameters: parameters as Experiment['parameters'],
    quick: { changes: quickChanges, parameters: quickParameters as Experiment['parameters'] },
  };
}

function parseObject(text: string, file: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(file, [`this is no JSON (${(error as Error).message})`]);
  }
  if (isObject(value)) return value;
  throw invalid(file, [`found ${show(value)}, expected an object with the keys ${KEYS.join(', ')}`]);
}

function objectAt(problems: string[], value: JsonObject, key: string, path: string): JsonObject {
  const found = value[key] ?? {};
  if (isObject(found)) return found;
  problems.push(`${path}${key}: found ${show(found)}, expected an object`);
  return {};
}

function checkParameters(problems: string[], study: Study, values: JsonObject, path: string, all: boolean): void {
  const { parameters } = study;
  for (const key of Object.keys(values)) {
    if (Object.hasOwn(parameters, key)) continue;
    const names = Object.keys(parameters).join(', ');
    problems.push(`${path}.${key}: the study ${study.name} has no such parameter, expected one of ${names}`);
  }
  for (const [key, parameter] of Object.entries(parameters)) {
    if (!Object.hasOwn(values, key)) {
      if (all) problems.push(`${path}.${key}: missing, expected ${expected(parameter)}: ${parameter.meaning}`);
    } else if (!isValid(values[key], parameter)) {
      problems.push(
        `${path}.${key}: found ${show(values[key])}, expected ${expected(parameter)}: ${parameter.meaning}`,
      );
    }
  }
}

function isValid(value: unknown, parameter: StudyParameter): boolean {
  const { min, max, whole, atLeast } = parameter;
  const ok = (each: unknown) =>
    typeof each === 'number' && each >= min && each <= max && (!whole || Number.isInteger(each));
  if (atLeast === undefined) return ok(value);
  return Array.isArray(value) && value.length >= atLeast && value.every(ok);
}

function expected({ unit, min, max, whole, atLeast }: StudyParameter): string {
  const range = `from ${min} to ${max}${unit && ` ${unit}`}`;
  if (atLeast !== undefined) return `a list of at least ${atLeast} numbers ${range}`;
  return `a ${whole ? 'whole ' : ''}number ${range}`;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function invalid(file: string, problems: readonly string[]): PalpableError {
  const list = problems.length === 1 ? ` ${problems[0]}.` : ` ${problems.length} problems:\n  ${problems.join('\n  ')}`;
  return new PalpableError('format-invalid', `${file}:${list}`, file);
}
