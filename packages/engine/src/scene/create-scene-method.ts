import type { PreparedBody } from '../asset/prepared-body.js';
import { PalpableError } from '../base/errors.js';
import type { ContactQuery } from '../contact/contact-query.js';
import { createContactQuery } from '../contact/create-contact-query.js';
import { createPose, type Pose } from '../math/pose.js';
import { createGodObjectMethod, type GodObjectMethod } from '../method/god-object/god-object.js';
import type { Clock, Method } from '../method/method.js';
import { createPenaltyMethod } from '../method/penalty.js';
import { createStaticFrictionMethod, type StaticFrictionMethod } from '../method/static-friction.js';
import { type ContactPair, createToolBody, type ToolBody } from '../method/tool-contacts.js';
import type { PointShell } from '../shell/point-shell.js';
import { type PlannedPair, planPairs } from './plan-pairs.js';
import type { FrictionPair, Scene, SceneBody } from './scene-description.js';

/** A scene as something that can be stepped: its method, and what it was made from. */
export interface SceneMethod {
  /** Name of the body that moves with the device. */
  readonly tool: string;
  readonly toolBody: ToolBody;
  readonly method: Method;
  /** The same method if it is `static-friction`, for what only that one tells. */
  readonly staticFriction: StaticFrictionMethod | null;
  /** And the same for `god-object`. */
  readonly godObject: GodObjectMethod | null;
  /** What the tool may touch, in the order of the scene's bodies. */
  readonly pairs: readonly ScenePair[];
}

export interface ScenePair extends ContactPair {
  /** Name of the other body. */
  readonly environment: string;
}

export interface SceneMethodOptions {
  /** The tool that moves; the scene's first unless given. Other tools stay where the scene puts them. */
  readonly tool?: string;
  /** Milliseconds; without it the stages are not timed. */
  readonly clock?: Clock;
  /**
   * Queries that were made before for the same bodies, to be used again and added to. Making one takes milliseconds,
   * which a loop that changes its method while it runs does not have.
   */
  readonly queries?: QueryCache;
  /** Where other bodies are, by name, to be changed while the method runs; as the scene says for those not in it. */
  readonly places?: ReadonlyMap<string, Pose>;
}

/** By tool, other body and settings. */
export type QueryCache = Map<string, ContactQuery>;

/**
 * Builds the method of a scene from bodies that were prepared as `planPreparation` says. Throws `option-invalid` for
 * what this version does not have, and for a tool without volume.
 */
export function createSceneMethod(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  options: SceneMethodOptions = {},
): SceneMethod {
  const { tool = scene.tool[0], clock } = options;
  checkRunnable(scene, tool);
  const toolBody = describeTool(scene.bodies[tool], preparedBody(bodies, tool), tool);
  const pairs = planPairs(scene, tool).map((plan) => createPair(scene, bodies, options, tool, plan));
  if (scene.method.kind === 'penalty') {
    const method = createPenaltyMethod(toolBody, pairs, { ...scene.contact, ...(clock && { clock }) });
    return { tool, toolBody, method, staticFriction: null, godObject: null, pairs };
  }
  if (scene.method.kind === 'god-object') {
    const method = createGodObject(scene, toolBody, pairs, clock);
    return { tool, toolBody, method, staticFriction: null, godObject: method, pairs };
  }
  const method = createStaticFrictionMethod(toolBody, pairs, {
    contact: scene.contact,
    friction: scene.friction,
    coupling: scene.coupling,
    staticDamping: scene.method.staticDamping,
    separation: scene.method.separation,
    gravity: scene.gravity,
    ...(clock && { clock }),
  });
  return { tool, toolBody, method, staticFriction: method, godObject: null, pairs };
}

function createGodObject(
  scene: Scene,
  toolBody: ToolBody,
  pairs: readonly ScenePair[],
  clock: Clock | undefined,
): GodObjectMethod {
  const { method, friction, contact, coupling, gravity, timeStep } = scene;
  const { coefficient, static: rest, viscous, rotational } = friction;
  return createGodObjectMethod(toolBody, pairs, {
    constraint: method.constraint,
    correction: method.correction,
    sampling: method.sampling,
    filter: method.filter,
    contact,
    coupling,
    friction: {
      viscous: friction.model === 'none' ? 0 : Math.min(viscous ?? VISCOUS_PART * (rest ?? coefficient), MOST_VISCOUS),
      rotational: friction.model === 'none' ? 0 : rotational,
    },
    gravity,
    timeStep,
    ...(clock && { clock }),
  });
}

