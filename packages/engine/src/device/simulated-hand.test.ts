import { expect, test } from 'vitest';
import { createPose, type Pose } from '../math/pose.js';
import { rotationBetween, turnPose } from '../math/rotation.js';
import { createSimulatedHand, type SimulatedHand } from './simulated-hand.js';
import type { SimulatedHandOptions } from './simulated-hand-options.js';

/**
 * Closed forms and eigenvalues are the reference here; sines and exponentials of the host are welcome, for the simulation
 * itself uses none.
 */

const STILL = new Float64Array(6);
const UNLIMITED = { force: Number.POSITIVE_INFINITY, torque: Number.POSITIVE_INFINITY };
const FREE: SimulatedHandOptions = {
  grip: { stiffness: 0, damping: 0, torsionalStiffness: 0, torsionalDamping: 0 },
  limits: UNLIMITED,
};

/** x(t) of m ẍ + c ẋ + k x = 0 from x₀ at rest, under-damped. */
function ringing(start: number, mass: number, damping: number, stiffness: number, time: number): number {
  const decay = damping / (2 * mass);
  const turns = Math.sqrt(stiffness / mass - decay * decay);
  return start * Math.exp(-decay * time) * (Math.cos(turns * time) + (decay / turns) * Math.sin(turns * time));
}

test('a hand that lets the device swing: the closed form of mass, spring and damper, in translation and rotation', () => {
  const hand = createSimulatedHand({
    start: createPose(0.01, -0.02, 0.03),
    device: { mass: 0.12, damping: 0.4, inertia: 0.0002, torsionalDamping: 0.0007 },
    grip: { stiffness: 400, damping: 0.5, mass: 0.03, torsionalStiffness: 0.5, torsionalDamping: 0.0003 },
  });
  hand.intend(createPose());
  // The hand takes one time step to get there; its speed pulls at the grip meanwhile.
  hand.write(STILL);
  const [x0, v0] = [hand.pose[0], hand.velocity[0]];
  const [mass, damping, stiffness] = [0.15, 0.9, 400];
  const decay = damping / (2 * mass);
  const turns = Math.sqrt(stiffness / mass - decay * decay);
  for (let cycle = 1; cycle <= 500; cycle += 1) {
    hand.write(STILL);
    const time = cycle * 0.001;
    const kicked = (v0 / turns) * Math.exp(-decay * time) * Math.sin(turns * time);
    expect(hand.pose[0]).toBeCloseTo(ringing(x0, mass, damping, stiffness, time) + kicked, 13);
  }
  const turned = createPose();
  turnPose(turned, Float64Array.of(0.2, -0.1, 0.3), 0);
  const turning = createSimulatedHand({
    start: turned,
    intent: (out) => out.set(createPose()),
    device: { inertia: 0.0002, torsionalDamping: 0.0007 },
    grip: { torsionalStiffness: 0.5, torsionalDamping: 0 },
  });
  turning.write(STILL);
  const turn = rotationOf(turning);
  const rate = turning.velocity.slice(3);
  const rotDecay = 0.0007 / 0.0004;
  const rotTurns = Math.sqrt(0.5 / 0.0002 - rotDecay * rotDecay);
  for (let cycle = 1; cycle <= 300; cycle += 1) {
    turning.write(STILL);
    const time = cycle * 0.001;
    const kicked = (Math.exp(-rotDecay * time) * Math.sin(rotTurns * time)) / rotTurns;
    for (let axis = 0; axis < 3; axis += 1) {
      const expected = ringing(turn[axis], 0.0002, 0.0007, 0.5, time) + rate[axis] * kicked;
      expect(rotationOf(turning)[axis]).toBeCloseTo(expected, 10);
    }
  }
});

function rotationOf(hand: SimulatedHand): Float64Array {
  const out = new Float64Array(3);
  rotationBetween(out, createPose(), hand.pose);
  return out;
}

