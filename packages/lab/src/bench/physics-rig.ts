import {
  buildSceneMesh,
  checkSceneValue,
  createMesh,
  createPose,
  createSceneMethod,
  type Hand,
  type MethodOutput,
  type Pose,
  type PreparedBody,
  type PrepareOptions,
  planPreparation,
  playScene,
  prepareBody,
  relativePose,
  type Scene,
  type TriangleMesh,
  transformPoint,
} from '@palpable/engine';
import { composePose } from '@palpable/engine/advanced';

/** One form of a method, as scene files name it. */
export interface PhysicsMethod {
  readonly name: string;
  readonly method: Readonly<Record<string, unknown>>;
}

export const PHYSICS_METHODS: readonly PhysicsMethod[] = [
  { name: 'god object, manifold', method: { kind: 'god-object', constraint: 'manifold' } },
  { name: 'static friction, cone', method: { kind: 'static-friction' } },
  { name: 'god object, heuristic', method: { kind: 'god-object', constraint: 'heuristic' } },
  { name: 'modular, shell', method: { kind: 'modular', detection: 'shell' } },
  { name: 'modular, hierarchy', method: { kind: 'modular', detection: 'hierarchy' } },
  { name: 'deformable, rigid parts', method: { kind: 'deformable' } },
];

/** What one test plays in: one tool, the rest stands still; all of it rotated as a whole. */
export interface PhysicsCase {
  readonly tool: TriangleMesh;
  /** Each in its own pose, m and quaternion. */
  readonly others: readonly { readonly mesh: TriangleMesh; readonly pose: Pose }[];
  readonly friction: number;
  /** Of the shell, points. */
  readonly points: number;
  /** Voxels along the longest side of each other body. */
  readonly resolution: number;
  readonly seed: number;
  /** Orientation of the whole, quaternion. */
  readonly turned: readonly [number, number, number, number];
}

/** One number per cycle: force and torque on the hand, tool and device, all in the frame of the case. */
export interface PhysicsPlay {
  readonly cycles: number;
  readonly force: (cycle: number) => readonly [number, number, number];
  readonly torque: (cycle: number) => readonly [number, number, number];
  readonly tool: (cycle: number) => Pose;
  readonly device: (cycle: number) => Pose;
  readonly state: (cycle: number) => number;
  readonly contacts: (cycle: number) => number;
}

export const FRICTION = 0.5;
/** N/m and N m/rad. */
export const COUPLING = { stiffness: 1000, torsionalStiffness: 5 };
export const TIME_STEP = 0.001;

/** A scene's method, ready to be played again and again. */
export async function preparePhysics(
  setting: PhysicsCase,
  { method }: PhysicsMethod,
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly scene: Scene; readonly bodies: ReadonlyMap<string, PreparedBody> }> {
  const { tool, others, friction, points, resolution, seed, turned } = setting;
  const meshes = new Map<string, TriangleMesh>([['tool', tool]]);
  const bodies: Record<string, object> = {
    tool: { mesh: { box: [1, 1, 1] }, shell: { count: points, seed } },
  };
  others.forEach(({ mesh, pose }, index) => {
    const name = `body${index}`;
    const place = composePose(createPose(), poseOf([0, 0, 0], turned), pose);
    meshes.set(name, mesh);
    bodies[name] = {
      mesh: { box: [1, 1, 1] },
      position: [...place.subarray(0, 3)],
      rotation: [...place.subarray(3)],
      field: { resolution },
    };
  });
  const { scene, problems } = checkSceneValue({
    palpable: 1,
    bodies,
    tool: 'tool',
    method,
    friction: { coefficient: friction },
    coupling: COUPLING,
    timeStep: TIME_STEP,
    ...more,
  });
  if (!scene) throw new Error(problems.map(({ message }) => message).join('\n'));
  const prepared = new Map<string, PreparedBody>();
  for (const [name, options] of planPreparation(scene)) {
    prepared.set(name, await prepareOnce(meshes.get(name) ?? buildSceneMesh(scene.bodies[name]!)!, options));
  }
  return { scene, bodies: prepared };
}

