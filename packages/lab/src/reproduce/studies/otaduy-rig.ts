import {
  createContactSet,
  createPose,
  type Hand,
  handAlong,
  type Pose,
  type Probe,
  type Scene,
  type ToolBody,
  type TriangleMesh,
  transformPoint,
} from '@palpable/engine';
import {
  type ConvexHierarchy,
  coefficientsOf,
  createHierarchyContacts,
  createHierarchyQuery,
  createModularMethod,
  createRandom,
  DEFAULT_MODULAR_OPTIONS,
  frictionOfPair,
  type HierarchyQuery,
  MODEL_COUNT,
  MODEL_FIND_US,
  MODEL_SEQUENCE,
  type ModularContacts,
  type ModularMethod,
  type ModularOptions,
  massProperties,
  meshBounds,
  withMass,
} from '@palpable/engine/advanced';
import { eased, placed } from '../../play/motion.js';
import { play, type Recording } from '../../play/play.js';
import { largest } from '../../play/statistics.js';

/*
 * What the experiments of Otaduy and Lin have in common: a tool as light as wanted, led by a motion of the device, and one
 * number per cycle of everything that the figures show.
 */

export const TIME_STEP = 0.001;

export interface HandMotion {
  readonly seed: number;
  readonly seconds: number;
  /** Of the swings along x, y, z, m, and about them, rad. */
  readonly sizes: readonly number[];
}

/** As a hand would move: smooth, seeded sums of slow and less slow swings, from rest at `start`. */
export function handMotion({ seed, seconds, sizes }: HandMotion, start: Pose): Pose[] {
  const random = createRandom(seed);
  const swings = sizes.map((size) =>
    SWINGS_HZ.map((hz) => ({
      size: (size * (0.5 + random())) / (SWINGS_HZ.length * hz),
      hz: hz * (0.8 + 0.4 * random()),
    })),
  );
  return Array.from({ length: Math.round(seconds / TIME_STEP) }, (_, cycle) => {
    const time = cycle * TIME_STEP;
    const begin = eased(Math.min(1, time / EASING_SECONDS));
    const [x = 0, y = 0, z = 0, ...rotation] = swings.map((sum) =>
      sum.reduce((all, { size, hz }) => all + begin * size * Math.sin(2 * Math.PI * hz * time), 0),
    );
    return placed(start, [start[0]! + x, start[1]! + y, start[2]! + z, ...rotation]);
  });
}

const SWINGS_HZ = [0.5, 1.1, 2.3];
const EASING_SECONDS = 0.3;

/** The solid that a mesh bounds, of uniform density and so many kilograms. */
export function solidTool(mesh: TriangleMesh, mass: number): ToolBody {
  const { centre, inertia, mass: unit } = massProperties(mesh, 1);
  const { min, max } = meshBounds(mesh);
  const length = 0.5 * Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  return withMass({ centre, mass: unit, inertia, length }, mass);
}

export type ModularChanges = {
  [Key in keyof ModularOptions]?: ModularOptions[Key] extends object
    ? Partial<ModularOptions[Key]>
    : ModularOptions[Key];
};

/** Of the paper's device: N/m, N m/rad. */
const PAPER_COUPLING = { stiffness: 500, torsionalStiffness: 0.6 };

/** The default options with the paper's coupling and changes, one or two levels deep; friction is that of the contacts. */
export function modularOptions(changes: ModularChanges): ModularOptions {
  const base = DEFAULT_MODULAR_OPTIONS;
  return {
    ...base,
    ...changes,
    coupling: { ...base.coupling, ...PAPER_COUPLING, ...changes.coupling },
    contact: { ...base.contact, ...changes.contact },
    friction: { ...base.friction, static: 0, kinetic: 0, ...changes.friction },
  } as ModularOptions;
}

/** Free space. */
export const NO_CONTACTS: ModularContacts = {
  capacity: 1,
  find(set) {
    set.count = 0;
  },
};

/** Static and kinetic coefficient of the tool of a scene and the other body. */
export type PairFriction = ReturnType<typeof coefficientsOf>;

export const SLIPPERY: PairFriction = { staticCoefficient: 0, kineticCoefficient: 0 };

