import { type Method, type MethodOutput, type Pose, transformPoint } from '@palpable/engine';
import { STAGE_TOTAL } from '@palpable/engine/advanced';
import { Quaternion, Vector3 } from 'three';
import {
  type Peer,
  type PeerForms,
  type PeerTask,
  type PeerWorld,
  STATE_SIZE,
  STATE_TURNING,
  STATE_VELOCITY,
} from './peer.js';

/*
 * A library of others as a method: a spring and a damper, explicit and critically damped, pull its tool to the device, and it
 * does one step. The hand is given the spring's force after the step. Only that step is timed.
 *
 * k, k_t  stiffness, N/m and N m/rad        c = 2 √(k m), c_t = 2 √(k_t I)
 * The inertia is I = m k_t / k about all axes, so that rotation answers as fast as translation.
 */

export interface PeerCoupling {
  readonly stiffness: number;
  readonly torsionalStiffness: number;
}

/** Of the tool, kg. */
export const PEER_MASS = 0.1;

export function peerInertia({ stiffness, torsionalStiffness }: PeerCoupling): number {
  return (PEER_MASS * torsionalStiffness) / stiffness;
}

export interface PeerMethod extends Method {
  dispose(): void;
}

interface PeerMethodOptions {
  readonly forms: PeerForms;
  /** Whether contacts are counted, where that costs time within the step. */
  readonly counting: boolean;
  /** The tool's centre of mass in its own frame, m. */
  readonly centre: readonly [number, number, number];
  readonly coupling: PeerCoupling;
}

export function createPeerMethod(
  peer: Peer,
  task: PeerTask,
  { forms, counting, centre, coupling }: PeerMethodOptions,
): PeerMethod {
  const { mass, inertia, timeStep } = task;
  const { stiffness, torsionalStiffness } = coupling;
  const damping = 2 * Math.sqrt(stiffness * mass);
  const torsionalDamping = 2 * Math.sqrt(torsionalStiffness * inertia);
  const state = new Float64Array(STATE_SIZE);
  const [device, lastDevice] = [createPlace(), createPlace()];
  const tool = createPlace();
  const wrench = new Float64Array(6);
  const offset = new Vector3();
  const twist = new Vector3();
  const speed = new Vector3();
  let world: PeerWorld | null = null;

  const readTool = () => {
    world!.read(state);
    tool.position.fromArray(state);
    tool.rotation.fromArray(state, 3).normalize();
  };
  return {
    reset(pose) {
      world?.dispose();
      place(device, pose, centre);
      const start = new Float64Array([...device.position.toArray(), ...device.rotation.toArray()]);
      world = peer.createWorld(task, { forms, start, counting });
      readTool();
    },
    step(output, devicePose) {
      lastDevice.position.copy(device.position);
      lastDevice.rotation.copy(device.rotation);
      place(device, devicePose, centre);
      speed.subVectors(device.position, lastDevice.position).divideScalar(timeStep);
      offset.subVectors(device.position, tool.position);
      rotationVector(twist, tool.rotation, device.rotation);
      for (let i = 0; i < 3; i += 1) {
        const velocity = speed.getComponent(i) - state[STATE_VELOCITY + i]!;
        wrench[i] = stiffness * offset.getComponent(i) + damping * velocity;
      }
      rotationVector(speed, lastDevice.rotation, device.rotation).divideScalar(timeStep);
      for (let i = 0; i < 3; i += 1) {
        const velocity = speed.getComponent(i) - state[STATE_TURNING + i]!;
        wrench[3 + i] = torsionalStiffness * twist.getComponent(i) + torsionalDamping * velocity;
      }
      output.stageUs[STAGE_TOTAL] = world!.step(wrench);
      readTool();
      output.contacts = world!.contacts();
      writeOutput(output);
    },
    dispose() {
      world?.dispose();
      world = null;
    },
  };

  function writeOutput(output: MethodOutput): void {
    offset.subVectors(tool.position, device.position).multiplyScalar(stiffness).toArray(output.wrench);
    rotationVector(twist, device.rotation, tool.rotation).multiplyScalar(torsionalStiffness).toArray(output.wrench, 3);
    offset.fromArray(centre).applyQuaternion(tool.rotation);
    speed.subVectors(tool.position, offset).toArray(output.toolPose);
    tool.rotation.toArray(output.toolPose, 3);
  }
}

interface Place {
  readonly position: Vector3;
  readonly rotation: Quaternion;
}

function createPlace(): Place {
  return { position: new Vector3(), rotation: new Quaternion() };
}

const point = new Float64Array(3);

/** Of the centre of mass. */
function place(out: Place, pose: Pose, [x, y, z]: readonly [number, number, number]): void {
  out.position.fromArray(transformPoint(point, pose, x, y, z));
  out.rotation.fromArray(pose, 3);
}

const between = new Quaternion();

/** From one orientation to the other, the shorter arc, rad. */
function rotationVector(out: Vector3, from: Quaternion, to: Quaternion): Vector3 {
  between.copy(from).invert().premultiply(to);
  if (between.w < 0) between.set(-between.x, -between.y, -between.z, -between.w);
  const sine = Math.hypot(between.x, between.y, between.z);
  const scale = sine > 1e-12 ? (2 * Math.atan2(sine, between.w)) / sine : 2;
  return out.set(between.x, between.y, between.z).multiplyScalar(scale);
}
