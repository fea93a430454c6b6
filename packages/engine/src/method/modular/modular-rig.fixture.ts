import { createRandom, type RandomSource } from '../../base/random.js';
import type { ContactSet } from '../../contact/contact-set.js';
import { createPose, type Pose, placePoint, rotationMatrix } from '../../math/pose.js';
import { createRigidBody, type RigidBody, STATE_SIZE } from '../../mechanics/rigid-motion.js';
import { createMethodOutput, type MethodOutput } from '../method.js';
import type { ToolBody } from '../tool-contacts.js';
import type { ModularContacts } from './contact-side.js';
import { createModularMethod, type ModularMethod } from './modular.js';
import { DEFAULT_MODULAR_OPTIONS, type ModularOptions } from './modular-options.js';

/** What the tests of the modular method stand on: seeded states, differences, a box on a plane. */

/** Rod-like, flat and nearly round bodies whose inertia is not along the axes. */
export function sampleBodies(): RigidBody[] {
  return [
    createRigidBody(0.01, Float64Array.of(2e-6, 3e-7, -1e-7, 3e-7, 9e-6, 2e-7, -1e-7, 2e-7, 8e-6)),
    createRigidBody(0.25, Float64Array.of(4e-4, 0, 0, 0, 1e-4, 0, 0, 0, 2e-4)),
    createRigidBody(0.001, Float64Array.of(2e-8, 0, 1e-8, 0, 3e-6, 0, 1e-8, 0, 3e-6)),
  ];
}

export function randomVector(random: RandomSource, size: number): Float64Array {
  return Float64Array.from({ length: 3 }, () => size * (2 * random() - 1));
}

export function randomPose(random: RandomSource, size = 0.1): Pose {
  const pose = createPose();
  pose.set(randomVector(random, size));
  let square = 0;
  for (let i = 3; i < 7; i += 1) {
    pose[i] = 2 * random() - 1;
    square += pose[i] * pose[i];
  }
  for (let i = 3; i < 7; i += 1) pose[i] /= Math.sqrt(square);
  return pose;
}

/** With speeds of about 0.3 m/s and 5 rad/s. */
export function randomState(seed: number, { mass, inverseInertia }: RigidBody): Float64Array {
  const random = createRandom(seed);
  const y = new Float64Array(STATE_SIZE);
  y.set(randomPose(random));
  y.set(randomVector(random, 0.3 * mass), 7);
  y.set(randomVector(random, 5 / inverseInertia[4]), 10);
  return y;
}

/**
 * Largest difference between `jacobian` (rows × 13) and central differences of `evaluate`, by blocks of rows and of
 * state variables, each relative to the largest entry of its block.
 */
export function jacobianError(
  jacobian: Float64Array,
  y: Float64Array,
  body: RigidBody,
  rowBlocks: readonly number[],
  evaluate: (out: Float64Array, y: Float64Array) => void,
): number {
  const rows = rowBlocks.reduce((sum, n) => sum + n, 0);
  const differences = differentiate(y, body, rows, evaluate);
  let worst = 0;
  let row = 0;
  for (const height of rowBlocks) {
    for (const [first, width] of [
      [0, 3],
      [3, 4],
      [7, 3],
      [10, 3],
    ]) {
      let error = 0;
      let size = 0;
      for (let r = row; r < row + height; r += 1) {
        for (let c = first; c < first + width; c += 1) {
          error = Math.max(error, Math.abs(jacobian[STATE_SIZE * r + c] - differences[STATE_SIZE * r + c]));
          size = Math.max(size, Math.abs(differences[STATE_SIZE * r + c]));
        }
      }
      worst = Math.max(worst, size > 0 ? error / size : error);
    }
    row += height;
  }
  return worst;
}