/** Names of the tool of a scene and of the only other body. */
export function pairOf({ tool: [tool], bodies }: Scene): readonly [tool: string, environment: string] {
  return [tool!, Object.keys(bodies).find((name) => name !== tool)!];
}

/** What the scene says of its tool and the only other body. */
export function frictionOf(scene: Scene): PairFriction {
  const [tool, environment] = pairOf(scene);
  return coefficientsOf(scene, frictionOfPair(scene, tool, environment), true);
}

/** The tool against one body that stands at `environmentPose`. */
export function touching(
  query: HierarchyQuery,
  friction: PairFriction,
  environmentPose: Pose = createPose(),
): ModularContacts {
  return createHierarchyContacts([{ query, environmentPose, ...friction }]);
}

/** What the plots of the paper show, beside what every play reports. */
type ModularColumn =
  /** Distance between where the device and the tool have the grasp point, m. */
  | 'deviation'
  /** Sum of the normal forces of the clusters, N. */
  | 'contact_force'
  /** m/s, of the fastest of three points around the centre of mass at the distance of the tool's size. */
  | 'speed'
  /** m/s, of the centre of mass. */
  | 'centre_speed'
  /** Of the search for contacts that ended in this cycle; NaN without any. */
  | 'us_find';

/** Its penetration is the deepest contact at the tool's pose at the end of the cycle, m; 0 without any. */
export interface ModularRecording extends Recording<ModularColumn> {
  /** Whether the tool came back to the device's neighbourhood in every cycle, and every step had a finite answer. */
  readonly bounded: boolean;
}

/** Further from the device than this, m, the tool is lost. */
const LOST = 0.1;

export interface ModularRun {
  readonly tool: ToolBody;
  readonly contacts: ModularContacts;
  readonly options: ModularOptions;
  readonly motion: readonly Pose[];
  /** Measures the penetration after every cycle, apart from the contacts that the method knows of. */
  readonly depthAt?: (toolPose: Pose) => number;
}

/** Leads the device along the motion, one pose a cycle, until the tool is lost. */
export function leadAlong({ tool, contacts, options, motion, depthAt }: ModularRun): ModularRecording {
  const method = createModularMethod(tool, contacts, { ...options, clock: () => performance.now() });
  const grasp = options.coupling.graspPoint ?? tool.centre;
  const last = Float64Array.from(motion[0]!);
  let [sequence, bounded] = [-1, true];
  const probes: Record<ModularColumn | 'penetration', Probe> = {
    deviation: ({ devicePose, output }) => distanceBetween(devicePose, output.toolPose, grasp),
    penetration: ({ output }) => Math.max(0, depthAt ? depthAt(output.toolPose) : output.maxPenetration),
    contact_force: () => contactForce(method),
    centre_speed: ({ output }) => distanceBetween(last, output.toolPose, tool.centre) / TIME_STEP,
    speed: ({ output }) => {
      const speed = speedBetween(last, output.toolPose, tool);
      last.set(output.toolPose);
      return speed;
    },
    us_find: () => {
      const isNew = method.contactModel[MODEL_SEQUENCE] !== sequence;
      sequence = method.contactModel[MODEL_SEQUENCE]!;
      return isNew && sequence > 0 ? method.contactModel[MODEL_FIND_US]! : Number.NaN;
    },
  };
  const hand: Hand = {
    ...handAlong(motion),
    isOver: ({ toolPose }, cycle) => {
      bounded = distanceBetween(motion[cycle]!, toolPose, grasp) < LOST && method.dynamics.faults === 0;
      return !bounded;
    },
  };
  const recording = play({ method, timeStep: TIME_STEP }, hand, { probes });
  return { ...recording, bounded };
}

function contactForce({ contactModel: model, dynamics }: ModularMethod): number {
  const { normalForce, fade } = dynamics.contact;
  let sum = 0;
  for (let k = 0; k < Math.min(model[MODEL_COUNT]!, normalForce.length); k += 1) sum += Math.max(0, normalForce[k]!);
  return fade.gain[0]! * sum;
}

