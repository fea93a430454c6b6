import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  importPeer,
  type Peer,
  type PeerLibrary,
  type PeerPart,
  type PeerTask,
  type PeerWorld,
  type PeerWorldOptions,
  type Piece,
  STATE_TURNING,
  STATE_VELOCITY,
  timeStepCall,
} from './peer.js';

/*
 * The temporal Gauss–Seidel solver with 32 position and 4 velocity iterations, continuous detection, and a contact offset of
 * 3 mm (with 1 mm, hulls slip through each other). Concave meshes do not move in it: the tool is given in pieces. The build
 * is meant for pages and refuses Node, which it knows by `process`; it is loaded without.
 */

const POSITION_STEPS = 32;
const VELOCITY_STEPS = 4;
const CONTACT_OFFSET = 3e-3;
/** m and m/s: what is usual here. */
const LENGTH = 0.1;
const SPEED = 1;

interface Vec {
  x: number;
  y: number;
  z: number;
}
interface Transform {
  p: Vec;
  q: Vec & { w: number };
}
type Handle = object;
interface Shape {
  setContactOffset(offset: number): void;
  setRestOffset(offset: number): void;
  setLocalPose(pose: Transform): void;
  setSimulationFilterData(data: Handle): void;
}
interface Actor {
  attachShape(shape: Shape): boolean;
  setMass(mass: number): void;
  setMassSpaceInertiaTensor(inertia: Vec): void;
  setCMassLocalPose(pose: Transform): void;
  setLinearDamping(damping: number): void;
  setAngularDamping(damping: number): void;
  setMaxAngularVelocity(speed: number): void;
  setMaxDepenetrationVelocity(speed: number): void;
  setSolverIterationCounts(positions: number, velocities: number): void;
  setSleepThreshold(threshold: number): void;
  setRigidBodyFlag(flag: number, value: boolean): void;
  getGlobalPose(): Transform;
  getLinearVelocity(): Vec;
  getAngularVelocity(): Vec;
  addForce(force: Vec): void;
  addTorque(torque: Vec): void;
  release(): void;
}
interface Scene {
  addActor(actor: Actor): void;
  simulate(timeStep: number): void;
  fetchResults(block: boolean): void;
  release(): void;
}
interface Physics {
  createScene(desc: Handle): Scene;
  createMaterial(rest: number, kinetic: number, restitution: number): Handle;
  createShape(geometry: Handle, material: Handle, isExclusive: boolean, flags: Handle): Shape;
  createRigidDynamic(pose: Transform): Actor;
  createRigidStatic(pose: Transform): Actor;
}
interface FilterShader {
  filterShader: () => number;
  outputPairFlags: number;
}
interface EventCallback {
  onConstraintBreak: () => void;
  onWake: () => void;
  onSleep: () => void;
  onContact: (header: number, pairs: number, count: number) => void;
  onTrigger: () => void;
}
interface Points {
  points: { count: number; stride: number; data: Handle };
}
interface PhysX {
  readonly PHYSICS_VERSION: number;
  CreateFoundation(version: number, allocator: Handle, errors: Handle): Handle;
  CreatePhysics(version: number, foundation: Handle, scale: Handle): Physics;
  DefaultCpuDispatcherCreate(threads: number): Handle;
  CreateConvexMesh(parameters: Handle, desc: Points): Handle;
  CreateTriangleMesh(parameters: Handle, desc: Handle): Handle;
  setupPassThroughFilterShader(desc: Handle, shader: Handle): void;
  readonly PxDefaultAllocator: new () => Handle;
  readonly PxDefaultErrorCallback: new () => Handle;
  readonly PxTolerancesScale: new () => { length: number; speed: number };
  readonly PxSceneDesc: new (
    scale: Handle,
  ) => {
    gravity: Vec;
    cpuDispatcher: Handle;
    solverType: number;
    bounceThresholdVelocity: number;
    readonly flags: { raise(flag: number): void };
    simulationEventCallback: Handle;
  };
  readonly PxVec3: new (x: number, y: number, z: number) => Vec;
  readonly PxQuat: new (x: number, y: number, z: number, w: number) => Vec & { w: number };
  readonly PxTransform: new (p: Vec, q: Handle) => Transform;
  readonly PxCookingParams: new (scale: Handle) => Handle;
  readonly PxConvexMeshDesc: new () => Points & { flags: { raise(flag: number): void } };
  readonly PxTriangleMeshDesc: new () => Points & { triangles: Points['points'] };
  readonly PxConvexFlagEnum: { eCOMPUTE_CONVEX: number };
  readonly PxArray_PxVec3: new () => { pushBack(point: Vec): void; begin(): Handle };
  readonly PxArray_PxU32: new () => { pushBack(index: number): void; begin(): Handle };
  readonly PxBoxGeometry: new (x: number, y: number, z: number) => Handle;
  readonly PxCapsuleGeometry: new (radius: number, half: number) => Handle;
  readonly PxConvexMeshGeometry: new (mesh: Handle) => Handle;
  readonly PxTriangleMeshGeometry: new (mesh: Handle) => Handle;
  readonly PxShapeFlags: new (flags: number) => Handle;
  readonly PxShapeFlagEnum: { eSIMULATION_SHAPE: number };
  readonly PxFilterData: new (a: number, b: number, c: number, d: number) => Handle;
  readonly PxSolverTypeEnum: { eTGS: number };
  readonly PxSceneFlagEnum: { eENABLE_CCD: number };
  readonly PxRigidBodyFlagEnum: { eENABLE_CCD: number };
  readonly PxPairFlagEnum: Readonly<Record<string, number>>;
  readonly PassThroughFilterShaderImpl: new () => FilterShader;
  readonly PxSimulationEventCallbackImpl: new () => EventCallback;
  readonly PxContactPair: Handle;
  readonly NativeArrayHelpers: {
    readonly prototype: { getContactPairAt(base: Handle, index: number): { readonly contactCount: number } };
  };
  wrapPointer(pointer: number, type: Handle): Handle;
  destroy(object: Handle): void;
}