test('very stiff grips, no mass to speak of, no damping at all: nothing runs away', () => {
  const hand = createSimulatedHand({
    intent: (out, time) => {
      out.set(createPose(0.1 * time));
    },
    device: { mass: 0.001, damping: 0 },
    grip: { stiffness: 1e7, damping: 10 },
  });
  for (let cycle = 0; cycle < 1000; cycle += 1) hand.write(STILL);
  expect(hand.pose[0]).toBeCloseTo(0.1, 9);
  expect(hand.velocity[0]).toBeCloseTo(0.1, 9);
  const drifting = createSimulatedHand({ ...FREE, device: { mass: 0.1, damping: 0 } });
  for (let cycle = 0; cycle < 1000; cycle += 1) drifting.write(Float64Array.of(0.2, 0, 0, 0, 0, 0));
  expect(drifting.pose[0]).toBeCloseTo(1, 12);
  expect(drifting.velocity[0]).toBeCloseTo(2, 12);
});

/** Plays a wall of stiffness K through the samples of the device. True if the swing has died down. */
function wallSettles(stiffness: number, options: SimulatedHandOptions, axis = 0): boolean {
  const start = createPose();
  const turn = new Float64Array(3);
  if (axis < 3) start[axis] = 1e-3;
  else {
    turn[axis - 3] = 1e-3;
    turnPose(start, turn, 0);
  }
  const hand = createSimulatedHand({ ...FREE, ...options, start });
  const pose = createPose();
  const wrench = new Float64Array(6);
  const swing = [0, 0];
  for (let cycle = 0; cycle < 8000; cycle += 1) {
    hand.read(pose);
    rotationBetween(turn, createPose(), pose);
    const at = axis < 3 ? pose[axis] : turn[axis - 3];
    wrench[axis] = -stiffness * at;
    hand.write(wrench);
    if (cycle < 1000) swing[0] = Math.max(swing[0], Math.abs(at));
    if (cycle >= 7000) swing[1] = Math.max(swing[1], Math.abs(at));
    if (Math.abs(at) > 1) return false;
  }
  return swing[1] < swing[0];
}

/**
 * The stiffness at which an eigenvalue of the sampled system reaches the unit circle. The force −K x_n is held for T:
 * with e = exp(−bT/m), p = m (1 − e)/b, r = (T − p) m/b: x' = x + p v − (K/m) r x, v' = e v − (K/m) p x. The
 * determinant reaches 1 at K/m = (1 − e)/(p² − e r).
 */
function exactLimit(mass: number, damping: number, timeStep: number): number {
  const e = Math.exp((-damping * timeStep) / mass);
  const p = ((1 - e) * mass) / damping;
  const r = ((timeStep - p) * mass) / damping;
  return (mass * (1 - e)) / (p * p - e * r);
}

test.each([
  { timeStep: 0.001, mass: 0.1, damping: 0.5 },
  { timeStep: 0.001, mass: 0.1, damping: 5 },
  { timeStep: 0.00025, mass: 0.05, damping: 2 },
])('a sampled wall is stable up to the limit of the sampled system ($timeStep s, $damping N s/m)', (parameters) => {
  const { timeStep, mass, damping } = parameters;
  const limit = exactLimit(mass, damping, timeStep);
  // Colgate and Schenkel's b > KT/2 guarantees less than the device can bear, and is close to it for a heavy device.
  const guaranteed = (2 * damping) / timeStep;
  expect(guaranteed / limit).toBeLessThanOrEqual(1.0001);
  expect(guaranteed / limit).toBeGreaterThan(0.9);
  expect(wallSettles(0.99 * limit, { timeStep, device: { mass, damping } })).toBe(true);
  expect(wallSettles(1.01 * limit, { timeStep, device: { mass, damping } })).toBe(false);
});

