import { describe, expect, it } from 'vitest';
import { createRandom } from '../../base/random.js';
import { addCoupling, createViscoelasticCoupling, followDevice } from '../../coupling/viscoelastic-coupling.js';
import { createRigidMotion, type RigidBody, STATE_SIZE, updateMotion } from '../../mechanics/rigid-motion.js';
import { createIntegrator, type IntegratorKind, integrate, type LoadSource } from './integrate.js';
import { randomPose, randomState, sampleBodies } from './modular-rig.fixture.js';

const DT = 0.001;

function springs(seed: number): LoadSource {
  const coupling = createViscoelasticCoupling(
    {
      stiffness: 500,
      torsionalStiffness: 0.6,
      damping: 2,
      torsionalDamping: 0.002,
      maxForce: 20,
      maxTorque: null,
      velocityFilter: null,
    },
    [0.03, -0.02, 0.05],
    [0, 0, 0],
  );
  followDevice(coupling, randomPose(createRandom(seed)), Float64Array.of(DT));
  return (load, y, motion, wantsJacobian) => {
    load.wrench.fill(0);
    load.jacobian.fill(0);
    addCoupling(load, coupling, y, motion, wantsJacobian);
  };
}

const NOTHING: LoadSource = (load) => {
  load.wrench.fill(0);
  load.jacobian.fill(0);
};

/** Largest difference of two states, each kind of variable relative to its own size. */
function difference(a: Float64Array, b: Float64Array): number {
  let worst = 0;
  for (const [first, end] of [
    [0, 3],
    [3, 7],
    [7, 10],
    [10, 13],
  ]) {
    let size = 0;
    let error = 0;
    for (let i = first; i < end; i += 1) {
      size = Math.max(size, Math.abs(a[i]));
      error = Math.max(error, Math.abs(a[i] - b[i]));
    }
    worst = Math.max(worst, error / size);
  }
  return worst;
}

function energy(body: RigidBody, y: Float64Array): number {
  const motion = createRigidMotion(body);
  updateMotion(motion, y);
  let sum = 0;
  for (let i = 0; i < 3; i += 1) sum += 0.5 * (motion.velocity[i] * y[7 + i] + motion.turning[i] * y[10 + i]);
  return sum;
}

describe('six unknowns and thirteen', () => {
  it.each([1, 2, 3, 4, 5, 6])('give the same step, seed %i', (seed) => {
    for (const body of sampleBodies()) {
      const y = randomState(seed, body);
      const other = y.slice();
      const loads = springs(seed);
      expect(integrate(createIntegrator('implicit', body, DT), y, loads)).toBe(true);
      expect(integrate(createIntegrator('implicit-13', body, DT), other, loads)).toBe(true);
      expect(difference(y, other)).toBeLessThan(1e-9);
    }
  });

  it('stay together over a second', () => {
    const body = sampleBodies()[0];
    const y = randomState(3, body);
    const other = y.slice();
    const loads = springs(3);
    const short = createIntegrator('implicit', body, DT);
    const long = createIntegrator('implicit-13', body, DT);
    for (let n = 0; n < 1000; n += 1) {
      integrate(short, y, loads);
      integrate(long, other, loads);
    }
    for (let i = 0; i < 7; i += 1) expect(y[i]).toBeCloseTo(other[i], 9);
  });
});

describe.each(['implicit', 'implicit-13', 'euler', 'runge-kutta'] as IntegratorKind[])('%s', (kind) => {
  it('keeps the momenta of a body that nothing pushes, and its quaternion at length 1', () => {
    const body = sampleBodies()[0];
    const y = randomState(7, body);
    const start = y.slice();
    const integrator = createIntegrator(kind, body, DT);
    for (let n = 0; n < 1000; n += 1) integrate(integrator, y, NOTHING);
    for (let i = 7; i < STATE_SIZE; i += 1) expect(y[i]).toBeCloseTo(start[i], 14);
    for (let i = 0; i < 3; i += 1) expect(y[i]).toBeCloseTo(start[i] + start[7 + i] / body.mass, 9);
    expect(y[3] ** 2 + y[4] ** 2 + y[5] ** 2 + y[6] ** 2).toBeCloseTo(1, 12);
  });

  it('leaves the state alone when there is no finite answer', () => {
    const body = sampleBodies()[1];
    const y = randomState(8, body);
    const start = y.slice();
    const bad: LoadSource = (load) => {
      load.wrench.fill(Number.NaN);
      load.jacobian.fill(0);
    };
    expect(integrate(createIntegrator(kind, body, DT), y, bad)).toBe(false);
    expect(y).toEqual(start);
  });

  it('comes closer to the true motion with shorter steps, at its order', () => {
    const body = sampleBodies()[1];
    const loads = springs(9);
    const run = (steps: number, which: IntegratorKind) => {
      const y = randomState(9, body);
      const integrator = createIntegrator(which, body, 0.02 / steps);
      for (let n = 0; n < steps; n += 1) integrate(integrator, y, loads);
      return y;
    };
    const truth = run(2000, 'runge-kutta');
    const gain = difference(truth, run(40, kind)) / difference(truth, run(80, kind));
    expect(gain).toBeGreaterThan(kind === 'runge-kutta' ? 8 : 1.7);
  });
});

it('takes energy out of a tumbling body, never puts any in, when implicit', () => {
  const body = sampleBodies()[0];
  const y = randomState(11, body);
  const integrator = createIntegrator('implicit', body, DT);
  let last = energy(body, y);
  const first = last;
  for (let n = 0; n < 2000; n += 1) {
    integrate(integrator, y, NOTHING);
    const next = energy(body, y);
    expect(next).toBeLessThan(last * (1 + 1e-5));
    last = next;
  }
  expect(last).toBeGreaterThan(0.3 * first);
});
