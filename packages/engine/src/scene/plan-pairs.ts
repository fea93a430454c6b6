import type { PreparedElasticOptions } from '../asset/prepare-elastic.js';
import type { PreparedHierarchyOptions, PrepareOptions } from '../asset/prepared-body.js';
import type { ShellOwner } from '../contact/contact-query.js';
import { DEFAULT_RESOLUTION } from '../field/build-field.js';
import type { ShellOptions } from '../shell/point-shell.js';
import type { Scene, SceneBody } from './scene-description.js';

/** Which bodies a tool may touch, and which of the two has the points. */
export interface PlannedPair {
  /** The other body: one that stands still, or another tool, which for this one is part of the environment. */
  readonly environment: string;
  readonly shellOn: ShellOwner;
}

export function planPairs(scene: Scene, tool: string): PlannedPair[] {
  return Object.entries(scene.bodies)
    .filter(([name]) => name !== tool)
    .map(([environment, body]) => ({ environment, shellOn: shellOwner(scene.bodies[tool], body) }));
}

/** The tool has the shell, unless the scene gives one to the other body and none to the tool. */
function shellOwner(tool: SceneBody, environment: SceneBody): ShellOwner {
  return environment.shell !== null && tool.shell === null ? 'environment' : 'tool';
}

/** Whether contacts are found between convex pieces rather than between points and distances. */
export function findsByHierarchy({ method }: Scene): boolean {
  return method.kind === 'modular' && method.detection === 'hierarchy';
}

/**
 * What has to be prepared of each body, so that the given tools (all of the scene unless given) can touch the others. A
 * scene that finds contacts by hierarchies has shells and fields only where it gives them, and any other scene the other
 * way round: so the method can change while it is felt if both are given. With `deformable` only what the scene gives is
 * prepared, and the elasticity of bodies that have a material.
 */
export function planPreparation(scene: Scene, tools: readonly string[] = scene.tool): Map<string, PrepareOptions> {
  const byHierarchy = findsByHierarchy(scene);
  const bends = scene.method.kind === 'deformable';
  const asGiven = byHierarchy || bends;
  const withShell = new Set<string>();
  const withField = new Set<string>();
  for (const tool of tools) {
    // The mass of an open mesh comes from its field: a tool that is given one gets it whatever its part in a pair.
    if (scene.bodies[tool].field) withField.add(tool);
    for (const { environment, shellOn } of planPairs(scene, tool)) {
      const [shellBody, fieldBody] = shellOn === 'tool' ? [tool, environment] : [environment, tool];
      if (!asGiven || scene.bodies[shellBody].shell) withShell.add(shellBody);
      if (!asGiven || scene.bodies[fieldBody].field) withField.add(fieldBody);
    }
  }
  const plan = Object.entries(scene.bodies).map(([name, body]): [string, PrepareOptions] => [
    name,
    {
      field: withField.has(name) ? fieldOptions(body) : null,
      shell: withShell.has(name) ? shellOptions(body) : null,
      ...((byHierarchy || body.hierarchy) && { hierarchy: hierarchyOptions(body) }),
      ...(bends && body.deformable && { elastic: elasticOptions(scene, name, body.deformable) }),
    },
  ]);
  return new Map(plan);
}

/** Only what differs from the engine's own defaults, so that equal settings have equal keys in a cache. */
function fieldOptions({ field }: SceneBody) {
  const { resolution, offset } = field ?? { resolution: DEFAULT_RESOLUTION, offset: 0 };
  return { resolution, ...(offset > 0 && { offset }) };
}

function shellOptions({ shell }: SceneBody): ShellOptions {
  if (!shell) return { seed: 1 };
  const { spacing, count, seed } = shell;
  return { ...(spacing !== null && { spacing }), ...(count !== null && { count }), seed };
}

function hierarchyOptions({ hierarchy }: SceneBody): PreparedHierarchyOptions {
  return hierarchy && hierarchy.tolerance !== DEFAULT_LEAF_TOLERANCE ? { tolerance: hierarchy.tolerance } : {};
}

const DEFAULT_LEAF_TOLERANCE = 0.001;

/** A tool without boxes of its own is held around its grasp point (Duriez, section 7.1). */
function elasticOptions(
  { tool, coupling }: Scene,
  name: string,
  { poisson, elementSize, fixed, gripRadius, touchable, modes }: NonNullable<SceneBody['deformable']>,
): PreparedElasticOptions {
  const { graspPoint } = coupling;
  const isGripped = tool.includes(name) && fixed.length === 0;
  return {
    poisson,
    modes,
    ...(elementSize !== null && { elementSize }),
    ...(fixed.length > 0 && { fixed }),
    ...(isGripped && {
      grip: { ...(graspPoint && { centre: graspPoint }), ...(gripRadius !== null && { radius: gripRadius }) },
    }),
    ...(touchable && { touchable }),
  };
}