export const physx: PeerLibrary = {
  name: 'PhysX',
  package: 'physx-js-webidl',
  version: '2.7.3',
  load: async () => createPeer(await loadPhysX()),
};

async function loadPhysX(): Promise<PhysX> {
  const file = createRequire(import.meta.url).resolve(physx.package);
  const source = await readFile(file, 'utf8');
  const asInPage = source.replaceAll('globalThis.process', 'undefined').replaceAll('globalThis.window', 'globalThis');
  const code = Buffer.from(`const process = undefined;\n${asInPage}`).toString('base64');
  const module = await importPeer<{ readonly default: (options: object) => Promise<PhysX> }>(
    `data:text/javascript;base64,${code}`,
  );
  const wasmBinary = await readFile(join(dirname(file), 'physx-js-webidl.wasm'));
  return module.default({ wasmBinary, locateFile: (name: string) => name });
}

/** What one process has one of. */
interface Session {
  readonly library: PhysX;
  readonly physics: Physics;
  readonly scale: Handle;
}

function createPeer(library: PhysX): Peer {
  const scale = new library.PxTolerancesScale();
  scale.length = LENGTH;
  scale.speed = SPEED;
  const foundation = library.CreateFoundation(
    library.PHYSICS_VERSION,
    new library.PxDefaultAllocator(),
    new library.PxDefaultErrorCallback(),
  );
  const session = { library, scale, physics: library.CreatePhysics(library.PHYSICS_VERSION, foundation, scale) };
  return {
    forms: () => [
      { tool: 'pieces', body: 'mesh' },
      { tool: 'pieces', body: 'pieces' },
    ],
    createWorld: (task, options) => createWorld(session, task, options),
  };
}

function createWorld(session: Session, task: PeerTask, { forms, start, counting }: PeerWorldOptions): PeerWorld {
  const { library: P, physics } = session;
  const { mass, inertia, timeStep, friction } = task;
  let count = 0;
  const scene = createScene(session, counting, (points) => {
    count += points;
  });
  const [px, py, pz, qx, qy, qz, qw] = start as unknown as [number, number, number, number, number, number, number];
  const place = (x: number, y: number, z: number, q: Handle) => new P.PxTransform(new P.PxVec3(x, y, z), q);
  const noTurn = new P.PxQuat(0, 0, 0, 1);
  const tool = physics.createRigidDynamic(place(px, py, pz, new P.PxQuat(qx, qy, qz, qw)));
  const body = physics.createRigidStatic(place(0, 0, 0, noTurn));
  const material = physics.createMaterial(friction, friction, 0);
  for (const [actor, part, form] of [
    [tool, task.tool, forms.tool],
    [body, task.body, forms.body],
  ] as const) {
    for (const shape of shapesOf(session, part, form, material)) actor.attachShape(shape);
  }
  tool.setMass(mass);
  tool.setMassSpaceInertiaTensor(new P.PxVec3(inertia, inertia, inertia));
  tool.setCMassLocalPose(place(0, 0, 0, noTurn));
  tool.setLinearDamping(0);
  tool.setAngularDamping(0);
  tool.setMaxAngularVelocity(1000);
  tool.setMaxDepenetrationVelocity(10);
  tool.setSolverIterationCounts(POSITION_STEPS, VELOCITY_STEPS);
  tool.setSleepThreshold(0);
  tool.setRigidBodyFlag(P.PxRigidBodyFlagEnum.eENABLE_CCD, true);
  scene.addActor(tool);
  scene.addActor(body);
  const [force, torque] = [new P.PxVec3(0, 0, 0), new P.PxVec3(0, 0, 0)];
  return {
    step(wrench) {
      count = 0;
      [force.x, force.y, force.z] = [wrench[0]!, wrench[1]!, wrench[2]!];
      [torque.x, torque.y, torque.z] = [wrench[3]!, wrench[4]!, wrench[5]!];
      tool.addForce(force);
      tool.addTorque(torque);
      return timeStepCall(() => {
        scene.simulate(timeStep);
        scene.fetchResults(true);
      });
    },
    read(state) {
      // Each call answers in the same place.
      const { p, q } = tool.getGlobalPose();
      state.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w]);
      const v = tool.getLinearVelocity();
      state.set([v.x, v.y, v.z], STATE_VELOCITY);
      const w = tool.getAngularVelocity();
      state.set([w.x, w.y, w.z], STATE_TURNING);
    },
    contacts: () => count,
    dispose() {
      tool.release();
      body.release();
      scene.release();
    },
  };
}

