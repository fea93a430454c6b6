import type { PreparedBody } from '../asset/prepared-body.js';
import { PalpableError } from '../base/errors.js';
import type { ContactQuery } from '../contact/contact-query.js';
import { createHierarchyQuery } from '../contact/convex/create-hierarchy-query.js';
import type { HierarchyQuery } from '../contact/convex/hierarchy-query.js';
import { createContactQuery } from '../contact/create-contact-query.js';
import type { ConvexHierarchy } from '../hierarchy/convex-hierarchy.js';
import { createPose, type Pose } from '../math/pose.js';
import type { HierarchyPair } from '../method/modular/hierarchy-contacts.js';
import type { ContactPair } from '../method/tool-contacts.js';
import type { PointShell } from '../shell/point-shell.js';
import { findsByHierarchy, type PlannedPair, planPairs } from './plan-pairs.js';
import type { FrictionPair, Scene, SceneBody } from './scene-description.js';

export interface ScenePair extends ContactPair {
  /** Name of the other body. */
  readonly environment: string;
}

export interface SceneHierarchyPair extends HierarchyPair {
  /** Name of the other body. */
  readonly environment: string;
}

/** By tool, other body and settings. */
export type QueryCache = Map<string, ContactQuery | HierarchyQuery>;

export interface PairSources {
  /**
   * Queries that were made before for the same bodies, to be used again and added to. Making one takes milliseconds,
   * which a loop that changes its method while it runs does not have.
   */
  readonly queries?: QueryCache;
  /** Where other bodies are, by name, to be changed while the method runs; as the scene says for those not in it. */
  readonly places?: ReadonlyMap<string, Pose>;
}

/** Either of shells and fields or of hierarchies, as the scene's method finds its contacts. */
export interface ScenePairs {
  readonly pairs: readonly ScenePair[];
  readonly hierarchyPairs: readonly SceneHierarchyPair[];
}

export function createScenePairs(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  sources: PairSources,
  tool: string,
): ScenePairs {
  const plans = planPairs(scene, tool);
  return findsByHierarchy(scene)
    ? { pairs: [], hierarchyPairs: plans.map((plan) => createHierarchyPair(scene, bodies, sources, tool, plan)) }
    : { pairs: plans.map((plan) => createPair(scene, bodies, sources, tool, plan)), hierarchyPairs: [] };
}

function createPair(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  { queries = new Map(), places }: PairSources,
  tool: string,
  { environment, shellOn }: PlannedPair,
): ScenePair {
  const [shellName, fieldName] = shellOn === 'tool' ? [tool, environment] : [environment, tool];
  const { shell } = preparedBody(bodies, shellName);
  const { field } = preparedBody(bodies, fieldName);
  if (!shell) throw withoutPart(shellName, 'shell');
  if (!field) throw withoutPart(fieldName, 'field');
  const { maxContacts } = scene.contact;
  const margin = heededDistance(scene);
  const key = JSON.stringify([tool, environment, shellOn, margin, maxContacts]);
  const known = queries.get(key) as ContactQuery | undefined;
  const query = known ?? createContactQuery(shell, field, { shellOn, margin, maxContacts });
  queries.set(key, query);
  const own = ownFriction(scene, tool, environment);
  return {
    environment,
    query,
    environmentPose: placeOf(scene, places, environment),
    ...coefficientsOf(scene, own),
    dynamicPoints: own ? dynamicPoints(own, shell) : null,
  };
}

/** From how far outside of a surface the method needs its contacts. */
function heededDistance({ method, contact }: Scene): number {
  if (method.kind === 'god-object') return method.safetyMargin;
  return method.kind === 'modular' ? method.distanceTolerance : contact.margin;
}

/** More are joined to clusters anyway, and each newcomer is compared with all. */
const MOST_HIERARCHY_CONTACTS = 256;

