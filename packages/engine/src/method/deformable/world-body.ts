import { createPose, type Pose, rotationMatrix } from '../../math/pose.js';
import type { DeformableBodySetup, DeformableOptions } from './deformable-setup.js';
import { addSmoothPart, addStaticPart, createElasticPart, type ElasticPart } from './elastic-part.js';
import { candidateCount } from './proximity-model.js';
import { createRigidPart, type RigidPart } from './rigid-part.js';

/** A body as the solver steps it: rigid motion and deformation in its frame, either of which may be missing. */
export interface WorldBody {
  readonly rest: Float64Array;
  readonly rigid: RigidPart | null;
  readonly elastic: ElasticPart | null;
  /** Of the body frame at the start of the step, and after free motion. */
  readonly pose: Pose;
  readonly freePose: Pose;
  readonly rotation: Float64Array;
  readonly freeRotation: Float64Array;
  /** Displacement of the rigid motion by the contact forces of this step, and with free motion; written by `respond`. */
  readonly pulled: Float64Array;
  readonly displaced: Float64Array;
  /** Displacements of the vertices that contacts of this step touch, body frame. */
  readonly touched: TouchedVertices;
}

interface TouchedVertices {
  count: number;
  readonly capacity: number;
  readonly vertex: Int32Array;
  /** Place of each surface vertex, −1 for none. */
  readonly slot: Int32Array;
  /** At the start of the step, and after free motion; three numbers each. */
  readonly now: Float64Array;
  readonly free: Float64Array;
  /** By the contact forces of this step, and of which response that is. */
  readonly pulled: Float64Array;
  readonly pulledIn: Int32Array;
  response: number;
}

export function createWorldBody(
  { surface, elastic, tool, pose }: DeformableBodySetup,
  { timeStep, coupling, contacts }: DeformableOptions,
  loadCapacity: number,
): WorldBody {
  // A contact has at most three vertices on a body.
  const touchable = 3 * candidateCount(contacts);
  const rigid = tool && createRigidPart(tool, coupling, timeStep);
  const body: WorldBody = {
    rest: surface.positions,
    rigid,
    elastic: elastic && createElasticPart(elastic.body, elastic.material, timeStep, loadCapacity),
    pose: rigid ? rigid.pose : createPose(),
    freePose: rigid ? rigid.freePose : createPose(),
    rotation: new Float64Array(9),
    freeRotation: new Float64Array(9),
    pulled: new Float64Array(6),
    displaced: new Float64Array(6),
    touched: {
      count: 0,
      capacity: touchable,
      vertex: new Int32Array(touchable),
      slot: new Int32Array(elastic ? surface.positions.length / 3 : 0).fill(-1),
      now: new Float64Array(3 * touchable),
      free: new Float64Array(3 * touchable),
      pulled: new Float64Array(3 * touchable),
      pulledIn: new Int32Array(touchable),
      response: 0,
    },
  };
  if (!rigid) {
    body.pose.set(pose);
    body.freePose.set(pose);
  }
  updateRotations(body);
  return body;
}

/** Takes the rotations of the poses, once per step. */
export function updateRotations({ pose, freePose, rotation, freeRotation }: WorldBody): void {
  rotationMatrix(rotation, pose);
  rotationMatrix(freeRotation, freePose);
}

export function forgetTouched({ touched }: WorldBody): void {
  for (let n = 0; n < touched.count; n += 1) touched.slot[touched.vertex[n]] = -1;
  touched.count = 0;
}

/**
 * The slot of a vertex of an elastic body, worked out when it is first asked for: its displacement at the start of the
 * step, from the forces of the step before, and after free motion.
 */
export function touchVertex({ touched, elastic }: WorldBody, vertex: number): number {
  const known = touched.slot[vertex];
  if (known >= 0) return known;
  // There is room for all vertices of all contacts.
  const slot = Math.min(touched.count, touched.capacity - 1);
  touched.count = slot + 1;
  touched.slot[vertex] = slot;
  touched.vertex[slot] = vertex;
  const part = elastic!;
  const { now, free } = touched;
  for (let i = 0; i < 3; i += 1) now[3 * slot + i] = 0;
  addStaticPart(now, 3 * slot, part, vertex);
  // Of the forces of the step before some still count: those of damping.
  for (let i = 0; i < 3; i += 1) free[3 * slot + i] = part.delay[0] * now[3 * slot + i];
  addSmoothPart(now, 3 * slot, part, part.shape, vertex);
  addSmoothPart(free, 3 * slot, part, part.free, vertex);
  return slot;
}
