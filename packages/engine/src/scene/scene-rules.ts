import type { BodyRegion } from '../asset/prepare-elastic.js';
import type { FrictionPair } from '../friction/friction-parameters.js';
import { type MethodKind, methodOf, methodSettings, methods } from '../method/methods.js';
import { builtInModels } from '../model/models.js';
import type { SceneBody } from '../settings/body-parameters.js';
import { indexPath, keyPath } from '../settings/key-path.js';
import { hintOf, type ProblemList } from '../settings/problem-list.js';
import { closestName } from '../settings/suggest.js';
import type { Scene } from './scene-description.js';

/** A scene in which whatever was wrong by itself is undefined. */
type Partly<T> = T extends readonly (infer Item)[]
  ? readonly (Partly<Item> | undefined)[]
  : T extends object
    ? { readonly [Key in keyof T]: Partly<T[Key]> | undefined }
    : T;

/** What a scene has to fulfil beyond the single keys. Runs on what is valid, so that all problems come at once. */
export function checkRules(
  problems: ProblemList,
  warnings: ProblemList,
  scene: Partly<Scene>,
  fileExists: (path: string) => boolean = () => true,
): void {
  const bodies = (scene.bodies ?? {}) as Readonly<Record<string, Partly<SceneBody> | undefined>>;
  const names = Object.keys(bodies);
  if (scene.bodies && names.length === 0)
    problems.say('bodies', 'there are no bodies, expected at least one', 'a body');
  for (const [name, body] of Object.entries(bodies))
    if (body) checkBody(problems, keyPath('bodies', name), body, fileExists);
  checkTools(problems, scene.tool ?? [], names);
  if (scene.bodies && names.length === 1) {
    warnings.say('bodies', 'there is only one body, so the tool has nothing to touch');
  }
  checkDeformable(problems, warnings, scene, bodies);
  checkPairs(problems, warnings, scene, names);
  const { coefficient, static: rest, kinetic } = scene.friction ?? {};
  warnAboutKinetic(warnings, 'friction.kinetic', kinetic ?? coefficient, rest ?? coefficient);
}

/** Whether bodies that stand still bend, and so may touch each other. */
function bends(kind: string): boolean {
  return methodOf(kind).contactsOn(methodSettings(kind as MethodKind)) === 'surfaces';
}

/** A body that bends needs a method that bends it, and something that holds it. */
function checkDeformable(
  problems: ProblemList,
  warnings: ProblemList,
  { method, tool }: Partly<Scene>,
  bodies: Readonly<Record<string, Partly<SceneBody> | undefined>>,
): void {
  const kind = method?.kind;
  for (const [name, body] of Object.entries(bodies)) {
    if (!body?.deformable) continue;
    const path = `${keyPath('bodies', name)}.deformable`;
    if (kind && !bends(kind)) {
      const others = methods.filter((each) => bends(each.kind)).map((each) => `"${each.kind}"`);
      warnings.say(path, `only the method ${others.join(' or ')} bends bodies; with "${kind}" it is rendered as rigid`);
      continue;
    }
    const { fixed } = body.deformable;
    if (tool && !tool.includes(name) && fixed?.length === 0) {
      problems.say(
        `${path}.fixed`,
        'there are no boxes, expected at least one: a body that no hand holds has to be held somewhere (Dirichlet nodes), ' +
          'or it would fall away; name the part that is mounted, as { "min": […], "max": […] } in the body\'s frame',
      );
    }
    fixed?.forEach((region, index) => {
      checkBox(problems, indexPath(`${path}.fixed`, index), region);
    });
    if (body.deformable.touchable) checkBox(problems, `${path}.touchable`, body.deformable.touchable);
  }
}

function checkBody(
  problems: ProblemList,
  path: string,
  body: Partly<SceneBody>,
  fileExists: (path: string) => boolean,
): void {
  const { mesh, shell, unit } = body;
  if (typeof shell?.spacing === 'number' && typeof shell.count === 'number') {
    problems.say(
      `${path}.shell`,
      'both `spacing` and `count` are given, expected one of them, as each follows from the other',
    );
  }
  if (typeof mesh === 'string') checkMeshName(problems, `${path}.mesh`, mesh, fileExists);
  else if (mesh && unit) {
    problems.add(
      `${path}.unit`,
      unit,
      'no unit, as shapes and models are in metres',
      'use `scale` to change their size',
    );
  }
  if (typeof mesh === 'object' && 'torus' in mesh && mesh.torus) {
    const [ring, tube] = mesh.torus as readonly [number, number];
    if (tube >= ring) problems.add(`${path}.mesh.torus`, mesh.torus, 'a tube (second) thinner than the ring (first)');
  }
}

