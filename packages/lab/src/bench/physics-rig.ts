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
  type Scene,
  type TriangleMesh,
} from '@palpable/engine';

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

/** What one test plays in: one tool, the rest stands still; all of it turned as a whole. */
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
    const place = multiply(poseOf([0, 0, 0], turned), pose);
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
    out.set(multiply(world, local));
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
  const back = inverse(world);
  playScene({ method, timeStep: scene.timeStep }, hand, {
    kept({ output }) {
      outputs.push({
        wrench: output.wrench.slice(),
        pose: multiply(back, output.toolPose),
        state: output.frictionState,
        contacts: output.contacts,
      });
      return 0;
    },
  });
  const turnBack = (v: Float64Array, at: number): [number, number, number] => {
    const out = rotate(back, [v[at]!, v[at + 1]!, v[at + 2]!]);
    return out;
  };
  return {
    cycles,
    force: (cycle) => turnBack(outputs[cycle]!.wrench, 0),
    torque: (cycle) => turnBack(outputs[cycle]!.wrench, 3),
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
  const [, , , a, b, c, w] = pose as unknown as number[];
  const tx = 2 * (b! * z - c! * y);
  const ty = 2 * (c! * x - a! * z);
  const tz = 2 * (a! * y - b! * x);
  return [x + w! * tx + b! * tz - c! * ty, y + w! * ty + c! * tx - a! * tz, z + w! * tz + a! * ty - b! * tx];
}

function multiply(a: Pose, b: Pose): Pose {
  const [px, py, pz] = rotate(a, [b[0]!, b[1]!, b[2]!]);
  const [ax, ay, az, aw] = [a[3]!, a[4]!, a[5]!, a[6]!];
  const [bx, by, bz, bw] = [b[3]!, b[4]!, b[5]!, b[6]!];
  return poseOf(
    [a[0]! + px, a[1]! + py, a[2]! + pz],
    [
      aw * bx + ax * bw + ay * bz - az * by,
      aw * by + ay * bw + az * bx - ax * bz,
      aw * bz + az * bw + ax * by - ay * bx,
      aw * bw - ax * bx - ay * by - az * bz,
    ],
  );
}

function inverse(pose: Pose): Pose {
  const turned = poseOf([0, 0, 0], [-pose[3]!, -pose[4]!, -pose[5]!, pose[6]!]);
  const [x, y, z] = rotate(turned, [-pose[0]!, -pose[1]!, -pose[2]!]);
  turned.set([x, y, z]);
  return turned;
}

/** A prism along y: a triangle with its point down, `half` the angle between axis and wall. */
export function createWedge(half: number, height: number, length: number): TriangleMesh {
  const wide = height * Math.tan(half);
  const corners = [-0.5 * length, 0.5 * length].flatMap((y) => [0, y, 0, wide, y, height, -wide, y, height]);
  const triangles = [0, 1, 2, 3, 5, 4, 0, 3, 4, 0, 4, 1, 1, 4, 5, 1, 5, 2, 2, 5, 3, 2, 3, 0];
  return createMesh(Float64Array.from(corners), Uint32Array.from(triangles));
}