function differentiate(
  y: Float64Array,
  { mass, inverseInertia }: RigidBody,
  rows: number,
  evaluate: (out: Float64Array, y: Float64Array) => void,
): Float64Array {
  const out = new Float64Array(rows * STATE_SIZE);
  const above = new Float64Array(rows);
  const below = new Float64Array(rows);
  const state = y.slice();
  for (let c = 0; c < STATE_SIZE; c += 1) {
    const h = c < 3 ? 1e-7 : c < 7 ? 1e-6 : c < 10 ? 1e-4 * mass : 1e-4 / inverseInertia[4];
    state[c] = y[c] + h;
    evaluate(above, state);
    state[c] = y[c] - h;
    evaluate(below, state);
    state[c] = y[c];
    for (let r = 0; r < rows; r += 1) out[STATE_SIZE * r + c] = (above[r] - below[r]) / (2 * h);
  }
  return out;
}

/** A box as a tool, of uniform density, its body frame off the centre of mass. */
export function boxTool(mass: number, size: readonly [number, number, number]): ToolBody {
  const [a, b, c] = size.map((side) => side * side);
  const inertia = Float64Array.of(b + c, 0, 0, 0, a + c, 0, 0, 0, a + b).map((n) => (n * mass) / 12);
  return { centre: [0.002, -0.001, 0.003], mass, inertia, length: 0.5 * Math.sqrt(a + b + c) };
}

/** Twenty centimetres long and thin, like the spoon of the paper. */
export function spoonTool(mass: number): ToolBody {
  return boxTool(mass, [0.2, 0.02, 0.004]);
}

/**
 * Corners of a box against the upper side of a plane through the origin of `environmentPose`, z its normal: contacts that
 * can be foretold.
 */
export function planeContacts(
  tool: ToolBody,
  size: readonly [number, number, number],
  tolerance: number,
  environmentPose: Pose = createPose(),
): ModularContacts {
  const rotation = new Float64Array(9);
  const corner = new Float64Array(3);
  const place = new Float64Array(3);
  return {
    capacity: 8,
    environmentPose,
    find(set: ContactSet, toolPose: Pose): void {
      set.count = 0;
      rotationMatrix(rotation, environmentPose);
      for (let n = 0; n < 8; n += 1) {
        for (let i = 0; i < 3; i += 1) corner[i] = tool.centre[i] + ((n >> i) & 1 ? 0.5 : -0.5) * size[i];
        placePoint(place, toolPose, corner);
        let height = 0;
        for (let i = 0; i < 3; i += 1) height += rotation[3 * i + 2] * (place[i] - environmentPose[i]);
        if (height >= tolerance) continue;
        const c = set.count;
        set.point[c] = n;
        set.depth[c] = -height;
        for (let i = 0; i < 3; i += 1) {
          set.position[3 * c + i] = place[i];
          set.normal[3 * c + i] = rotation[3 * i + 2];
        }
        set.count += 1;
      }
    },
  };
}

export const NO_CONTACTS: ModularContacts = {
  capacity: 1,
  find(set) {
    set.count = 0;
  },
};

export interface ModularRig {
  readonly method: ModularMethod;
  readonly output: MethodOutput;
}

/** Of the paper's device: N/m, N m/rad. */
const PAPER_COUPLING = { stiffness: 500, torsionalStiffness: 0.6 };

/** Options with the paper's coupling, no friction, and changes two levels deep. */
export function modularOptions(
  changes: {
    [Key in keyof ModularOptions]?: ModularOptions[Key] extends object
      ? Partial<ModularOptions[Key]>
      : ModularOptions[Key];
  },
): ModularOptions {
  const base = DEFAULT_MODULAR_OPTIONS;
  return {
    ...base,
    ...changes,
    coupling: { ...base.coupling, ...PAPER_COUPLING, ...changes.coupling },
    contact: { ...base.contact, ...changes.contact },
    friction: { ...base.friction, static: 0, kinetic: 0, ...changes.friction },
  } as ModularOptions;
}

export function createModularRig(
  tool: ToolBody,
  contacts: ModularContacts,
  options: ModularOptions,
  start: Pose,
): ModularRig {
  const method = createModularMethod(tool, contacts, options);
  method.reset(start);
  return { method, output: createMethodOutput() };
}