/** Of the fastest of three points, m/s, from two poses one cycle apart. */
function speedBetween(before: Pose, after: Pose, { centre, length }: ToolBody): number {
  let fastest = 0;
  for (let axis = 0; axis < 3; axis += 1) {
    const point = centre.map((value, i) => (i === axis ? value + length : value));
    fastest = Math.max(fastest, distanceBetween(before, after, point) / TIME_STEP);
  }
  return fastest;
}

const there = new Float64Array(3);
const here = new Float64Array(3);

/** Between the places that two poses give one point of a body. */
function distanceBetween(a: Pose, b: Pose, point: ArrayLike<number>): number {
  placeAt(there, a, point);
  placeAt(here, b, point);
  return Math.hypot(there[0]! - here[0]!, there[1]! - here[1]!, there[2]! - here[2]!);
}

function placeAt(out: Float64Array, pose: Pose, point: ArrayLike<number>): void {
  transformPoint(out, pose, point[0]!, point[1]!, point[2]!);
}

export interface QuerySettings {
  /** d, m. */
  readonly distanceTolerance: number;
  /** m */
  readonly tolerance: number;
  readonly maxDepth: number;
}

export function hierarchyQuery(tool: ConvexHierarchy, environment: ConvexHierarchy, settings: QuerySettings) {
  return createHierarchyQuery(tool, environment, { ...settings, maxContacts: 512 });
}

/** Depth of the deepest contact at a pose of the tool, by a query of its own; −d if nothing is near. */
export function depthMeter(
  query: HierarchyQuery,
  tool: ToolBody,
  environmentPose: Pose = createPose(),
): (toolPose: Pose) => number {
  const contacts = touching(query, SLIPPERY, environmentPose);
  const set = createContactSet(contacts.capacity);
  const centre = new Float64Array(3);
  return (toolPose) => {
    placeAt(centre, toolPose, tool.centre);
    contacts.find(set, toolPose, centre);
    let deepest = -query.distanceTolerance;
    for (let c = 0; c < set.count; c += 1) deepest = Math.max(deepest, set.depth[c]!);
    return deepest;
  };
}

/** How much the force trembles: root of the mean square of its second differences, N. */
export function tremble(force: ArrayLike<number>): number {
  let sum = 0;
  for (let n = 2; n < force.length; n += 1) sum += (force[n]! - 2 * force[n - 1]! + force[n - 2]!) ** 2;
  return Math.sqrt(sum / Math.max(1, force.length - 2));
}

const SLOW = 1e-3;
const STEP = 1e-3;
const SETTLING_CYCLES = 1000;
/** Cycles at the end in which the tool must be calm. */
export const WATCHED_CYCLES = 100;

/**
 * `calm`: Whether the centre of mass is slower than 1 mm/s from 1 s after the step on. `still`: Whether every point
 * of the tool is.
 */
export type Calm = ReturnType<typeof calmsDown>;

/**
 * Whether the tool calms down: the device goes through `motion`, jumps by 1 mm along `direction` and by 0.01 rad about each
 * axis if it `rotates`, and stays there for a second.
 */
export function calmsDown(run: ModularRun, direction: readonly [number, number, number], rotates: boolean) {
  const last = run.motion.at(-1)!;
  const stepped = rotates ? placed(last, [0, 0, 0, 0.01, 0.01, 0.01]) : Float64Array.from(last);
  for (let axis = 0; axis < 3; axis += 1) stepped[axis] = last[axis]! + STEP * direction[axis]!;
  const motion = [...run.motion, ...Array.from({ length: SETTLING_CYCLES + WATCHED_CYCLES }, () => stepped)];
  const recording = leadAlong({ ...run, motion });
  const slow = (column: 'speed' | 'centre_speed') =>
    recording.bounded && largest(recording.column[column].subarray(-WATCHED_CYCLES)) < SLOW;
  return { calm: slow('centre_speed'), still: slow('speed'), recording };
}

/** By how much the force on the hand varies at the end, N: largest less smallest. */
export function ripple({ column }: ModularRecording): number {
  const end = column.force.subarray(-WATCHED_CYCLES);
  return largest(end) + largest(end.map((force) => -force));
}
