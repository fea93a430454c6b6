import type { PreparedBody } from '../asset/prepared-body.js';
import { PalpableError } from '../base/errors.js';
import type { ContactQuery, ShellOwner } from '../contact/contact-query.js';
import { createHierarchyQuery } from '../contact/convex/create-hierarchy-query.js';
import type { HierarchyQuery } from '../contact/convex/hierarchy-query.js';
import { createContactQuery } from '../contact/create-contact-query.js';
import type { FrictionPair } from '../friction/friction-parameters.js';
import type { ConvexHierarchy } from '../hierarchy/convex-hierarchy.js';
import { createPose, type Pose } from '../math/pose.js';
import type { SceneBody } from '../settings/body-parameters.js';
import type { PointShell } from '../shell/point-shell.js';
import type { MethodScene, MethodSources, PreparedBodies } from './method-definition.js';
import type { HierarchyPair } from './modular/hierarchy-contacts.js';
import type { ContactPair } from './tool-contacts.js';

/** Which bodies a tool may touch, and which of the two has the points. */
export interface PlannedPair {
  /** The other body: one that stands still, or another tool, which for this one is part of the environment. */
  readonly environment: string;
  readonly shellOn: ShellOwner;
  /** Whether it only adds to a pair the other way round, and may be left out. */
  readonly isExtra: boolean;
}

/**
 * The pairs in which a tool can touch: one with every other body, and which of the two has the shell; with `isSymmetric`
 * all of them the other way round as well, after the others.
 */
export function planPairs({ bodies }: Pick<MethodScene, 'bodies'>, tool: string, isSymmetric = false): PlannedPair[] {
  const pairs = Object.entries(bodies)
    .filter(([name]) => name !== tool)
    .map(([environment, body]) => ({ environment, shellOn: shellOwner(bodies[tool], body), isExtra: false }));
  if (!isSymmetric) return pairs;
  const other = { tool: 'environment', environment: 'tool' } as const;
  return [...pairs, ...pairs.map((pair) => ({ ...pair, shellOn: other[pair.shellOn], isExtra: true }))];
}

/** The tool has the shell, unless the scene gives one to the other body and none to the tool. */
function shellOwner(tool: SceneBody, environment: SceneBody): ShellOwner {
  return environment.shell !== null && tool.shell === null ? 'environment' : 'tool';
}

export interface ScenePair extends ContactPair {
  /** Name of the other body. */
  readonly environment: string;
}

export interface SceneHierarchyPair extends HierarchyPair {
  /** Name of the other body. */
  readonly environment: string;
}

/** Either of shells and fields or of hierarchies, as the scene's method finds its contacts. */
export interface ScenePairs {
  readonly pairs: readonly ScenePair[];
  readonly hierarchyPairs: readonly SceneHierarchyPair[];
}

type PairSources = Pick<MethodSources, 'bodies' | 'tool' | 'caches' | 'places'>;

/** Of contacts that a device renders as they are, N/m. */
export const RENDERED_STIFFNESS = 5000;
/** N, where nothing limits the force. */
export const FULL_FORCE = 10;
/** Voxels that the full force presses a tool in by. */
const SINK = 0.5;
/** Contact is at least so many times as stiff as the coupling, or the tool would give way rather than the hand. */
const LEAST_RATIO = 5;

/** `contact.stiffness` of methods that press a tool in, N/m: what the scene says, or what its coupling and fields ask for. */
export function contactStiffness(scene: MethodScene, { bodies, tool }: Pick<PairSources, 'bodies' | 'tool'>): number {
  const { contact, coupling, limits } = scene;
  if (contact.stiffness !== null) return contact.stiffness;
  let voxel = Number.POSITIVE_INFINITY;
  for (const { environment, shellOn } of planPairs(scene, tool)) {
    voxel = Math.min(voxel, bodies.get(shellOn === 'tool' ? environment : tool)?.field?.voxelSize ?? voxel);
  }
  const force = limits?.force ?? FULL_FORCE;
  return Math.max(RENDERED_STIFFNESS, LEAST_RATIO * coupling.stiffness, force / (SINK * voxel));
}

