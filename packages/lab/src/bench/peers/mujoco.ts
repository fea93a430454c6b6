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
 * Implicit integration, Newton's method, elliptic cones; frictional impedance and no-slip iterations of 10 against creep, and
 * contacts as hard as two steps allow. A mesh stands for its convex hull here, so both parts are given in pieces.
 */

interface Data {
  readonly qpos: Float64Array;
  readonly qvel: Float64Array;
  readonly xfrc_applied: Float64Array;
  readonly ncon: number;
  delete(): void;
}
interface Model {
  delete(): void;
}
interface Mujoco {
  readonly MjModel: { from_xml_string(xml: string): Model };
  readonly MjData: new (model: Model) => Data;
  mj_step(model: Model, data: Data): void;
  mj_forward(model: Model, data: Data): void;
}

export const mujoco: PeerLibrary = {
  name: 'MuJoCo',
  package: '@mujoco/mujoco',
  version: '3.14.0',
  async load() {
    const module = await importPeer<{ readonly default: () => Promise<Mujoco> }>(mujoco.package);
    return createPeer(await module.default());
  },
};

function createPeer(library: Mujoco): Peer {
  return {
    forms: () => [{ tool: 'pieces', body: 'pieces' }],
    createWorld: (task, options) => createWorld(library, task, options),
  };
}

function createWorld(library: Mujoco, task: PeerTask, { start }: PeerWorldOptions): PeerWorld {
  const model = library.MjModel.from_xml_string(modelOf(task));
  const data = new library.MjData(model);
  const [px, py, pz, qx, qy, qz, qw] = start as unknown as number[];
  data.qpos.set([px!, py!, pz!, qw!, qx!, qy!, qz!]);
  library.mj_forward(model, data);
  const turned = new Float64Array(3);
  return {
    step(wrench) {
      // Of the world first, six numbers each.
      data.xfrc_applied.set(wrench, 6);
      return timeStepCall(() => library.mj_step(model, data));
    },
    read(state) {
      const { qpos, qvel } = data;
      state.set([qpos[0]!, qpos[1]!, qpos[2]!, qpos[4]!, qpos[5]!, qpos[6]!, qpos[3]!]);
      state.set(qvel.subarray(0, 3), STATE_VELOCITY);
      // It turns in the frame of the tool.
      state.set(rotate(turned, state, qvel), STATE_TURNING);
    },
    contacts: () => data.ncon,
    dispose() {
      data.delete();
      model.delete();
    },
  };
}

/** The angular velocity in the world: v + 2 w (u × v) + 2 u × (u × v), of the quaternion u, w. */
function rotate(out: Float64Array, state: Float64Array, qvel: Float64Array): Float64Array {
  const [x, y, z, w] = [state[3]!, state[4]!, state[5]!, state[6]!];
  const [a, b, c] = [qvel[3]!, qvel[4]!, qvel[5]!];
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  out[0] = a + w * tx + y * tz - z * ty;
  out[1] = b + w * ty + z * tx - x * tz;
  out[2] = c + w * tz + x * ty - y * tx;
  return out;
}

function modelOf({ tool, body, friction, mass, inertia, timeStep }: PeerTask): string {
  const [moving, still] = [geometryOf(tool, 'tool'), geometryOf(body, 'body')];
  return `<mujoco>
  <compiler boundmass="0" boundinertia="0"/>
  <option timestep="${timeStep}" gravity="0 0 0" integrator="implicitfast" solver="Newton" cone="elliptic" impratio="10" noslip_iterations="10"/>
  <default><geom condim="3" friction="${friction} 0 0" solref="0.002 1"/></default>
  <asset>${moving.assets}${still.assets}</asset>
  <worldbody>
    <body><freejoint/>
      <inertial pos="0 0 0" mass="${mass}" diaginertia="${inertia} ${inertia} ${inertia}"/>${moving.geometry}
    </body>${still.geometry}
  </worldbody>
</mujoco>`;
}

function geometryOf({ pieces }: PeerPart, name: string) {
  const assets = pieces.map((piece, n) =>
    piece.kind === 'hull' ? `<mesh name="${name}${n}" inertia="shell" vertex="${piece.points.join(' ')}"/>` : '',
  );
  return { assets: assets.join(''), geometry: pieces.map((piece, n) => geomOf(piece, `${name}${n}`)).join('') };
}

function geomOf(piece: Piece, mesh: string): string {
  if (piece.kind === 'box') return `<geom type="box" pos="${piece.centre.join(' ')}" size="${piece.half.join(' ')}"/>`;
  if (piece.kind === 'capsule') return `<geom type="capsule" size="${piece.radius} ${piece.half}"/>`;
  return `<geom type="mesh" mesh="${mesh}"/>`;
}
