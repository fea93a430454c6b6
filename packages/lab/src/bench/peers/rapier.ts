import type { TriangleMesh } from '@palpable/engine';
import {
  floatPositions,
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
 * One iteration with twenty sweeps instead of its default of four with one: four creep under friction. A length unit of
 * 0.1 scales its tolerances to parts of this size; four substeps of continuous detection keep thin sheets closed.
 */

interface Xyz {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
type Xyzw = Xyz & { readonly w: number };

interface ColliderDesc {
  readonly shape: { readonly shapes?: readonly { readonly vertices: Float32Array }[] };
  setTranslation(x: number, y: number, z: number): ColliderDesc;
  setRotation(rotation: Xyzw): ColliderDesc;
  setDensity(density: number): ColliderDesc;
  setFriction(friction: number): ColliderDesc;
  setRestitution(restitution: number): ColliderDesc;
}

interface RigidBodyDesc {
  setTranslation(x: number, y: number, z: number): RigidBodyDesc;
  setRotation(rotation: Xyzw): RigidBodyDesc;
  setCanSleep(can: boolean): RigidBodyDesc;
  setCcdEnabled(enabled: boolean): RigidBodyDesc;
  setAdditionalMassProperties(mass: number, centre: Xyz, inertia: Xyz, frame: Xyzw): RigidBodyDesc;
}

interface RigidBody {
  translation(): Xyz;
  rotation(): Xyzw;
  linvel(): Xyz;
  angvel(): Xyz;
  resetForces(wake: boolean): void;
  resetTorques(wake: boolean): void;
  addForce(force: Xyz, wake: boolean): void;
  addTorque(torque: Xyz, wake: boolean): void;
}

type Collider = object;

interface World {
  timestep: number;
  readonly integrationParameters: {
    lengthUnit: number;
    numSolverIterations: number;
    numInternalPgsIterations: number;
    maxCcdSubsteps: number;
  };
  createRigidBody(desc: RigidBodyDesc): RigidBody;
  createCollider(desc: ColliderDesc, body?: RigidBody): Collider;
  contactPairsWith(collider: Collider, see: (other: Collider) => void): void;
  contactPair(a: Collider, b: Collider, see: (manifold: { numContacts(): number }) => void): void;
  step(): void;
  free(): void;
}

interface Rapier {
  init(): Promise<void>;
  readonly World: new (gravity: Xyz) => World;
  readonly RigidBodyDesc: { dynamic(): RigidBodyDesc };
  readonly ColliderDesc: {
    cuboid(x: number, y: number, z: number): ColliderDesc;
    capsule(half: number, radius: number): ColliderDesc;
    convexHull(points: Float32Array): ColliderDesc | null;
    trimesh(vertices: Float32Array, indices: Uint32Array, flags: number): ColliderDesc;
    convexDecomposition(vertices: Float32Array, indices: Uint32Array, parameters: object): ColliderDesc | null;
  };
  readonly TriMeshFlags: { readonly FIX_INTERNAL_EDGES: number };
}

export const rapier: PeerLibrary = {
  name: 'Rapier',
  package: '@dimforge/rapier3d-simd-compat',
  version: '0.20.0',
  load: async () => createPeer(await loadRapier()),
};

async function loadRapier(): Promise<Rapier> {
  const module = await importPeer<{ readonly default: Rapier }>(rapier.package);
  await module.default.init();
  return module.default;
}

/** V-HACD as Rapier brings it: the convex pieces of a mesh. */
export async function convexPieces(mesh: TriangleMesh): Promise<Piece[]> {
  const { ColliderDesc } = await loadRapier();
  const parameters = { resolution: 128, maxConvexHulls: 64, concavity: 0.001 };
  const desc = ColliderDesc.convexDecomposition(floatPositions(mesh), Uint32Array.from(mesh.triangles), parameters);
  const shapes = desc?.shape.shapes;
  if (!shapes) throw new Error('V-HACD found no convex pieces.');
  return shapes.map(({ vertices }) => ({ kind: 'hull', points: Float64Array.from(vertices) }));
}

function createPeer(library: Rapier): Peer {
  return {
    forms: (isExact) => [
      { tool: 'pieces', body: 'mesh' },
      { tool: 'pieces', body: 'pieces' },
      ...(isExact ? [] : [{ tool: 'mesh', body: 'mesh' } as const]),
    ],
    createWorld: (task, options) => createWorld(library, task, options),
  };
}

const NO_TURN = { x: 0, y: 0, z: 0, w: 1 };
const ORIGIN = { x: 0, y: 0, z: 0 };

function createWorld(library: Rapier, task: PeerTask, { forms, start }: PeerWorldOptions): PeerWorld {
  const { mass, inertia, timeStep, friction } = task;
  const world = new library.World(ORIGIN);
  world.timestep = timeStep;
  Object.assign(world.integrationParameters, {
    lengthUnit: 0.1,
    numSolverIterations: 1,
    numInternalPgsIterations: 20,
    maxCcdSubsteps: 4,
  });
  const [px, py, pz, qx, qy, qz, qw] = start as unknown as number[];
  const tool = world.createRigidBody(
    library.RigidBodyDesc.dynamic()
      .setTranslation(px!, py!, pz!)
      .setRotation({ x: qx!, y: qy!, z: qz!, w: qw! })
      .setCanSleep(false)
      .setCcdEnabled(true)
      .setAdditionalMassProperties(mass, ORIGIN, { x: inertia, y: inertia, z: inertia }, NO_TURN),
  );
  const add = (part: PeerPart, form: keyof typeof formOf, body?: RigidBody) =>
    formOf[form](library, part).map((desc) =>
      world.createCollider(desc.setDensity(0).setFriction(friction).setRestitution(0), body),
    );
  const toolColliders = add(task.tool, forms.tool, tool);
  add(task.body, forms.body);
  return {
    step(wrench) {
      tool.resetForces(true);
      tool.resetTorques(true);
      tool.addForce({ x: wrench[0]!, y: wrench[1]!, z: wrench[2]! }, true);
      tool.addTorque({ x: wrench[3]!, y: wrench[4]!, z: wrench[5]! }, true);
      return timeStepCall(() => world.step());
    },
    read(state) {
      const [p, q, v, w] = [tool.translation(), tool.rotation(), tool.linvel(), tool.angvel()];
      state.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w]);
      state.set([v.x, v.y, v.z], STATE_VELOCITY);
      state.set([w.x, w.y, w.z], STATE_TURNING);
    },
    contacts() {
      let count = 0;
      const see = (manifold: { numContacts(): number }) => {
        count += manifold.numContacts();
      };
      for (const own of toolColliders) {
        world.contactPairsWith(own, (other) => world.contactPair(own, other, see));
      }
      return count;
    },
    dispose: () => world.free(),
  };
}

const formOf = {
  mesh: ({ ColliderDesc, TriMeshFlags }: Rapier, { mesh }: PeerPart) => [
    ColliderDesc.trimesh(floatPositions(mesh), Uint32Array.from(mesh.triangles), TriMeshFlags.FIX_INTERNAL_EDGES),
  ],
  pieces: ({ ColliderDesc }: Rapier, { pieces }: PeerPart) =>
    pieces.map((piece) => {
      if (piece.kind === 'box') return ColliderDesc.cuboid(...piece.half).setTranslation(...piece.centre);
      if (piece.kind === 'capsule') {
        // Along y as it comes.
        return ColliderDesc.capsule(piece.half, piece.radius).setRotation({
          x: Math.SQRT1_2,
          y: 0,
          z: 0,
          w: Math.SQRT1_2,
        });
      }
      return ColliderDesc.convexHull(Float32Array.from(piece.points))!;
    }),
};