export interface PointPairOptions {
  /** From how far outside of a surface contacts are needed, m. */
  readonly margin: number;
  /** Whether the method has a friction law of its own, which is off for the model `none`. */
  readonly ownFriction: boolean;
  /** Whether both bodies have points, where they are prepared for it; one of them unless given. */
  readonly isSymmetric?: boolean;
  /** Whether flat faces that lie on each other are reduced to a few points, where both bodies have points. */
  readonly isReduced?: boolean;
  /** Whether pairs are left out that are not prepared for it; they are errors unless given. */
  readonly isOptional?: boolean;
}

/** Points of one body in the field of the other. */
export function createPointPairs(scene: MethodScene, sources: PairSources, options: PointPairOptions): ScenePair[] {
  const plans = planPairs(scene, sources.tool, options.isSymmetric).filter(
    (plan) => !(plan.isExtra || options.isOptional) || hasParts(sources, plan),
  );
  const pairs = new Map<PlannedPair, ScenePair>();
  // Those that reduce others come before them.
  for (const plan of [...plans].reverse()) {
    const isMirror = (other: PlannedPair) => other.isExtra && !plan.isExtra && other.environment === plan.environment;
    const mirror = options.isReduced ? plans.find(isMirror) : undefined;
    pairs.set(plan, createPointPair(scene, sources, plan, options, mirror && pairs.get(mirror)?.query));
  }
  return plans.map((plan) => pairs.get(plan)!);
}

/** All pairs in which a tool may start inside of something, as far as they have shells and fields, whatever the method. */
export function createStartPairs(scene: MethodScene, sources: PairSources): ScenePair[] {
  return createPointPairs(scene, sources, { margin: 0, ownFriction: false, isSymmetric: true, isOptional: true });
}

function hasParts({ bodies, tool }: PairSources, { environment, shellOn }: PlannedPair): boolean {
  const [shellName, fieldName] = shellOn === 'tool' ? [tool, environment] : [environment, tool];
  return bodies.get(shellName)?.shell != null && bodies.get(fieldName)?.field != null;
}

function createPointPair(
  scene: MethodScene,
  { bodies, tool, caches: { queries }, places }: PairSources,
  { environment, shellOn, isExtra }: PlannedPair,
  { margin, ownFriction, isSymmetric }: PointPairOptions,
  mirror: ContactQuery | undefined,
): ScenePair {
  const [shellName, fieldName] = shellOn === 'tool' ? [tool, environment] : [environment, tool];
  const { shell } = preparedBody(bodies, shellName);
  const { field } = preparedBody(bodies, fieldName);
  if (!shell) throw withoutPart(shellName, 'shell');
  if (!field) throw withoutPart(fieldName, 'field');
  const { maxContacts } = scene.contact;
  const caution = { isCautious: isExtra, doubtsEdges: isSymmetric ?? false };
  const key = JSON.stringify([tool, environment, shellOn, margin, maxContacts, caution, mirror !== undefined]);
  const known = queries.get(key) as ContactQuery | undefined;
  const isKnown = known !== undefined && known.facePairs?.mirror === mirror;
  const query = isKnown
    ? known
    : createContactQuery(shell, field, { shellOn, margin, maxContacts, ...caution, ...(mirror && { mirror }) });
  queries.set(key, query);
  const own = frictionOfPair(scene, tool, environment);
  return {
    environment,
    query,
    environmentPose: placeOf(scene, places, environment),
    ...coefficientsOf(scene, own, ownFriction),
    dynamicPoints: own ? dynamicPoints(own, query.shell) : null,
  };
}

/** More are joined to clusters anyway, and each newcomer is compared with all. */
const MOST_HIERARCHY_CONTACTS = 256;

export interface PiecePairOptions {
  /** How far surfaces may be off the finest ones: of the smaller radius, or m. */
  readonly tolerance: number;
  readonly absoluteTolerance: number | null;
  /** m */
  readonly distanceTolerance: number;
}