test('the same for turning', () => {
  const limit = exactLimit(1e-4, 5e-4, 0.001);
  const options = { device: { inertia: 1e-4, torsionalDamping: 5e-4 } };
  expect(wallSettles(0.99 * limit, options, 4)).toBe(true);
  expect(wallSettles(1.01 * limit, options, 4)).toBe(false);
});

/** Largest |eigenvalue| of the sampled wall whose force comes one time step late: x, v, and the force in effect. */
function lateRadius(stiffness: number, mass: number, damping: number, timeStep: number): number {
  const e = Math.exp((-damping * timeStep) / mass);
  const p = ((1 - e) * mass) / damping;
  const r = ((timeStep - p) * mass) / damping;
  let state = [1, 0.3, -0.2];
  let growth = 0;
  const cycles = 10_000;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const [x, v, f] = state as [number, number, number];
    state = [x + p * v + (r / mass) * f, e * v + (p / mass) * f, -stiffness * x];
    const size = Math.hypot(state[0]!, state[1]! / 100, state[2]! / stiffness);
    growth += Math.log(size);
    state = state.map((value) => value / size);
  }
  return Math.exp(growth / cycles);
}

test.each(['read', 'force'] as const)('latency of %s lowers the limit as the eigenvalues say', (side) => {
  const [mass, damping, timeStep] = [0.1, 2, 0.001];
  let [stable, unstable] = [0, exactLimit(mass, damping, timeStep)];
  while (unstable - stable > 1) {
    const middle = 0.5 * (stable + unstable);
    if (lateRadius(middle, mass, damping, timeStep) < 1) stable = middle;
    else unstable = middle;
  }
  expect(stable).toBeLessThan(0.4 * exactLimit(mass, damping, timeStep));
  const options = { device: { mass, damping }, latency: { [side]: timeStep } };
  expect(wallSettles(0.99 * stable, options)).toBe(true);
  expect(wallSettles(1.01 * stable, options)).toBe(false);
});

test('latencies of parts of a time step and of many: poses and forces come as late as they should', () => {
  const hand = createSimulatedHand({ ...FREE, latency: { read: 0.0033, force: 0.0046 }, device: { damping: 0 } });
  const pose = createPose();
  const push = Float64Array.of(1, 0, 0, 0, 0, 0);
  for (let cycle = 1; cycle <= 20; cycle += 1) {
    hand.write(push);
    const moved = Math.max(0, cycle * 0.001 - 0.0046);
    expect(hand.pose[0]).toBeCloseTo(0.5 * 10 * moved * moved, 14);
    hand.read(pose);
    const seen = Math.max(0, cycle * 0.001 - 0.0046 - 0.0033);
    expect(pose[0]).toBeCloseTo(0.5 * 10 * seen * seen, 14);
  }
});

test('encoders show whole steps, never further from the truth than half of one', () => {
  const resolution = { translation: 2e-5, rotation: 5e-4 };
  const hand = createSimulatedHand({
    encoder: resolution,
    tremor: { translation: 1e-3, rotation: 0.02 },
    centre: [0, 0, 0],
  });
  const pose = createPose();
  const turn = new Float64Array(3);
  for (let cycle = 0; cycle < 500; cycle += 1) {
    hand.write(STILL);
    hand.read(pose);
    rotationBetween(turn, createPose(), pose);
    const truth = rotationOf(hand);
    for (let axis = 0; axis < 3; axis += 1) {
      expect(Math.abs(pose[axis] - hand.pose[axis])).toBeLessThanOrEqual(1.0001e-5);
      expect(Math.abs(turn[axis] - truth[axis])).toBeLessThanOrEqual(2.5001e-4);
      expect(Math.abs(pose[axis] / 2e-5 - Math.round(pose[axis] / 2e-5))).toBeLessThan(1e-9);
      expect(Math.abs(turn[axis] / 5e-4 - Math.round(turn[axis] / 5e-4))).toBeLessThan(1e-6);
    }
  }
});

