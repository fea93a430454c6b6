import type { PreparedBody } from '../../asset/prepared-body.js';
import type { ContactQuery } from '../../contact/contact-query.js';
import { createContactQuery } from '../../contact/create-contact-query.js';
import { square } from '../../math/portable.js';
import { createPose, type Pose } from '../../math/pose.js';
import { turnPose } from '../../math/rotation.js';
import { createMethodOutput, type MethodOutput } from '../method.js';
import type { RigBodies } from '../rig.fixture.js';
import { createContactPair, createToolBody, type ToolBody } from '../tool-contacts.js';
import { createGodObjectMethod, type GodObjectMethod, type GodObjectOptions } from './god-object.js';

/** A proxy that can touch the environment, and the hand that leads it; the tests of the method stand on it. */
export interface GodRig {
  readonly method: GodObjectMethod;
  readonly output: MethodOutput;
  readonly device: Pose;
  readonly options: GodObjectOptions;
  readonly voxel: number;
}

export interface GodRigChanges extends Partial<Omit<GodObjectOptions, 'friction' | 'coupling' | 'contact'>> {
  readonly margin?: number;
  readonly coefficient?: number;
  readonly kinetic?: number;
  readonly friction?: Partial<GodObjectOptions['friction']>;
  readonly contact?: Partial<GodObjectOptions['contact']>;
  readonly coupling?: Partial<GodObjectOptions['coupling']>;
  readonly environmentPoses?: readonly Pose[];
}

function godOptions({ friction, coupling, contact, ...more }: GodRigChanges): GodObjectOptions {
  return {
    constraint: 'heuristic',
    correction: 'least-energy',
    sampling: 'field',
    filter: true,
    gravity: [0, 0, 0],
    timeStep: 0.001,
    ...more,
    contact: { stiffness: null, cornerWeighting: true, maxContacts: 5000, ...contact },
    friction: { viscous: 0, rotational: null, ...friction },
    coupling: {
      stiffness: 1000,
      torsionalStiffness: 5,
      graspPoint: null,
      damping: 0,
      torsionalDamping: 0,
      ...coupling,
    },
  };
}

export function createGodRig({ tool, query }: RigBodies, changes: GodRigChanges = {}): GodRig {
  const { margin = 0.003, environmentPoses = [createPose()] } = changes;
  const { shell, field, shellOn } = query;
  return rigOf(
    tool,
    environmentPoses.map((place) => [createContactQuery(shell, field, { shellOn, margin }), place]),
    changes,
  );
}

/** A tool and one other body in the manifold of both their points; flat faces reduced to pairs or not. */
export function createSymmetricRig(tool: PreparedBody, other: PreparedBody, isReduced: boolean, place: Pose): GodRig {
  const margin = 0.003;
  const [mine, theirs] = [tool, other].map(({ shell, field }) => {
    if (!(shell && field)) throw new RangeError('Both bodies need a shell and a field.');
    return { shell, field };
  });
  const mirror = createContactQuery(theirs.shell, mine.field, { shellOn: 'environment', margin, isCautious: true });
  const query = createContactQuery(mine.shell, theirs.field, {
    shellOn: 'tool',
    margin,
    doubtsEdges: true,
    ...(isReduced && { mirror }),
  });
  const pairs: [ContactQuery, Pose][] = [
    [query, place],
    [mirror, place],
  ];
  return rigOf(createToolBody(tool), pairs, { constraint: 'manifold' });
}

function rigOf(tool: ToolBody, queries: readonly (readonly [ContactQuery, Pose])[], changes: GodRigChanges): GodRig {
  const { coefficient = 0.5, kinetic = coefficient } = changes;
  const options = godOptions(changes);
  const pairs = queries.map(([query, environmentPose]) =>
    createContactPair(query, {
      environmentPose,
      staticCoefficient: coefficient,
      kineticCoefficient: kinetic,
    }),
  );
  return {
    method: createGodObjectMethod(tool, pairs, options),
    output: createMethodOutput(),
    device: createPose(),
    options,
    voxel: queries[0][0].field.voxelSize,
  };
}

/** Leads the device on a straight way to `goal`, and gives the deepest penetration of the proxy on it. */
export function lead({ method, output, device }: GodRig, goal: Pose, cycles: number): number {
  const start = Float64Array.from(device);
  let deepest = 0;
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    const part = cycle / cycles;
    let unit = 0;
    for (let k = 0; k < 7; k += 1) {
      device[k] = start[k] + part * (goal[k] - start[k]);
      if (k > 2) unit += square(device[k]);
    }
    for (let k = 3; k < 7; k += 1) device[k] /= Math.sqrt(unit);
    method.step(output, device);
    deepest = Math.max(deepest, output.maxPenetration);
  }
  return deepest;
}

/** Puts proxy and device at a pose. */
export function placeAt({ method, output, device }: GodRig, pose: Pose): void {
  device.set(pose);
  method.reset(pose);
  output.toolPose.set(pose);
}

export function rest({ method, output, device }: GodRig, cycles: number): number {
  let deepest = 0;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    method.step(output, device);
    deepest = Math.max(deepest, output.maxPenetration);
  }
  return deepest;
}

export function turned(pose: Pose, turn: readonly number[]): Pose {
  const copy = Float64Array.from(pose);
  turnPose(copy, Float64Array.from(turn), 0);
  return copy;
}