/** Most tests share the block, the plate or both. */
const preparedBefore = new Map<string, Promise<PreparedBody>>();

function prepareOnce(mesh: TriangleMesh, options: PrepareOptions): Promise<PreparedBody> {
  const key = JSON.stringify([[...mesh.positions], [...mesh.triangles], options]);
  const known = preparedBefore.get(key) ?? prepareBody(mesh, options);
  preparedBefore.set(key, known);
  return known;
}

/** Plays a hand whose poses are in the frame of the case. */
export function playPhysics(
  { scene, bodies }: Awaited<ReturnType<typeof preparePhysics>>,
  { turned }: PhysicsCase,
  cycles: number,
  move: (device: Pose, cycle: number, last: MethodOutput) => void,
): PhysicsPlay {
  const world = poseOf([0, 0, 0], turned);
  const local = createPose();
  const devices: Pose[] = [];
  const outputs: { wrench: Float64Array; pose: Pose; state: number; contacts: number }[] = [];
  const { method } = createSceneMethod(scene, bodies);
  const place = (out: Pose, cycle: number, last: MethodOutput) => {
    move(local, cycle, last);
    composePose(out, world, local);
  };
  const start = createPose();
  const hand: Hand = {
    start,
    cycles,
    move(out, cycle, last) {
      place(out, cycle, last);
      devices.push(local.slice());
    },
  };
  const blank = { wrench: new Float64Array(6), toolPose: createPose() } as unknown as MethodOutput;
  place(start, 0, blank);
  const back = relativePose(createPose(), world, createPose());
  playScene({ method, timeStep: scene.timeStep }, hand, {
    kept({ output }) {
      outputs.push({
        wrench: output.wrench.slice(),
        pose: relativePose(createPose(), world, output.toolPose),
        state: output.frictionState,
        contacts: output.contacts,
      });
      return 0;
    },
  });
  const rotateBack = (v: Float64Array, at: number) => rotate(back, [v[at]!, v[at + 1]!, v[at + 2]!]);
  return {
    cycles,
    force: (cycle) => rotateBack(outputs[cycle]!.wrench, 0),
    torque: (cycle) => rotateBack(outputs[cycle]!.wrench, 3),
    tool: (cycle) => outputs[cycle]!.pose,
    device: (cycle) => devices[cycle]!,
    state: (cycle) => outputs[cycle]!.state,
    contacts: (cycle) => outputs[cycle]!.contacts,
  };
}

export type Vector = readonly [number, number, number];

export function poseOf(position: Vector, q: readonly [number, number, number, number] = [0, 0, 0, 1]): Pose {
  const pose = createPose(...position);
  pose.set(q, 3);
  return pose;
}

export function aboutAxis([x, y, z]: Vector, angle: number): [number, number, number, number] {
  const s = Math.sin(angle / 2) / Math.hypot(x, y, z);
  return [s * x, s * y, s * z, Math.cos(angle / 2)];
}

export function rotate(pose: Pose, [x, y, z]: Vector): [number, number, number] {
  const [px, py, pz] = transformPoint(new Float64Array(3), pose, x, y, z);
  return [px! - pose[0]!, py! - pose[1]!, pz! - pose[2]!];
}

/** A prism along y: a triangle with its point down, `half` the angle between axis and wall. */
export function createWedge(half: number, height: number, length: number): TriangleMesh {
  const wide = height * Math.tan(half);
  const corners = [-0.5 * length, 0.5 * length].flatMap((y) => [0, y, 0, wide, y, height, -wide, y, height]);
  const triangles = [0, 1, 2, 3, 5, 4, 0, 3, 4, 0, 4, 1, 1, 4, 5, 1, 5, 2, 2, 5, 3, 2, 3, 0];
  return createMesh(Float64Array.from(corners), Uint32Array.from(triangles));
}