test('the tremor has the size and the band that were asked for, and comes from its seed', () => {
  const trembling = (seed: number, timeStep: number) =>
    createSimulatedHand({ seed, timeStep, tremor: { translation: 1e-4, rotation: 1e-3, frequency: 10 } });
  for (const timeStep of [0.001, 0.00025]) {
    const hand = trembling(3, timeStep);
    const cycles = Math.round(20 / timeStep);
    let squares = 0;
    let crossings = 0;
    let last = 0;
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      hand.write(STILL);
      squares += hand.intended[1] ** 2;
      if (hand.intended[1] * last < 0) crossings += 1;
      last = hand.intended[1];
    }
    expect(Math.sqrt(squares / cycles) / 1e-4).toBeGreaterThan(0.85);
    expect(Math.sqrt(squares / cycles) / 1e-4).toBeLessThan(1.15);
    expect(crossings / 2 / 20).toBeGreaterThan(9);
    expect(crossings / 2 / 20).toBeLessThan(11);
  }
  const play = (seed: number) => {
    const hand = trembling(seed, 0.001);
    for (let cycle = 0; cycle < 300; cycle += 1) hand.write(Float64Array.of(0.1, 0, -0.2, 0.01, 0, 0.02));
    return [...hand.pose, ...hand.velocity];
  };
  expect(play(7)).toEqual(play(7));
  expect(play(7)).not.toEqual(play(8));
});

/** The same hand by Runge and Kutta's steps, a hundred times as fine, with its powers integrated beside it. */
function referenceEnergies(force: (cycle: number) => number, cycles: number) {
  const [mass, b, k, g] = [0.1, 0.8, 250, 2];
  const h = 1e-5;
  const intent = (time: number) => 0.02 * time;
  let state = [0, 0, 0, 0, 0];
  const rates = ([x, v]: readonly number[], f: number, time: number) => {
    const pull = k * (x! - intent(time)) + g * (v! - 0.02);
    return [v!, (f - b * v! - pull) / mass, f * v!, b * v! * v!, pull * v!];
  };
  for (let n = 0; n < cycles * 100; n += 1) {
    const f = force(Math.floor(n / 100));
    const time = n * h;
    const move = (by: readonly number[], part: number) => state.map((value, i) => value + part * by[i]!);
    const k1 = rates(state, f, time);
    const k2 = rates(move(k1, h / 2), f, time + h / 2);
    const k3 = rates(move(k2, h / 2), f, time + h / 2);
    const k4 = rates(move(k3, h), f, time + h);
    state = state.map((value, i) => value + (h / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!));
  }
  const [position, velocity, given, damped, toHand] = state as [number, number, number, number, number];
  return { position, velocity, given, damped, toHand };
}

test('the account of energy: work, what damping took and what the hand got, as finely integrated', () => {
  const force = (cycle: number) => 2 * Math.sin(0.05 * cycle) + (cycle % 7 === 0 ? 1 : 0);
  const hand = createSimulatedHand({
    device: { mass: 0.1, damping: 0.8 },
    grip: { stiffness: 250, damping: 2 },
    intent: (out, time) => out.set(createPose(0.02 * time)),
  });
  let most = 0;
  for (let cycle = 0; cycle < 400; cycle += 1) {
    hand.write(Float64Array.of(force(cycle), 0, 0, 0, 0, 0));
    most = Math.max(most, hand.energy.given);
  }
  const reference = referenceEnergies(force, 400);
  expect(hand.pose[0]).toBeCloseTo(reference.position, 11);
  expect(hand.velocity[0]).toBeCloseTo(reference.velocity, 10);
  expect(hand.energy.given).toBeCloseTo(reference.given, 10);
  expect(hand.energy.damped).toBeCloseTo(reference.damped, 10);
  expect(hand.energy.toHand).toBeCloseTo(reference.toHand, 10);
  expect(hand.energy.mostGiven).toBe(most);
});

