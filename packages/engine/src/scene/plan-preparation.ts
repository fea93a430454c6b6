import type { PreparedElasticOptions } from '../asset/prepare-elastic.js';
import type { PreparedHierarchyOptions, PrepareOptions } from '../asset/prepared-body.js';
import { DEFAULT_RESOLUTION } from '../field/build-field.js';
import type { PreparedBodies } from '../method/method-definition.js';
import { methodOf } from '../method/methods.js';
import { type BodyPart, lacksPart, type PlannedPair, planPairs } from '../method/scene-pairs.js';
import type { SceneBody } from '../settings/body-parameters.js';
import type { ShellOptions } from '../shell/point-shell.js';
import type { Scene } from './scene-description.js';

/**
 * What has to be prepared of each body, so that the given tools (all of the scene unless given) can touch the others. A
 * scene that finds contacts by hierarchies has shells and fields only where it gives them, and any other scene the other
 * way round: so the method can change while the scene runs if both are given. With `deformable` only what the scene gives is
 * prepared, and the elasticity of bodies that have a material.
 */
export function planPreparation(scene: Scene, tools: readonly string[] = scene.tool): Map<string, PrepareOptions> {
  const parts = methodOf(scene.method.kind).contactsOn(scene.method);
  const byHierarchy = parts === 'pieces';
  const bends = parts === 'surfaces';
  const asGiven = byHierarchy || bends;
  const withShell = new Set<string>();
  const withField = new Set<string>();
  for (const tool of tools) {
    // The mass of an open mesh comes from its field: a tool that is given one gets it whatever its part in a pair.
    if (scene.bodies[tool].field) withField.add(tool);
    for (const { environment, shellOn } of scenePairs(scene, tool)) {
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

/** Which bodies a tool can touch, and which of the two has the points: with some methods, both. */
function scenePairs(scene: Scene, tool: string): PlannedPair[] {
  const { isSymmetric } = methodOf(scene.method.kind);
  return planPairs(scene, tool, isSymmetric?.(scene));
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

/** The first part that the scene's method needs and a body lacks, as a sentence; null if all is there. */
export function missingPart(scene: Scene, bodies: PreparedBodies, tool: string): string | null {
  const { contactsOn, missing } = methodOf(scene.method.kind);
  const parts = contactsOn(scene.method);
  for (const { environment, shellOn, isExtra } of parts === 'surfaces' ? [] : scenePairs(scene, tool)) {
    if (isExtra) continue;
    const [shellName, fieldName] = shellOn === 'tool' ? [tool, environment] : [environment, tool];
    const needed: readonly (readonly [string, BodyPart])[] =
      parts === 'pieces'
        ? [tool, environment].map((name) => [name, 'hierarchy'] as const)
        : [[shellName, 'shell'] as const, [fieldName, 'field'] as const];
    for (const [name, part] of needed) if (!bodies.get(name)?.[part]) return lacksPart(name, part);
  }
  return missing?.(scene, bodies) ?? null;
}