function createHierarchyPair(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  { queries = new Map(), places }: PairSources,
  tool: string,
  { environment }: PlannedPair,
): SceneHierarchyPair {
  const mine = hierarchyOf(bodies, tool);
  const other = hierarchyOf(bodies, environment);
  const { tolerance: share, absoluteTolerance, distanceTolerance } = scene.method;
  const tolerance = absoluteTolerance ?? share * Math.min(mine.radius, other.radius);
  const maxContacts = Math.min(scene.contact.maxContacts, MOST_HIERARCHY_CONTACTS);
  const key = JSON.stringify(['hierarchy', tool, environment, tolerance, distanceTolerance, maxContacts]);
  const known = queries.get(key) as HierarchyQuery | undefined;
  const query = known ?? createHierarchyQuery(mine, other, { tolerance, distanceTolerance, maxContacts });
  queries.set(key, query);
  const own = ownFriction(scene, tool, environment);
  const { staticCoefficient, kineticCoefficient } = coefficientsOf(scene, own);
  return {
    environment,
    query,
    environmentPose: placeOf(scene, places, environment),
    staticCoefficient: own?.dynamic ? kineticCoefficient : staticCoefficient,
    kineticCoefficient,
  };
}

function hierarchyOf(bodies: ReadonlyMap<string, PreparedBody>, name: string): ConvexHierarchy {
  const { hierarchy } = preparedBody(bodies, name);
  if (!hierarchy) throw withoutPart(name, 'hierarchy');
  return hierarchy;
}

/** The first part that the scene's method needs and a body lacks, as a sentence; null if all is there. */
export function missingPart(scene: Scene, bodies: ReadonlyMap<string, PreparedBody>, tool: string): string | null {
  if (scene.method.kind === 'deformable') return missingElastic(scene, bodies);
  for (const { environment, shellOn } of planPairs(scene, tool)) {
    const [shellName, fieldName] = shellOn === 'tool' ? [tool, environment] : [environment, tool];
    const needed = findsByHierarchy(scene)
      ? ([
          [tool, 'hierarchy'],
          [environment, 'hierarchy'],
        ] as const)
      : ([
          [shellName, 'shell'],
          [fieldName, 'field'],
        ] as const);
    for (const [name, part] of needed) if (!bodies.get(name)?.[part]) return lacks(name, part);
  }
  return null;
}

/** Rigid bodies need nothing but their mesh. */
function missingElastic(scene: Scene, bodies: ReadonlyMap<string, PreparedBody>): string | null {
  for (const [name, body] of Object.entries(scene.bodies)) {
    if (!body.deformable || bodies.get(name)?.elastic) continue;
    return `The body "${name}" was prepared as a rigid one; prepare it again for the method "deformable".`;
  }
  return null;
}

function lacks(name: string, part: 'shell' | 'field' | 'hierarchy'): string {
  return `The body "${name}" was prepared without its ${part}; give it the key "${part}" in the scene and prepare it again.`;
}

function withoutPart(name: string, part: 'shell' | 'field' | 'hierarchy'): PalpableError {
  return new PalpableError('option-invalid', lacks(name, part));
}

export function preparedBody(bodies: ReadonlyMap<string, PreparedBody>, name: string): PreparedBody {
  const body = bodies.get(name);
  if (!body)
    throw new PalpableError('option-invalid', `The body "${name}" of the scene was not prepared; prepare it first.`);
  return body;
}

export function ownFriction({ friction }: Scene, tool: string, environment: string): FrictionPair | undefined {
  return friction.pairs.find(({ bodies: names }) => names.includes(tool) && names.includes(environment));
}

export function coefficientsOf({ friction, method }: Scene, own: FrictionPair | undefined) {
  const { coefficient, static: rest, kinetic, model } = friction;
  // Static friction has models that do without the coefficients.
  const slippery = model === 'none' && (OWN_FRICTION as readonly string[]).includes(method.kind);
  return {
    staticCoefficient: slippery ? 0 : (own?.static ?? own?.coefficient ?? rest ?? coefficient),
    kineticCoefficient: slippery ? 0 : (own?.kinetic ?? own?.coefficient ?? kinetic ?? coefficient),
  };
}

/** Methods with friction of their own, which take the coefficients whatever the model. */
const OWN_FRICTION = ['god-object', 'modular', 'deformable'] as const;

/** Where a body is: the place that may change, else where the scene puts it. */
export function placeOf(scene: Scene, places: ReadonlyMap<string, Pose> | undefined, name: string): Pose {
  return places?.get(name) ?? bodyPose(scene.bodies[name]);
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