function createScene({ library: P, physics, scale }: Session, counting: boolean, see: (points: number) => void): Scene {
  const desc = new P.PxSceneDesc(scale);
  desc.gravity = new P.PxVec3(0, 0, 0);
  desc.cpuDispatcher = P.DefaultCpuDispatcherCreate(0);
  desc.solverType = P.PxSolverTypeEnum.eTGS;
  desc.bounceThresholdVelocity = 10;
  desc.flags.raise(P.PxSceneFlagEnum.eENABLE_CCD);
  const flag = (name: string) => P.PxPairFlagEnum[name]!;
  const shader = new P.PassThroughFilterShaderImpl();
  const notices = ['eNOTIFY_TOUCH_FOUND', 'eNOTIFY_TOUCH_PERSISTS', 'eNOTIFY_CONTACT_POINTS'];
  const wanted = ['eCONTACT_DEFAULT', 'eDETECT_CCD_CONTACT', ...(counting ? notices : [])];
  const pairFlags = wanted.reduce((flags, name) => flags | flag(name), 0);
  // It is set to its default before each call.
  shader.filterShader = () => {
    shader.outputPairFlags = pairFlags;
    return 0;
  };
  P.setupPassThroughFilterShader(desc, shader);
  if (counting) desc.simulationEventCallback = listen(P, see);
  return physics.createScene(desc);
}

function listen(P: PhysX, see: (points: number) => void): EventCallback {
  const callback = new P.PxSimulationEventCallbackImpl();
  const nothing = () => {};
  Object.assign(callback, { onConstraintBreak: nothing, onWake: nothing, onSleep: nothing, onTrigger: nothing });
  callback.onContact = (_header, pairs, count) => {
    const first = P.wrapPointer(pairs, P.PxContactPair);
    for (let n = 0; n < count; n += 1) see(P.NativeArrayHelpers.prototype.getContactPairAt(first, n).contactCount);
  };
  return callback;
}

function shapesOf(session: Session, part: PeerPart, form: 'mesh' | 'pieces', material: Handle): Shape[] {
  const { library: P, physics } = session;
  const shape = (geometry: Handle) => {
    const flags = new P.PxShapeFlags(P.PxShapeFlagEnum.eSIMULATION_SHAPE);
    const made = physics.createShape(geometry, material, true, flags);
    made.setContactOffset(CONTACT_OFFSET);
    made.setRestOffset(0);
    made.setSimulationFilterData(new P.PxFilterData(1, 1, 0, 0));
    return made;
  };
  if (form === 'mesh') return [shape(new P.PxTriangleMeshGeometry(cookMesh(session, part)))];
  return part.pieces.map((piece) => {
    const made = shape(geometryOf(session, piece));
    if (piece.kind === 'box') {
      made.setLocalPose(new P.PxTransform(new P.PxVec3(...piece.centre), new P.PxQuat(0, 0, 0, 1)));
    } else if (piece.kind === 'capsule') {
      // Along x as it comes.
      const turn = new P.PxQuat(0, -Math.SQRT1_2, 0, Math.SQRT1_2);
      made.setLocalPose(new P.PxTransform(new P.PxVec3(0, 0, 0), turn));
    }
    return made;
  });
}

function geometryOf(session: Session, piece: Piece): Handle {
  const { library: P, scale } = session;
  if (piece.kind === 'box') return new P.PxBoxGeometry(...piece.half);
  if (piece.kind === 'capsule') return new P.PxCapsuleGeometry(piece.radius, piece.half);
  const desc = new P.PxConvexMeshDesc();
  setPoints(P, desc, piece.points);
  desc.flags.raise(P.PxConvexFlagEnum.eCOMPUTE_CONVEX);
  return new P.PxConvexMeshGeometry(P.CreateConvexMesh(new P.PxCookingParams(scale), desc));
}

function cookMesh({ library: P, scale }: Session, { mesh }: PeerPart): Handle {
  const desc = new P.PxTriangleMeshDesc();
  setPoints(P, desc, mesh.positions);
  const indices = new P.PxArray_PxU32();
  for (const index of mesh.triangles) indices.pushBack(index);
  desc.triangles.count = mesh.triangles.length / 3;
  desc.triangles.stride = 12;
  desc.triangles.data = indices.begin();
  return P.CreateTriangleMesh(new P.PxCookingParams(scale), desc);
}

function setPoints(P: PhysX, desc: Points, positions: ArrayLike<number>): void {
  const points = new P.PxArray_PxVec3();
  const point = new P.PxVec3(0, 0, 0);
  for (let n = 0; n < positions.length; n += 3) {
    [point.x, point.y, point.z] = [positions[n]!, positions[n + 1]!, positions[n + 2]!];
    points.pushBack(point);
  }
  desc.points.count = positions.length / 3;
  desc.points.stride = 12;
  desc.points.data = points.begin();
}
