import { methodOf, type Scene, type SceneProblem } from '@palpable/engine';
import { planPairs, sceneError } from '@palpable/engine/advanced';
import { checkSceneFile } from '../scene/load-scene.js';
import { ExitCode } from '../terminal/exit-codes.js';
import { printJson } from '../terminal/json.js';
import type { CommandDefinition } from './command.js';

export const validateCommand: CommandDefinition<[scene: string], object> = {
  usage: 'validate <scene>',
  summary: 'check a scene file: list all problems, or show it with its defaults',
  examples: ['palpable validate scenes/bunny-teapot.json'],
  async run({ stdout, stderr, json }, _options, path) {
    const { checked } = await checkSceneFile(path);
    const { scene, problems, warnings } = checked;
    if (json) printJson({ file: path, valid: scene !== null, problems, warnings, scene }, stdout);
    for (const { message } of warnings) stderr.write(`palpable: ${path}: ${message}\n`);
    if (!scene) {
      stderr.write(`palpable: ${sceneError(path, problems).message}\n`);
      return ExitCode.badInput;
    }
    if (!json) stdout.write(`${[...summary(path, scene, warnings), compactJson(scene)].join('\n')}\n`);
    return undefined;
  },
};

function summary(path: string, scene: Scene, warnings: readonly SceneProblem[]): string[] {
  const { name, bodies, tool, method, friction } = scene;
  const count = Object.keys(bodies).length;
  const parts = methodOf(method.kind).contactsOn(method);
  return [
    `${path} is valid${warnings.length > 0 ? ', with the warnings above' : ''}.`,
    `${name === '' ? 'The scene' : `"${name}"`} has ${count} ${count === 1 ? 'body' : 'bodies'} and the ` +
      `${tool.length === 1 ? 'tool' : 'tools'} ${tool.join(', ')}; method ${method.kind}, friction ${friction.model} ` +
      `${friction.coefficient}.`,
    ...tool.flatMap((each) =>
      planPairs(scene, each).map(({ environment, shellOn }) => {
        if (parts === 'surfaces') return describeTouch(scene, each, environment);
        if (parts === 'pieces') return `${each} against ${environment}: both as convex pieces.`;
        const [shell, field] = shellOn === 'tool' ? [each, environment] : [environment, each];
        return `${each} against ${environment}: ${shell} has the shell, ${field} the field.`;
      }),
    ),
    'With all defaults:',
  ];
}

/** Elastic surfaces and meshes without a field touch by their triangles. */
function describeTouch({ bodies }: Scene, tool: string, environment: string): string {
  const state = (name: string) => (bodies[name]!.deformable ? 'bends' : 'is rigid');
  const field = [environment, tool].find((name) => bodies[name]!.field && !bodies[name]!.deformable);
  const how = field === undefined ? 'by triangles' : `through the field of ${field}`;
  return `${tool} (${state(tool)}) against ${environment} (${state(environment)}): ${how}.`;
}

/** Indented, but with lists of numbers and names on one line. */
function compactJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/\[[^[\]{}]*\]/g, (list) =>
    list.replace(/\s+(?=\])|(?<=\[)\s+/g, '').replace(/,\s+/g, ', '),
  );
}