test('a grip gives no more than its strength', () => {
  const hand = createSimulatedHand({ grip: { force: 2, damping: 20 }, device: { damping: 10 } });
  for (let cycle = 0; cycle < 2000; cycle += 1) hand.write(Float64Array.of(0, 0, 5, 0, 0, 0));
  // 5 N against 2 N of the fingers: 3 N are left for the damping of the device.
  expect(hand.velocity[2]).toBeCloseTo(0.3, 6);
  const held = createSimulatedHand({ grip: { force: 6 } });
  for (let cycle = 0; cycle < 2000; cycle += 1) held.write(Float64Array.of(0, 0, 5, 0, 0, 0));
  expect(held.pose[2]).toBeCloseTo(5 / 300, 6);
});

test('motors give no more than their limits, and nothing for numbers that are none', () => {
  const hand = createSimulatedHand({ limits: { force: 2, torque: 0.1 } });
  for (let cycle = 0; cycle < 2000; cycle += 1) hand.write(Float64Array.of(100, 0, 0, 0, 0, 0));
  expect(hand.pose[0]).toBeCloseTo(2 / 300, 6);
  for (let cycle = 0; cycle < 2000; cycle += 1) hand.write(new Float64Array(6).fill(Number.NaN));
  expect(hand.pose[0]).toBeCloseTo(0, 6);
});

test('a hand that wants to be nowhere stays where it is', () => {
  const hand = createSimulatedHand({
    intent: (out, time) => out.set(createPose(0.1, time > 0.01 ? Number.NaN : 0)),
  });
  for (let cycle = 0; cycle < 100; cycle += 1) hand.write(STILL);
  hand.intend(new Float64Array(7));
  for (let cycle = 0; cycle < 100; cycle += 1) hand.write(STILL);
  expect([...hand.pose]).toEqual([...createPose(0.1)]);
});

test('wrench and grip act at the centre of mass: a force alone does not turn, a torque alone does not move it', () => {
  const start = createPose(0.1, 0.2, 0.3, 0, 0, Math.SQRT1_2, Math.SQRT1_2);
  const hand = createSimulatedHand({ ...FREE, start, centre: [0.05, 0, 0] });
  const pose: Pose = createPose();
  hand.read(pose);
  for (let k = 0; k < 7; k += 1) expect(pose[k]).toBeCloseTo(start[k], 15);
  for (let cycle = 0; cycle < 100; cycle += 1) hand.write(Float64Array.of(0, 0, 0, 0, 0, 0.001));
  // The centre lies at (0.1, 0.25, 0.3); the origin of the body turns about it.
  const fromCentre = Math.hypot(hand.pose[0] - 0.1, hand.pose[1] - 0.25, hand.pose[2] - 0.3);
  expect(fromCentre).toBeCloseTo(0.05, 12);
  expect(hand.velocity[5]).toBeGreaterThan(0.1);
  expect(hand.velocity[0]).toBe(0);
});

test.each([
  [{ device: { mass: 0 } }, 'device.mass'],
  [{ grip: { stiffness: -1 } }, 'grip.stiffness'],
  [{ timeStep: Number.NaN }, 'timeStep'],
  [{ subSteps: 3 }, 'subSteps'],
  [{ latency: { read: 5 } }, 'latency.read'],
  [{ tremor: { translation: 1e-4, frequency: 400 } }, 'tremor.frequency'],
  [{ limits: { force: Number.NaN, torque: 1 } }, 'limits.force'],
  [{ start: new Float64Array(7) }, 'start'],
  [{ encoder: { rotation: Number.POSITIVE_INFINITY } }, 'encoder.rotation'],
] as [SimulatedHandOptions, string][])('refuses %j', (options, path) => {
  expect(() => createSimulatedHand(options)).toThrow(expect.objectContaining({ code: 'option-invalid', path }));
});
