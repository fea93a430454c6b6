import type { Pose, TriangleMesh } from '@palpable/engine';
import { createMesh, transformPoint } from '@palpable/engine';
import { createRig } from '../../play/play.js';
import { COUPLING, TIME_STEP } from '../physics-rig.js';
import { jolt } from './jolt.js';
import type { Measured, Runner } from './measure.js';
import { mujoco } from './mujoco.js';
import type { Peer, PeerForms, PeerLibrary, PeerPart, PeerTask, Piece } from './peer.js';
import { createPeerMethod, PEER_MASS, peerInertia } from './peer-method.js';
import { physx } from './physx.js';
import { convexPieces, rapier } from './rapier.js';
import type { MethodSettings, PeerScene, SceneParts } from './scenes.js';

/** Ours, by the names of the rows. */
export const OURS: readonly { readonly name: string; readonly method: MethodSettings }[] = [
  { name: 'static friction', method: { kind: 'static-friction' } },
  { name: 'manifold', method: { kind: 'god-object', constraint: 'manifold' } },
  { name: 'heuristic', method: { kind: 'god-object', constraint: 'heuristic' } },
  { name: 'modular', method: { kind: 'modular' } },
];

export const LIBRARIES: readonly PeerLibrary[] = [rapier, jolt, mujoco, physx];

/** A row that is still to be measured. */
export interface Candidate {
  readonly system: string;
  readonly run: (measureRunner: (runner: Runner) => Measured) => Promise<Measured>;
}

export function ourCandidates(scene: PeerScene, names: (name: string) => boolean): Candidate[] {
  return OURS.filter(({ name }) => names(name)).map(({ name, method }) => ({
    system: name,
    async run(measureRunner) {
      const rig = createRig(await scene.load(method));
      return measureRunner({ timed: rig, seen: rig });
    },
  }));
}

export function peerCandidates(name: string, peer: Peer, task: PeerTask, centre: Centre): Candidate[] {
  const isExact = task.tool.isExact;
  return peer.forms(isExact).map((forms) => ({
    system: `${name}, ${formName(forms, task)}`,
    async run(measureRunner) {
      const stage = (counting: boolean) => {
        const method = createPeerMethod(peer, task, { forms, counting, centre, coupling: COUPLING });
        return { method, timeStep: TIME_STEP };
      };
      const runner = { timed: stage(false), seen: stage(true) };
      try {
        return measureRunner(runner);
      } finally {
        runner.timed.method.dispose();
        runner.seen.method.dispose();
      }
    },
  }));
}

function formName({ tool, body }: PeerForms, task: PeerTask): string {
  const word = (part: PeerPart, form: PeerForms['tool']) => {
    if (form === 'mesh') return 'mesh';
    if (!part.isExact) return 'hulls';
    return part.pieces.length === 1 ? part.pieces[0]!.kind : 'pieces';
  };
  return `${word(task.tool, tool)} on ${word(task.body, body)}`;
}

export type Centre = readonly [number, number, number];

/** What the others are given of a scene: the tool about its centre of mass, the body where it stands. */
export async function createTask(
  { friction, pieces }: PeerScene,
  { tool, body, bodyPose }: SceneParts,
): Promise<{ readonly task: PeerTask; readonly centre: Centre }> {
  const centre = tool.unitMass?.centre ?? [0, 0, 0];
  const away = new Float64Array([-centre[0], -centre[1], -centre[2], 0, 0, 0, 1]);
  const part = async (mesh: TriangleMesh, exact: readonly Piece[] | null, pose: Pose): Promise<PeerPart> => ({
    mesh: movedMesh(mesh, pose),
    pieces: (exact ?? (await convexPieces(mesh))).map((piece) => movedPiece(piece, pose)),
    isExact: exact !== null,
  });
  const task = {
    tool: await part(tool.mesh, pieces.tool, away),
    body: await part(body.mesh, pieces.body, bodyPose),
    friction,
    mass: PEER_MASS,
    inertia: peerInertia(COUPLING),
    timeStep: TIME_STEP,
  };
  return { task, centre };
}

function movedMesh({ positions, triangles }: TriangleMesh, pose: Pose): TriangleMesh {
  return createMesh(movedPoints(positions, pose), triangles.slice());
}

function movedPoints(points: Float64Array, pose: Pose): Float64Array {
  const out = points.slice();
  const at = new Float64Array(3);
  for (let n = 0; n < out.length; n += 3) {
    transformPoint(at, pose, points[n]!, points[n + 1]!, points[n + 2]!);
    out.set(at, n);
  }
  return out;
}

/** Boxes and capsules stand straight in the scenes that name them. */
function movedPiece(piece: Piece, pose: Pose): Piece {
  if (piece.kind === 'hull') return { kind: 'hull', points: movedPoints(piece.points, pose) };
  if (piece.kind === 'capsule') return piece;
  const [x, y, z] = transformPoint(new Float64Array(3), pose, ...piece.centre);
  return { ...piece, centre: [x!, y!, z!] };
}