/** Of the static coefficient, as Sagardia and Hulin found best (section 2.7). */
const VISCOUS_PART = 0.01;
const MOST_VISCOUS = 0.99;

/** Throws `option-invalid` for what can be told before anything is prepared: no such tool, or not in this version. */
export function checkRunnable(scene: Scene, tool = scene.tool[0]): void {
  if (!scene.tool.includes(tool)) {
    throw new PalpableError(
      'option-invalid',
      `The scene has no tool "${tool}"; its ${scene.tool.length === 1 ? 'tool is' : 'tools are'} ${scene.tool.join(', ')}.`,
      'tool',
    );
  }
  const { kind } = scene.method;
  if (kind === 'modular' || kind === 'deformable') {
    throw new PalpableError(
      'option-invalid',
      `method.kind: This version does not have the method "${kind}" yet; use "static-friction", "god-object" or "penalty".`,
      'method.kind',
    );
  }
  const deformable = Object.keys(scene.bodies).find((name) => scene.bodies[name].deformable !== null);
  if (deformable !== undefined) {
    throw new PalpableError(
      'option-invalid',
      `bodies.${deformable}.deformable: This version has no deformable bodies yet; leave the key out for a rigid body.`,
      `bodies.${deformable}.deformable`,
    );
  }
}

function describeTool({ density }: SceneBody, body: PreparedBody, name: string): ToolBody {
  if (body.unitMass) return createToolBody(body, density);
  throw new PalpableError(
    'option-invalid',
    `bodies.${name}: The tool encloses no volume, so it has no mass; close its mesh, or give it a field ` +
      '("field": {}, with an "offset" for a thin sheet), from which its mass is then taken.',
    `bodies.${name}`,
  );
}

function createPair(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  { queries = new Map(), places }: SceneMethodOptions,
  tool: string,
  { environment, shellOn }: PlannedPair,
): ScenePair {
  const [shellName, fieldName] = shellOn === 'tool' ? [tool, environment] : [environment, tool];
  const { shell } = preparedBody(bodies, shellName);
  const { field } = preparedBody(bodies, fieldName);
  if (!shell || !field) {
    const [name, part] = shell ? [fieldName, 'field'] : [shellName, 'shell'];
    throw new PalpableError(
      'option-invalid',
      `The body "${name}" was prepared without its ${part}; prepare it with one.`,
    );
  }
  const { maxContacts } = scene.contact;
  const isGodObject = scene.method.kind === 'god-object';
  const margin = isGodObject ? scene.method.safetyMargin : scene.contact.margin;
  const key = JSON.stringify([tool, environment, shellOn, margin, maxContacts]);
  const query = queries.get(key) ?? createContactQuery(shell, field, { shellOn, margin, maxContacts });
  queries.set(key, query);
  const { coefficient, static: rest, kinetic, pairs, model } = scene.friction;
  // Other methods have models of friction that do without the coefficients.
  const slippery = isGodObject && model === 'none';
  const own = pairs.find(({ bodies: names }) => names.includes(tool) && names.includes(environment));
  return {
    environment,
    query,
    environmentPose: places?.get(environment) ?? bodyPose(scene.bodies[environment]),
    staticCoefficient: slippery ? 0 : (own?.static ?? own?.coefficient ?? rest ?? coefficient),
    kineticCoefficient: slippery ? 0 : (own?.kinetic ?? own?.coefficient ?? kinetic ?? coefficient),
    dynamicPoints: own ? dynamicPoints(own, shell) : null,
  };
}

function preparedBody(bodies: ReadonlyMap<string, PreparedBody>, name: string): PreparedBody {
  const body = bodies.get(name);
  if (!body)
    throw new PalpableError('option-invalid', `The body "${name}" of the scene was not prepared; prepare it first.`);
  return body;
}

/** Where the scene puts a body. */
export function bodyPose({ position, rotation }: SceneBody): Pose {
  return createPose(...position, ...rotation);
}

/** By point of the shell: 1 where its contacts are declared dynamic; null if none are. */
function dynamicPoints({ dynamic, dynamicRegions }: FrictionPair, shell: PointShell): Uint8Array | null {
  if (!dynamic && dynamicRegions.length === 0) return null;
  const marks = new Uint8Array(shell.count);
  for (let point = 0; point < shell.count; point += 1) {
    const at = shell.points.subarray(3 * point, 3 * point + 3);
    const inside = dynamicRegions.some(({ min, max }) =>
      at.every((value, axis) => value >= min[axis] && value <= max[axis]),
    );
    if (dynamic || inside) marks[point] = 1;
  }
  return marks;
}
