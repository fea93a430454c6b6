import {
  cornersOf,
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
 * 20 velocity and 4 position iterations, 10 µm of allowed penetration instead of 20 mm, swept motion, removal of inner edges,
 * and hulls rounded by 0.5 mm instead of 50 mm. A mesh that moves does not collide with another mesh: the tool is given in
 * pieces.
 */

const VELOCITY_STEPS = 20;
const POSITION_STEPS = 4;
const SLOP = 1e-5;
const CONVEX_RADIUS = 5e-4;
const STILL = 0;
const MOVING = 1;

interface Vec {
  GetX(): number;
  GetY(): number;
  GetZ(): number;
  Set(x: number, y: number, z: number): void;
}
interface Quat extends Vec {
  GetW(): number;
}
interface ShapeSettings {
  Create(): { IsValid(): boolean; Get(): Shape; GetError(): { c_str(): string } };
}
interface Shape {
  AddRef(): void;
  GetCenterOfMass(): Vec;
}
interface HullSettings extends ShapeSettings {
  readonly mPoints: { push_back(point: Vec): void };
  mMaxConvexRadius: number;
}
interface CompoundSettings extends ShapeSettings {
  AddShapeShape(position: Vec, rotation: Quat, shape: Shape, userData: number): void;
}
interface BodySettings {
  mMotionQuality: number;
  mEnhancedInternalEdgeRemoval: boolean;
  mAllowSleeping: boolean;
  mFriction: number;
  mRestitution: number;
  mLinearDamping: number;
  mAngularDamping: number;
  mMaxAngularVelocity: number;
  mApplyGyroscopicForce: boolean;
  mOverrideMassProperties: number;
  readonly mMassPropertiesOverride: { mMass: number; mInertia: object };
}
interface Body {
  GetID(): object;
  GetPosition(): Vec;
  GetCenterOfMassPosition(): Vec;
  GetRotation(): Quat;
  GetLinearVelocity(): Vec;
  GetAngularVelocity(): Vec;
  AddForce(force: Vec): void;
  AddTorque(torque: Vec): void;
}
interface Listener {
  OnContactValidate: () => number;
  OnContactAdded: (a: number, b: number, manifold: number) => void;
  OnContactPersisted: (a: number, b: number, manifold: number) => void;
  OnContactRemoved: () => void;
}
interface PhysicsSystem {
  GetBodyInterface(): {
    CreateBody(settings: BodySettings): Body;
    AddBody(id: object, activation: number): void;
  };
  GetPhysicsSettings(): { mNumVelocitySteps: number; mNumPositionSteps: number; mPenetrationSlop: number };
  SetPhysicsSettings(settings: object): void;
  SetGravity(gravity: Vec): void;
  SetContactListener(listener: Listener): void;
}
interface TriangleList {
  push_back(triangle: object): void;
}
interface Jolt {
  readonly JoltSettings: new () => {
    mObjectLayerPairFilter: object;
    mBroadPhaseLayerInterface: object;
    mObjectVsBroadPhaseLayerFilter: object;
  };
  readonly JoltInterface: new (
    settings: object,
  ) => {
    GetPhysicsSystem(): PhysicsSystem;
    Step(timeStep: number, steps: number): void;
  };
  readonly ObjectLayerPairFilterTable: new (layers: number) => { EnableCollision(a: number, b: number): void };
  readonly BroadPhaseLayer: new (layer: number) => object;
  readonly BroadPhaseLayerInterfaceTable: new (
    layers: number,
    broad: number,
  ) => { MapObjectToBroadPhaseLayer(layer: number, broad: object): void };
  readonly ObjectVsBroadPhaseLayerFilterTable: new (
    broad: object,
    broadCount: number,
    pairs: object,
    layers: number,
  ) => object;
  readonly Vec3: new (x: number, y: number, z: number) => Vec;
  readonly RVec3: new (x: number, y: number, z: number) => Vec;
  readonly Quat: new (x: number, y: number, z: number, w: number) => Quat;
  readonly Mat44: { prototype: { sScale(scale: number): object } };
  readonly Triangle: new (a: Vec, b: Vec, c: Vec) => object;
  readonly TriangleList: new () => TriangleList;
  readonly ConvexHullShapeSettings: new () => HullSettings;
  readonly MeshShapeSettings: new (triangles: TriangleList) => ShapeSettings;
  readonly StaticCompoundShapeSettings: new () => CompoundSettings;
  readonly OffsetCenterOfMassShape: new (shape: Shape, offset: Vec) => Shape;
  readonly BoxShapeSettings: new (half: Vec, convexRadius: number) => ShapeSettings;
  readonly CapsuleShapeSettings: new (half: number, radius: number) => ShapeSettings;
  readonly RotatedTranslatedShapeSettings: new (position: Vec, rotation: Quat, shape: ShapeSettings) => ShapeSettings;
  readonly BodyCreationSettings: new (
    shape: Shape,
    position: Vec,
    rotation: Quat,
    motion: number,
    layer: number,
  ) => BodySettings;
  readonly ContactListenerJS: new () => Listener;
  readonly ContactManifold: object;
  readonly EMotionType_Static: number;
  readonly EMotionType_Dynamic: number;
  readonly EMotionQuality_LinearCast: number;
  readonly EActivation_Activate: number;
  readonly EActivation_DontActivate: number;
  readonly EOverrideMassProperties_MassAndInertiaProvided: number;
  readonly ValidateResult_AcceptAllContactsForThisBodyPair: number;
  wrapPointer(pointer: number, type: object): { readonly mRelativeContactPointsOn1: { size(): number } };
  destroy(object: object): void;
}

export const jolt: PeerLibrary = {
  name: 'Jolt',
  package: 'jolt-physics',
  version: '1.1.0',
  async load() {
    const module = await importPeer<{ readonly default: () => Promise<Jolt> }>(jolt.package);
    return createPeer(await module.default());
  },
};

function createPeer(library: Jolt): Peer {
  return {
    forms: () => [
      { tool: 'pieces', body: 'mesh' },
      { tool: 'pieces', body: 'pieces' },
    ],
    createWorld: (task, options) => createWorld(library, task, options),
  };
}

function createWorld(J: Jolt, task: PeerTask, { forms, start, counting }: PeerWorldOptions): PeerWorld {
  const { mass, inertia, timeStep, friction } = task;
  const world = new J.JoltInterface(layersOf(J));
  const system = world.GetPhysicsSystem();
  const settings = system.GetPhysicsSettings();
  settings.mNumVelocitySteps = VELOCITY_STEPS;
  settings.mNumPositionSteps = POSITION_STEPS;
  settings.mPenetrationSlop = SLOP;
  system.SetPhysicsSettings(settings);
  system.SetGravity(new J.Vec3(0, 0, 0));
  const bodies = system.GetBodyInterface();
  const [px, py, pz, qx, qy, qz, qw] = start as unknown as [number, number, number, number, number, number, number];
  const toolShape = shapeOf(J, task.tool, forms.tool);
  const centre = toolShape.GetCenterOfMass();
  const balanced = new J.OffsetCenterOfMassShape(toolShape, new J.Vec3(-centre.GetX(), -centre.GetY(), -centre.GetZ()));
  const moving = new J.BodyCreationSettings(
    balanced,
    new J.RVec3(px, py, pz),
    new J.Quat(qx, qy, qz, qw),
    J.EMotionType_Dynamic,
    MOVING,
  );
  Object.assign(moving, {
    mMotionQuality: J.EMotionQuality_LinearCast,
    mEnhancedInternalEdgeRemoval: true,
    mAllowSleeping: false,
    mFriction: friction,
    mRestitution: 0,
    mLinearDamping: 0,
    mAngularDamping: 0,
    mMaxAngularVelocity: 1000,
    mApplyGyroscopicForce: false,
    mOverrideMassProperties: J.EOverrideMassProperties_MassAndInertiaProvided,
  });
  moving.mMassPropertiesOverride.mMass = mass;
  moving.mMassPropertiesOverride.mInertia = J.Mat44.prototype.sScale(inertia);
  const still = new J.BodyCreationSettings(
    shapeOf(J, task.body, forms.body),
    new J.RVec3(0, 0, 0),
    new J.Quat(0, 0, 0, 1),
    J.EMotionType_Static,
    STILL,
  );
  Object.assign(still, { mFriction: friction, mRestitution: 0, mEnhancedInternalEdgeRemoval: true });
  bodies.AddBody(bodies.CreateBody(still).GetID(), J.EActivation_DontActivate);
  const tool = bodies.CreateBody(moving);
  bodies.AddBody(tool.GetID(), J.EActivation_Activate);
  let count = 0;
  if (counting) {
    system.SetContactListener(
      listen(J, (points) => {
        count += points;
      }),
    );
  }
  const [force, torque] = [new J.Vec3(0, 0, 0), new J.Vec3(0, 0, 0)];
  return {
    step(wrench) {
      count = 0;
      force.Set(wrench[0]!, wrench[1]!, wrench[2]!);
      torque.Set(wrench[3]!, wrench[4]!, wrench[5]!);
      tool.AddForce(force);
      tool.AddTorque(torque);
      return timeStepCall(() => world.Step(timeStep, 1));
    },
    read(state) {
      // Each call answers in the same place.
      const p = tool.GetCenterOfMassPosition();
      state.set([p.GetX(), p.GetY(), p.GetZ()]);
      const q = tool.GetRotation();
      state.set([q.GetX(), q.GetY(), q.GetZ(), q.GetW()], 3);
      const v = tool.GetLinearVelocity();
      state.set([v.GetX(), v.GetY(), v.GetZ()], STATE_VELOCITY);
      const w = tool.GetAngularVelocity();
      state.set([w.GetX(), w.GetY(), w.GetZ()], STATE_TURNING);
    },
    contacts: () => count,
    dispose: () => J.destroy(world),
  };
}

function layersOf(J: Jolt): object {
  const settings = new J.JoltSettings();
  const pairs = new J.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(STILL, MOVING);
  const broad = new J.BroadPhaseLayerInterfaceTable(2, 2);
  for (const layer of [STILL, MOVING]) broad.MapObjectToBroadPhaseLayer(layer, new J.BroadPhaseLayer(layer));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(broad, 2, pairs, 2);
  return settings;
}

function listen(J: Jolt, see: (points: number) => void): Listener {
  const listener = new J.ContactListenerJS();
  const count = (_a: number, _b: number, manifold: number) =>
    see(J.wrapPointer(manifold, J.ContactManifold).mRelativeContactPointsOn1.size());
  listener.OnContactValidate = () => J.ValidateResult_AcceptAllContactsForThisBodyPair;
  listener.OnContactAdded = count;
  listener.OnContactPersisted = count;
  listener.OnContactRemoved = () => {};
  return listener;
}

function shapeOf(J: Jolt, part: PeerPart, form: 'mesh' | 'pieces'): Shape {
  if (form === 'mesh') return made(meshSettings(J, part));
  const [first, ...more] = part.pieces;
  if (more.length === 0) return pieceShape(J, first!);
  const compound = new J.StaticCompoundShapeSettings();
  for (const piece of part.pieces) {
    compound.AddShapeShape(new J.Vec3(0, 0, 0), new J.Quat(0, 0, 0, 1), pieceShape(J, piece), 0);
  }
  return made(compound);
}

function meshSettings(J: Jolt, { mesh: { positions, triangles } }: PeerPart): ShapeSettings {
  const list = new J.TriangleList();
  const corner = (n: number) => new J.Vec3(positions[3 * n]!, positions[3 * n + 1]!, positions[3 * n + 2]!);
  for (let t = 0; t < triangles.length; t += 3) {
    list.push_back(new J.Triangle(corner(triangles[t]!), corner(triangles[t + 1]!), corner(triangles[t + 2]!)));
  }
  return new J.MeshShapeSettings(list);
}

function pieceShape(J: Jolt, piece: Piece): Shape {
  if (piece.kind === 'hull') {
    const settings = new J.ConvexHullShapeSettings();
    for (const point of cornersOf(piece)) settings.mPoints.push_back(new J.Vec3(...point));
    settings.mMaxConvexRadius = CONVEX_RADIUS;
    return made(settings);
  }
  const isBox = piece.kind === 'box';
  const shape = isBox
    ? new J.BoxShapeSettings(new J.Vec3(...piece.half), Math.min(CONVEX_RADIUS, 0.5 * Math.min(...piece.half)))
    : new J.CapsuleShapeSettings(piece.half, piece.radius);
  const place = new J.Vec3(...(isBox ? piece.centre : ([0, 0, 0] as const)));
  // A capsule is along y as it comes.
  const turn = isBox ? new J.Quat(0, 0, 0, 1) : new J.Quat(Math.SQRT1_2, 0, 0, Math.SQRT1_2);
  return made(new J.RotatedTranslatedShapeSettings(place, turn, shape));
}

function made(settings: ShapeSettings): Shape {
  const result = settings.Create();
  if (!result.IsValid()) throw new Error(`Jolt: ${result.GetError().c_str()}`);
  const shape = result.Get();
  shape.AddRef();
  return shape;
}
