import { describe, expect, it } from 'vitest';
import { createRandom } from '../../base/random.js';
import { createContactSet } from '../../contact/contact-set.js';
import {
  addCoupling,
  createViscoelasticCoupling,
  followDevice,
  type ViscoelasticCouplingOptions,
} from '../../coupling/viscoelastic-coupling.js';
import { createPose } from '../../math/pose.js';
import { createRigidLoad, JACOBIAN_SIZE } from '../../mechanics/point-load.js';
import {
  createRigidMotion,
  differentiateMotion,
  type RigidBody,
  STATE_Q,
  STATE_SIZE,
  updateMotion,
} from '../../mechanics/rigid-motion.js';
import { MODEL_COUNT, MODEL_SEQUENCE } from '../contact-model-header.js';
import { clusterContacts, createContactClusters } from './cluster-contacts.js';
import { addContact, beginContactStep, createContactLoad } from './contact-load.js';
import {
  CLUSTER_FORCE,
  clusterAt,
  createContactModel,
  createModelWriter,
  MODEL_JACOBIAN,
  MODEL_WRENCH,
  writeContactModel,
} from './contact-model.js';
import { jacobianError, randomPose, randomState, randomVector, sampleBodies } from './modular-rig.fixture.js';

const SEEDS = [1, 2, 3, 4, 5];
const TOLERANCE = 1e-6;
const DT = Float64Array.of(0.001);

function motionAt(body: RigidBody, y: Float64Array) {
  const motion = createRigidMotion(body);
  updateMotion(motion, y);
  differentiateMotion(motion, y);
  return motion;
}

describe.each(SEEDS)('equations of motion, seed %i', (seed) => {
  it.each([0, 1, 2])('have the derivatives of Eq. 8–12, body %i', (which) => {
    const body = sampleBodies()[which];
    const y = randomState(seed, body);
    const motion = motionAt(body, y);
    const other = createRigidMotion(body);
    const jacobian = new Float64Array((4 + 9 + 3) * STATE_SIZE);
    for (let k = 0; k < 4; k += 1) {
      for (let r = 0; r < 4; r += 1) jacobian[STATE_SIZE * r + STATE_Q + k] = motion.rateByQ[4 * r + k];
      for (let r = 0; r < 9; r += 1) jacobian[STATE_SIZE * (4 + r) + STATE_Q + k] = motion.rotationByQ[9 * k + r];
      for (let r = 0; r < 3; r += 1) jacobian[STATE_SIZE * (13 + r) + STATE_Q + k] = motion.turningByQ[4 * r + k];
    }
    for (let j = 0; j < 3; j += 1) {
      for (let r = 0; r < 4; r += 1) jacobian[STATE_SIZE * r + 10 + j] = motion.rateByL[3 * r + j];
      for (let r = 0; r < 3; r += 1) jacobian[STATE_SIZE * (13 + r) + 10 + j] = motion.mobility[3 * r + j];
    }
    const error = jacobianError(jacobian, y, body, [4, 9, 3], (out, state) => {
      updateMotion(other, state);
      out.set(other.quaternionRate);
      out.set(other.rotation, 4);
      out.set(other.turning, 13);
    });
    expect(error).toBeLessThan(TOLERANCE);
  });
});

