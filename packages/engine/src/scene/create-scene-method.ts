import { PalpableError } from '../base/errors.js';
import { createPose, isFinitePose, type Pose } from '../math/pose.js';
import type { ContactLink } from '../method/contact-link.js';
import { describeTool } from '../method/describe-tool.js';
import { leadOut } from '../method/lead-out.js';
import type { Clock, Method } from '../method/method.js';
import { createMethodCaches, type MethodCaches } from '../method/method-caches.js';
import type { MethodSources, PreparedBodies } from '../method/method-definition.js';
import { type MethodKind, methodOf, methodSettings, type SettingsOf } from '../method/methods.js';
import { createStartPairs, type ScenePairs } from '../method/scene-pairs.js';
import { createToolContacts, type ToolBody } from '../method/tool-contacts.js';
import type { Scene } from './scene-description.js';

/** A scene as something that can be stepped: its method, and what it was made from. */
export interface SceneMethod extends ScenePairs {
  /** Name of the body that moves with the device. */
  readonly tool: string;
  /** Its mass properties. */
  readonly toolBody: ToolBody;
  /** To be stepped once per cycle. */
  readonly method: Method;
}

/** Which tool the method moves, and what it shares with its surroundings. */
export interface SceneMethodOptions {
  /** The tool that moves; the scene's first unless given. Other tools stay where the scene puts them. */
  readonly tool?: string;
  /** All tools that hands hold, in their order; the tool alone unless given. */
  readonly tools?: readonly string[];
  /** Where other bodies are, by name, to be changed while the method runs; as the scene says for those not in it. */
  readonly places?: ReadonlyMap<string, Pose>;
  /** What was made before for the same bodies. */
  readonly caches?: MethodCaches;
  /** Milliseconds; without it the stages are not timed. */
  readonly clock?: Clock;
  /** To a contact side in another thread, of a method that has one: the method is its haptic side, and has no pairs. */
  readonly contactLink?: ContactLink;
}

/**
 * Builds the method of a scene from bodies that were prepared as `planPreparation` says. Throws `option-invalid` for
 * bodies that lack a part, and for a tool without volume.
 *
 * @example
 * ```ts
 * import {
 *   buildSceneMesh,
 *   checkSceneValue,
 *   createMethodOutput,
 *   createPose,
 *   createSceneMethod,
 *   planPreparation,
 *   prepareBody,
 *   type PreparedBody,
 * } from '@palpable/engine';
 *
 * const { scene } = checkSceneValue({
 *   palpable: 1,
 *   bodies: {
 *     block: { mesh: { box: [0.06, 0.06, 0.03] }, position: [0, 0, 0.02], shell: { count: 1000 } },
 *     plate: { mesh: { box: [0.3, 0.2, 0.02] }, position: [0, 0, -0.01], field: { resolution: 64 } },
 *   },
 *   tool: 'block',
 * });
 * if (!scene) throw new Error('The scene has problems.');
 *
 * const bodies = new Map<string, PreparedBody>();
 * for (const [name, plan] of planPreparation(scene)) {
 *   const mesh = buildSceneMesh(scene.bodies[name]!)!; // null for a file: see `readBodyMesh`
 *   bodies.set(name, await prepareBody(mesh, plan));
 * }
 * const { method } = createSceneMethod(scene, bodies);
 *
 * const output = createMethodOutput();
 * method.reset(createPose(0, 0, 0.02));
 * const device = createPose(0, 0, 0.014); // 1 mm into the plate
 * for (let cycle = 0; cycle < 100; cycle += 1) method.step(output, device);
 * console.log(output.wrench[2], output.contacts); // N
 * ```
 */
export function createSceneMethod(scene: Scene, bodies: PreparedBodies, options: SceneMethodOptions = {}): SceneMethod {
  const sources = describeSources(scene, bodies, options);
  const { tool, toolBody } = sources;
  const { create, leadsOut } = methodOf(scene.method.kind);
  const created = create(scene, sources);
  if (leadsOut === undefined) startOutside(created.method, scene, sources);
  return { tool, toolBody, pairs: [], hierarchyPairs: [], ...created };
}

/** Where bodies have shells and fields, the tool begins at the nearest place outside. */
function startOutside(method: Method, scene: Scene, sources: MethodSources): void {
  const pairs = createStartPairs(scene, sources);
  if (pairs.length === 0) return;
  const contacts = createToolContacts(sources.toolBody, pairs);
  const start = createPose();
  const { reset } = method;
  method.reset = (pose) => {
    start.set(pose);
    if (isFinitePose(pose)) leadOut(start, contacts, scene.contact.stiffness);
    reset(start);
  };
}

/** What a method, or its contact side, is made from. */
export function describeSources(
  scene: Scene,
  bodies: PreparedBodies,
  { tool = scene.tool[0], tools = [tool], caches = createMethodCaches(), ...rest }: SceneMethodOptions = {},
): MethodSources {
  checkRunnable(scene, tool);
  return { ...rest, bodies, tool, toolBody: describeTool(scene, bodies, tool), tools, caches };
}

/**
 * The same scene with a method of this kind: settings that it has for it, those given, defaults for the rest.
 *
 * @example
 * ```ts
 * import { createMethodOutput, createPose, createSceneMethod, sceneWithMethod } from '@palpable/engine';
 * import type { PreparedBody, Scene } from '@palpable/engine';
 *
 * declare const scene: Scene;
 * declare const bodies: Map<string, PreparedBody>;
 *
 * const output = createMethodOutput();
 * for (const kind of ['penalty', 'god-object'] as const) {
 *   const { method } = createSceneMethod(sceneWithMethod(scene, kind), bodies);
 *   method.reset(createPose(0, 0, 0.02));
 *   for (let cycle = 0; cycle < 100; cycle += 1) method.step(output, createPose(0, 0, 0.014));
 *   console.log(kind, output.wrench);
 * }
 * ```
 */
export function sceneWithMethod<Kind extends MethodKind>(
  scene: Scene,
  kind: Kind,
  given: Partial<Omit<SettingsOf<Kind>, 'kind'>> = {},
): Scene & { readonly method: SettingsOf<Kind> } {
  const { kind: present, ...settings } = scene.method;
  return { ...scene, method: methodSettings(kind, { ...(present === kind ? settings : {}), ...given }) };
}

/** Throws `option-invalid` for what is known before anything is prepared: no such tool. */
export function checkRunnable(scene: Scene, tool = scene.tool[0]): void {
  if (!scene.tool.includes(tool)) {
    throw new PalpableError(
      'option-invalid',
      `The scene has no tool "${tool}"; its ${scene.tool.length === 1 ? 'tool is' : 'tools are'} ${scene.tool.join(', ')}.`,
      'tool',
    );
  }
}
