import { type PreparedBody, prepareBody } from '../asset/prepared-body.js';
import type { ContactQuery, ShellOwner } from '../contact/contact-query.js';
import { createContactQuery } from '../contact/create-contact-query.js';
import { DEFAULT_FRICTION_OPTIONS } from '../friction/create-friction-model.js';
import { cosOf, lengthOf, sinOf } from '../math/portable.js';
import { createPose, type Pose } from '../math/pose.js';
import { turnPose } from '../math/rotation.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { createMethodOutput, type MethodOutput } from './method.js';
import {
  createStaticFrictionMethod,
  type StaticFrictionMethod,
  type StaticFrictionOptions,
} from './static-friction/static-friction.js';
import { type ContactPair, createContactPair, createToolBody, type ToolBody } from './tool-contacts.js';

/** Two bodies that can touch, prepared once and put to many uses; the physics tests of the method stand on them. */
export interface RigBodies {
  readonly tool: ToolBody;
  readonly query: ContactQuery;
}

export interface RigBodyOptions {
  readonly shellOn: ShellOwner;
  /** Of the shell, m. */
  readonly spacing: number;
  readonly seed?: number;
  /** Of the field, voxels along its longest side. */
  readonly resolution?: number;
}

export async function prepareRigBodies(
  tool: TriangleMesh,
  environment: TriangleMesh,
  { shellOn, spacing, seed = 1, resolution = 64 }: RigBodyOptions,
): Promise<RigBodies> {
  const onTool = shellOn === 'tool';
  const shellBody = await prepareBody(onTool ? tool : environment, { field: null, shell: { spacing, seed } });
  const fieldBody = await prepareBody(onTool ? environment : tool, { field: { resolution }, shell: null });
  return joinBodies(shellBody, fieldBody, shellOn);
}

/** The same for bodies that are prepared already. */
export function joinBodies(shellBody: PreparedBody, fieldBody: PreparedBody, shellOn: ShellOwner): RigBodies {
  if (!(shellBody.shell && fieldBody.field)) throw new RangeError('One body needs a shell, the other a field.');
  return {
    tool: createToolBody(shellOn === 'tool' ? shellBody : fieldBody),
    query: createContactQuery(shellBody.shell, fieldBody.field, { shellOn }),
  };
}

export type RigChanges = Partial<Omit<StaticFrictionOptions, 'friction' | 'contact' | 'coupling'>> & {
  readonly friction?: Partial<StaticFrictionOptions['friction']>;
  readonly contact?: Partial<StaticFrictionOptions['contact']>;
  readonly coupling?: Partial<StaticFrictionOptions['coupling']>;
};

/** A tool that can touch the environment, and the hand that leads it. */
export interface Rig {
  method: StaticFrictionMethod;
  readonly output: MethodOutput;
  readonly tool: ToolBody;
  readonly pairs: readonly ContactPair[];
  readonly couplingStiffness: number;
  readonly torsionalStiffness: number;
  /** Pose of the device in the next cycle. */
  readonly device: Pose;
}

export function rigOptions({ friction, contact, coupling, ...more }: RigChanges = {}): StaticFrictionOptions {
  return {
    contact: { stiffness: 5000, adaptive: true, cornerWeighting: true, maxContacts: 3000, ...contact },
    friction: { model: 'cone', ...DEFAULT_FRICTION_OPTIONS, ...friction },
    coupling: { stiffness: 1000, torsionalStiffness: 5, graspPoint: null, ...coupling },
    staticDamping: 0.6,
    separation: 'pull',
    gravity: [0, 0, 0],
    ...more,
  };
}

/** A tool in contact with one body in the world's frame, or with several when their poses are given. */
export function createRig(
  { tool, query }: RigBodies,
  pairOptions: Partial<Omit<ContactPair, 'query' | 'environmentPose'>> = {},
  changes: RigChanges = {},
  environmentPoses: readonly Pose[] = [createPose()],
): Rig {
  const pairs = environmentPoses.map((environmentPose) =>
    createContactPair(query, { ...pairOptions, environmentPose }),
  );
  const options = rigOptions(changes);
  return {
    method: createStaticFrictionMethod(tool, pairs, options),
    output: createMethodOutput(),
    tool,
    pairs,
    couplingStiffness: options.coupling.stiffness,
    torsionalStiffness: options.coupling.torsionalStiffness,
    device: createPose(),
  };
}

/** Goes on from where the tool is with other options, as a loop does whose scene has changed. */
export function changeOptions(rig: Rig, changes: RigChanges): void {
  rig.method = createStaticFrictionMethod(rig.tool, rig.pairs, rigOptions(changes));
  rig.method.reset(rig.output.toolPose);
}

/** Puts the tool at `start` and leads it towards `device` for as many cycles as it takes to come to rest. */
export function settleAt(rig: Rig, start: Pose, device: Pose, cycles = 300): void {
  rig.method.reset(start);
  rig.device.set(device);
  runRig(rig, cycles);
}

export function runRig({ method, output, device }: Rig, cycles: number): void {
  for (let cycle = 0; cycle < cycles; cycle += 1) method.step(output, device);
}

/** One cycle of a hand that follows the tool with a given force (N) and torque (N m) on it, whatever the tool does. */
export function stepWithWrench(rig: Rig, force: readonly number[], torque: readonly number[] = [0, 0, 0]): void {
  const { method, output, device, couplingStiffness, torsionalStiffness } = rig;
  device.set(output.toolPose);
  for (let axis = 0; axis < 3; axis += 1) device[axis] += force[axis] / couplingStiffness;
  turnPose(
    device,
    Float64Array.from(torque, (moment) => moment / torsionalStiffness),
    0,
  );
  method.step(output, device);
}

/** Places the tool, with the output as if a cycle had ended there. */
export function placeTool({ method, output }: Rig, pose: Pose): void {
  method.reset(pose);
  output.toolPose.set(pose);
}

/** A pose turned by `angle` radians about one of the axes. */
export function turnedPose(position: readonly number[], axis: 0 | 1 | 2, angle: number): Pose {
  const pose = createPose(position[0], position[1], position[2]);
  pose[3 + axis] = sinOf(angle / 2);
  pose[6] = cosOf(angle / 2);
  return pose;
}

/** Force on the hand, resolved at the contacts: along their mean normal, weighted by force, and at right angles to it. */
export interface ResolvedForce {
  readonly normal: number;
  readonly tangential: number;
}

export function resolveForce({ method, output }: Rig): ResolvedForce {
  const { problem } = method;
  const mean = [0, 0, 0];
  for (let c = 0; c < problem.count; c += 1) {
    for (let axis = 0; axis < 3; axis += 1) mean[axis] += problem.normalForce[c] * problem.normal[3 * c + axis];
  }
  const size = lengthOf(mean);
  const force = output.wrench.subarray(0, 3);
  const normal = (force[0] * mean[0] + force[1] * mean[1] + force[2] * mean[2]) / size;
  const rest = mean.map((component, axis) => force[axis] - (normal * component) / size);
  return { normal, tangential: lengthOf(rest) };
}

/** |F_t| / F_n at the contacts. */
export function forceRatio(rig: Rig): number {
  const { normal, tangential } = resolveForce(rig);
  return tangential / normal;
}
