/** From what a scene file holds to what the studio can show; throws a `PalpableError` that says what is in the way. */
import {
  checkSceneValue,
  PalpableError,
  type PrepareOptions,
  planPreparation,
  type Scene,
  type SceneBody,
  type SceneProblem,
} from '@palpable/engine';
import { checkRunnable } from '@palpable/engine/advanced';
import type { MeshSource, StudioBody, StudioScene, StudioView } from './scene.js';

/** More could be found than seen: they would cover each other. */
const MAX_CONTACTS = 1000;
/** Voxels along a body's longest side that a tab prepares in a bearable time. */
const MOST_VOXELS = 400;
const MOST_MESSAGES = 6;

export interface SceneOrigin {
  readonly id: string;
  /** Where mesh files come from, by the path that the scene file gives. */
  readonly files: ReadonlyMap<string, Extract<MeshSource, { kind: 'address' | 'bytes' }>>;
  readonly explanation?: string;
  readonly view?: StudioView;
  /** Name of the prepared asset of a body; undefined where none was made. */
  readonly assetOf?: (body: string) => string | undefined;
}

export function describeScene(value: unknown, origin: SceneOrigin): StudioScene {
  const { files } = origin;
  const checked = checkSceneValue(value, { fileExists: (path) => findFile(files, path) !== undefined });
  if (!checked.scene) throw problemsError(checked.problems);
  const { scene } = checked;
  checkRunnable(scene);
  const [toolName] = scene.tool;
  const others = Object.keys(scene.bodies).filter((name) => name !== toolName);
  const [first] = others;
  if (first === undefined) {
    throw new PalpableError(
      'option-invalid',
      'bodies: The scene has a tool and nothing to touch; add a second body.',
      'bodies',
    );
  }
  const notes: string[] = [];
  const plans = planPreparation(scene, [toolName!]);
  const describe = (name: string) => describeBody(name, scene.bodies[name]!, plans.get(name)!, origin, notes);
  const environments = others.map(describe);
  return {
    id: origin.id,
    value,
    scene,
    name: scene.name || 'Untitled scene',
    explanation: origin.explanation ?? explainScene(scene),
    tool: describe(toolName!),
    environments,
    environment: environments[0]!,
    maxContacts: MAX_CONTACTS,
    view: origin.view,
    notes,
  };
}

function describeBody(
  label: string,
  body: SceneBody,
  plan: PrepareOptions,
  { files, assetOf }: SceneOrigin,
  notes: string[],
): StudioBody {
  const assetName = assetOf?.(label);
  const { mesh, unit, scale, position, rotation } = body;
  return {
    label,
    source: typeof mesh === 'string' ? findFile(files, mesh)! : { kind: 'built-in', mesh },
    unit,
    scale,
    position: [position[0]!, position[1]!, position[2]!],
    rotation: [rotation[0]!, rotation[1]!, rotation[2]!, rotation[3]!],
    plan: assetName === undefined ? bearablePlan(label, plan, notes) : plan,
    assetName,
  };
}

/** What is finer than a tab can prepare while somebody waits becomes coarser, and the user is informed. */
function bearablePlan(label: string, plan: PrepareOptions, notes: string[]): PrepareOptions {
  const { field } = plan;
  const resolution = field?.resolution ?? 0;
  if (!field || resolution <= MOST_VOXELS) return plan;
  notes.push(
    `Field of the ${label} with ${MOST_VOXELS} voxels instead of ${resolution}, as it is prepared in this tab`,
  );
  return { ...plan, field: { ...field, resolution: MOST_VOXELS } };
}

/** By the path as given, else by the file's name alone: dropped files come without their folders. */
function findFile<T>(files: ReadonlyMap<string, T>, path: string): T | undefined {
  return files.get(path) ?? files.get(fileNameOf(path));
}

export function fileNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function problemsError(problems: readonly SceneProblem[]): PalpableError {
  const messages = problems.slice(0, MOST_MESSAGES).map(({ message }) => message);
  if (problems.length > messages.length) messages.push(`And ${problems.length - messages.length} more.`);
  return new PalpableError('format-invalid', messages.join('\n'), problems[0]!.path);
}

function explainScene(scene: Scene): string {
  const [tool] = scene.tool;
  const others = Object.keys(scene.bodies).filter((name) => name !== tool);
  const touched = others.length === 1 ? `the ${others[0]}` : `${others.length} other bodies`;
  return `The ${tool} moves with your hand and touches ${touched}.`;
}

/** The same scene with so many voxels along the longest side of whatever has a field. */
export function withResolution(scene: StudioScene, resolution: number): StudioScene {
  const change = (body: StudioBody): StudioBody =>
    body.plan.field ? { ...body, plan: { ...body.plan, field: { ...body.plan.field, resolution } } } : body;
  const environments = scene.environments.map(change);
  return { ...scene, tool: change(scene.tool), environments, environment: environments[0]! };
}