describe.each(SEEDS)('coupling, seed %i', (seed) => {
  const plain: ViscoelasticCouplingOptions = {
    stiffness: 500,
    torsionalStiffness: 0.6,
    damping: 3,
    torsionalDamping: 0.01,
    maxForce: null,
    maxTorque: null,
    velocityFilter: 0.005,
  };
  it.each([
    ['far apart', 0.05, 1, {}],
    ['almost together', 1e-4, 1e-3, {}],
    ['in the bend of both springs', 0.05, 1, { maxForce: 25, maxTorque: 0.6 }],
    ['saturated', 0.05, 1, { maxForce: 5, maxTorque: 0.05 }],
  ] as const)('has the derivatives of Eq. 17–27, %s', (_name, way, turn, changes) => {
    const random = createRandom(seed + 100);
    for (const body of sampleBodies()) {
      const y = randomState(seed, body);
      const coupling = createViscoelasticCoupling({ ...plain, ...changes }, [0.03, -0.02, 0.05], [0.001, 0.002, 0]);
      coupling.orientation.set(randomPose(random).subarray(3), 3);
      placeDevice(coupling, y, way, turn, random);
      const load = createRigidLoad();
      addCoupling(load, coupling, y, motionAt(body, y), true);
      const other = createRigidMotion(body);
      const error = jacobianError(load.jacobian, y, body, [3, 3], (out, state) => {
        const next = createRigidLoad();
        updateMotion(other, state);
        addCoupling(next, coupling, state, other, false);
        out.set(next.wrench);
      });
      expect(error).toBeLessThan(TOLERANCE);
    }
  });

  /** Device where the tool would hold it, but for `way` metres and `turn` radians. */
  function placeDevice(
    coupling: ReturnType<typeof createViscoelasticCoupling>,
    y: Float64Array,
    way: number,
    turn: number,
    random: () => number,
  ) {
    const [cx, cy, cz, cw] = coupling.orientation.subarray(3);
    const [qx, qy, qz, qw] = y.subarray(3, 7);
    const off = randomVector(random, turn / 2);
    const pose = createPose();
    // q_h = off · q · q_c, either sign.
    const q = multiply(multiply([...off, 1], [qx, qy, qz, qw]), [cx, cy, cz, cw]);
    const size = Math.sqrt(q.reduce((sum, n) => sum + n * n, 0)) * (random() < 0.5 ? -1 : 1);
    pose.set(
      q.map((n) => n / size),
      3,
    );
    followDevice(coupling, pose, DT);
    const motion = createRigidMotion(sampleBodies()[0]);
    updateMotion(motion, y);
    const R = motion.rotation;
    const c = coupling.link.point;
    const shift = randomVector(random, way);
    for (let i = 0; i < 3; i += 1) {
      pose[i] =
        y[i] + R[3 * i] * c[0] + R[3 * i + 1] * c[1] + R[3 * i + 2] * c[2] - coupling.device.point[i] + shift[i];
    }
    followDevice(coupling, pose, DT);
  }
});