/** Convex pieces of both bodies. */
export function createPiecePairs(
  scene: MethodScene,
  sources: PairSources,
  options: PiecePairOptions,
): SceneHierarchyPair[] {
  return planPairs(scene, sources.tool).map((plan) => createPiecePair(scene, sources, plan, options));
}

function createPiecePair(
  scene: MethodScene,
  { bodies, tool, caches: { queries }, places }: PairSources,
  { environment }: PlannedPair,
  { tolerance: share, absoluteTolerance, distanceTolerance }: PiecePairOptions,
): SceneHierarchyPair {
  const mine = hierarchyOf(bodies, tool);
  const other = hierarchyOf(bodies, environment);
  const tolerance = absoluteTolerance ?? share * Math.min(mine.radius, other.radius);
  const maxContacts = Math.min(scene.contact.maxContacts, MOST_HIERARCHY_CONTACTS);
  const key = JSON.stringify(['hierarchy', tool, environment, tolerance, distanceTolerance, maxContacts]);
  const known = queries.get(key) as HierarchyQuery | undefined;
  const query = known ?? createHierarchyQuery(mine, other, { tolerance, distanceTolerance, maxContacts });
  queries.set(key, query);
  const own = frictionOfPair(scene, tool, environment);
  const { staticCoefficient, kineticCoefficient } = coefficientsOf(scene, own, true);
  return {
    environment,
    query,
    environmentPose: placeOf(scene, places, environment),
    staticCoefficient: own?.dynamic ? kineticCoefficient : staticCoefficient,
    kineticCoefficient,
  };
}

function hierarchyOf(bodies: PreparedBodies, name: string): ConvexHierarchy {
  const { hierarchy } = preparedBody(bodies, name);
  if (!hierarchy) throw withoutPart(name, 'hierarchy');
  return hierarchy;
}

export type BodyPart = 'shell' | 'field' | 'hierarchy';

export function lacksPart(name: string, part: BodyPart): string {
  return `The body "${name}" was prepared without its ${part}; give it the key "${part}" in the scene and prepare it again.`;
}

function withoutPart(name: string, part: BodyPart): PalpableError {
  return new PalpableError('option-invalid', lacksPart(name, part));
}

export function preparedBody(bodies: PreparedBodies, name: string): PreparedBody {
  const body = bodies.get(name);
  if (!body)
    throw new PalpableError('option-invalid', `The body "${name}" of the scene was not prepared; prepare it first.`);
  return body;
}

/** What the scene says of two bodies by their names, if anything. */
export function frictionOfPair(
  { friction }: Pick<MethodScene, 'friction'>,
  tool: string,
  environment: string,
): FrictionPair | undefined {
  return friction.pairs.find(({ bodies: names }) => names.includes(tool) && names.includes(environment));
}

/** Friction models that do without the coefficients see to it themselves; a law of the method's own does not. */
export function coefficientsOf(
  { friction }: Pick<MethodScene, 'friction'>,
  own: FrictionPair | undefined,
  isOwnLaw: boolean,
) {
  const { coefficient, static: rest, kinetic, model } = friction;
  const slippery = isOwnLaw && model === 'none';
  return {
    staticCoefficient: slippery ? 0 : (own?.static ?? own?.coefficient ?? rest ?? coefficient),
    kineticCoefficient: slippery ? 0 : (own?.kinetic ?? own?.coefficient ?? kinetic ?? coefficient),
  };
}

/** Where a body is: the place that may change, else where the scene puts it. */
export function placeOf(
  scene: Pick<MethodScene, 'bodies'>,
  places: ReadonlyMap<string, Pose> | undefined,
  name: string,
): Pose {
  return places?.get(name) ?? bodyPose(scene.bodies[name]);
}

/** Where the scene puts a body. */
export function bodyPose({ position, rotation }: Pick<SceneBody, 'position' | 'rotation'>): Pose {
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