/** A shape or a model that was written like a file. */
function checkMeshName(problems: ProblemList, path: string, mesh: string, fileExists: (path: string) => boolean): void {
  if (builtInModels.some(({ name }) => name === mesh)) {
    problems.add(path, mesh, 'a path with the ending of a mesh file', `the built-in model is { "model": "${mesh}" }`);
  } else if (SHAPES.includes(mesh)) {
    problems.add(path, mesh, 'a path with the ending of a mesh file', `the shape is { "${mesh}": its sizes }`);
  } else if (!fileExists(mesh)) {
    problems.add(path, mesh, 'a mesh file', 'there is none at this path, which starts from the folder of the scene');
  }
}

const SHAPES = ['box', 'sphere', 'cylinder', 'capsule', 'torus'];

function checkTools(problems: ProblemList, tools: readonly (string | undefined)[], names: readonly string[]): void {
  tools.forEach((tool, index) => {
    if (tool === undefined) return;
    const path = tools.length === 1 ? 'tool' : indexPath('tool', index);
    checkBodyName(problems, path, tool, names);
    if (tools.indexOf(tool) < index) problems.add(path, tool, 'each tool once');
  });
}

function checkBodyName(problems: ProblemList, path: string, name: string, names: readonly string[]): void {
  if (names.includes(name) || names.length === 0) return;
  problems.add(path, name, `the name of a body: ${names.join(', ')}`, hintOf(closestName(name, names)));
}

function checkPairs(
  problems: ProblemList,
  warnings: ProblemList,
  scene: Partly<Scene>,
  names: readonly string[],
): void {
  const seen = new Map<string, string>();
  const { pairs, coefficient, static: rest, kinetic } = scene.friction ?? {};
  pairs?.forEach((pair, index) => {
    const path = indexPath('friction.pairs', index);
    if (!pair) return;
    checkPairNames(problems, warnings, path, pair, scene, names);
    const key = JSON.stringify([...(pair.bodies ?? [])].sort());
    const earlier = seen.get(key);
    if (earlier) problems.add(`${path}.bodies`, pair.bodies, `each pair once, but ${earlier} has the same bodies`);
    else if (pair.bodies) seen.set(key, path);
    const [restOfPair, kineticOfPair] = [
      pair.static ?? pair.coefficient ?? rest ?? coefficient,
      pair.kinetic ?? pair.coefficient ?? kinetic ?? coefficient,
    ];
    if (pair.kinetic != null || pair.static != null) warnAboutKinetic(warnings, path, kineticOfPair, restOfPair);
    checkRegions(problems, path, pair);
  });
}

function checkPairNames(
  problems: ProblemList,
  warnings: ProblemList,
  path: string,
  pair: Partly<FrictionPair>,
  scene: Partly<Scene>,
  names: readonly string[],
): void {
  const { bodies } = pair;
  const tools = scene.tool ?? [];
  if (!bodies) return;
  bodies.forEach((name, index) => {
    if (name !== undefined) checkBodyName(problems, indexPath(`${path}.bodies`, index), name, names);
  });
  const [a, b] = bodies;
  if (a !== undefined && a === b) problems.add(`${path}.bodies`, bodies, 'two different bodies');
  else if (
    tools.length > 0 &&
    !bodies.some((name) => tools.includes(name)) &&
    !(scene.method?.kind && bends(scene.method.kind))
  ) {
    warnings.say(`${path}.bodies`, 'neither of the two is a tool, so that they never touch');
  }
}

function checkRegions(problems: ProblemList, path: string, pair: Partly<FrictionPair>): void {
  pair.dynamicRegions?.forEach((region, index) => {
    checkBox(problems, indexPath(`${path}.dynamicRegions`, index), region);
  });
}

function checkBox(problems: ProblemList, path: string, box: Partly<BodyRegion> | undefined): void {
  const [min, max] = [box?.min, box?.max] as (readonly number[] | undefined)[];
  if (!min || !max || min.every((value, axis) => value <= max[axis])) return;
  problems.add(path, box, 'no coordinate of `min` above that of `max`');
}

function warnAboutKinetic(
  warnings: ProblemList,
  path: string,
  kinetic: number | null | undefined,
  rest: number | null | undefined,
): void {
  if (typeof kinetic !== 'number' || typeof rest !== 'number' || kinetic <= rest) return;
  warnings.say(
    path,
    `kinetic friction (${kinetic}) is above static friction (${rest}), so that sliding stops with a jerk`,
  );
}