function multiply(a: readonly number[], b: readonly number[]): number[] {
  const [ax, ay, az, aw] = a;
  const [bx, by, bz, bw] = b;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by + ay * bw + az * bx - ax * bz,
    aw * bz + az * bw + ax * by - ay * bx,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** A model of contacts all around the body, found at y. */
function modelAt(seed: number, body: RigidBody, y: Float64Array, friction: number) {
  const random = createRandom(seed + 200);
  const law = { stiffness: 5000, damping: 4, tolerance: 0.001 };
  const set = createContactSet(12);
  set.count = 12;
  for (let c = 0; c < 12; c += 1) {
    const normal = randomVector(random, 1);
    const length = Math.sqrt(normal.reduce((sum, n) => sum + n * n, 0));
    const place = randomVector(random, 0.03);
    for (let i = 0; i < 3; i += 1) {
      set.normal[3 * c + i] = normal[i] / length;
      set.position[3 * c + i] = y[i] + place[i];
    }
    set.depth[c] = 0.002 * random();
  }
  const clusters = createContactClusters(4, law.tolerance, 12);
  clusterContacts(clusters, set, new Float64Array(24).fill(friction));
  const model = createContactModel(4);
  const velocity = Float64Array.of(0.05, -0.1, 0.02, 0.5, -0.3, 0.2);
  writeContactModel(model, createModelWriter(law), clusters, y, motionAt(body, y), createPose(), velocity);
  model[MODEL_SEQUENCE] = 1;
  return { model, clusters, law, velocity };
}

describe.each(SEEDS)('contact, seed %i', (seed) => {
  it.each([0, 1, 2])('has the derivatives of Eq. 34–41, body %i', (which) => {
    const body = sampleBodies()[which];
    const y = randomState(seed, body);
    const { model, law } = modelAt(seed, body, y, 0);
    const writer = createModelWriter(law);
    // The planes stay, the state moves: clusters are put where the same points of the body are then.
    const error = jacobianError(
      model.slice(MODEL_JACOBIAN, MODEL_JACOBIAN + JACOBIAN_SIZE),
      y,
      body,
      [3, 3],
      (out, s) => {
        const motion = motionAt(body, s);
        out.set(penaltyWrench(model, s, motion, writer.law));
      },
    );
    expect(error).toBeLessThan(TOLERANCE);
    const at = motionAt(body, y);
    const wrench = penaltyWrench(model, y, at, law);
    for (let i = 0; i < 6; i += 1) expect(model[MODEL_WRENCH + i]).toBeCloseTo(wrench[i], 9);
  });

  it.each([
    ['sticking', 50, 1e-4],
    ['slipping', 0.05, 1e-3],
  ])('has the derivatives of friction, %s', (_name, coefficient, way) => {
    for (const body of sampleBodies()) {
      const y = randomState(seed, body);
      const { model } = modelAt(seed, body, y, coefficient);
      const contact = createContactLoad(body, 4, {
        linearised: false,
        heldJacobian: false,
        tangentialStiffness: 3000,
        tangentialDamping: 2,
        fadeAfter: 1,
        fadeTime: 1,
        recovery: 1,
      });
      contact.seen.fill(1);
      contact.stretch.set(Float64Array.from({ length: 12 }, createRandom(seed)).map((n) => (n - 0.5) * way));
      beginContactStep(contact, model, y, motionAt(body, y), createPose(), DT);
      const load = createRigidLoad();
      addContact(load, contact, model, y, motionAt(body, y), true);
      const error = jacobianError(load.jacobian, y, body, [3, 3], (out, state) => {
        const next = createRigidLoad();
        addContact(next, contact, model, state, motionAt(body, state), false);
        out.set(next.wrench);
      });
      expect(model[MODEL_COUNT]).toBe(4);
      expect(error).toBeLessThan(TOLERANCE);
    }
  });

  it('goes with an environment that moved, and has the derivatives for it', () => {
    const body = sampleBodies()[0];
    const y = randomState(seed, body);
    const { model } = modelAt(seed, body, y, 0.3);
    const contact = createContactLoad(body, 4, {
      linearised: true,
      heldJacobian: false,
      tangentialStiffness: 3000,
      tangentialDamping: 2,
      fadeAfter: 1,
      fadeTime: 1,
      recovery: 1,
    });
    // Only the side of the kink where the test stands has a derivative.
    for (let k = 0; k < 4; k += 1) model[clusterAt(k) + CLUSTER_FORCE] += 20;
    const environment = createPose(0.002, -0.001, 0.003, 0.02, -0.01, 0.03, Math.sqrt(1 - 0.0014));
    beginContactStep(contact, model, y, motionAt(body, y), environment, DT);
    const load = createRigidLoad();
    contact.sliding.fill(0);
    for (let k = 0; k < 4; k += 1) model.fill(0, clusterAt(k) + 43, clusterAt(k) + 45);
    addContact(load, contact, model, y, motionAt(body, y), true);
    const error = jacobianError(load.jacobian, y, body, [3, 3], (out, state) => {
      const next = createRigidLoad();
      addContact(next, contact, model, state, motionAt(body, state), false);
      out.set(next.wrench);
    });
    expect(error).toBeLessThan(TOLERANCE);
  });
});

/** Eq. 33, written out once more. */
function penaltyWrench(
  model: Float64Array,
  y: Float64Array,
  { rotation: R, velocity: v, turning: w }: ReturnType<typeof createRigidMotion>,
  law: { stiffness: number; damping: number; tolerance: number },
): Float64Array {
  const out = new Float64Array(6);
  for (let k = 0; k < model[MODEL_COUNT]; k += 1) {
    const at = clusterAt(k);
    const [p0, n, r] = [0, 3, 6].map((o) => model.subarray(at + o, at + o + 3));
    const surface = model.subarray(at + 40, at + 43);
    const arm = [0, 1, 2].map((i) => R[3 * i] * r[0] + R[3 * i + 1] * r[1] + R[3 * i + 2] * r[2]);
    const spin = cross(w, arm);
    let f = law.stiffness * law.tolerance;
    for (let i = 0; i < 3; i += 1) {
      f += law.stiffness * n[i] * (y[i] + arm[i] - p0[i]) + law.damping * n[i] * (v[i] + spin[i] - surface[i]);
    }
    const force = [-f * n[0], -f * n[1], -f * n[2]];
    const torque = cross(arm, force);
    for (let i = 0; i < 3; i += 1) {
      out[i] += force[i];
      out[3 + i] += torque[i];
    }
  }
  return out;
}

function cross(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
