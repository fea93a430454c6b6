import { describe, expect, it } from 'vitest';
import { createPose } from '../../math/pose.js';
import { turnPose } from '../../math/rotation.js';
import { createRigidLoad } from '../../mechanics/point-load.js';
import { createRigidBody, createRigidMotion, STATE_SIZE, updateMotion } from '../../mechanics/rigid-motion.js';
import { addContact, beginContactStep, type ContactLoadOptions, createContactLoad } from './contact-load.js';
import { type ContactModel, createContactModel } from './contact-model.js';
import { createModularContactSide } from './contact-side.js';
import { boxTool, modularOptions, planeContacts } from './modular-rig.fixture.js';
import { createToolState, poseToState } from './tool-state.js';

const SIZE = [0.06, 0.04, 0.02] as const;
const TOOL = boxTool(0.01, SIZE);
const BODY = createRigidBody(TOOL.mass, TOOL.inertia);
const D = 0.001;
const K = 5000;
const OPTIONS: ContactLoadOptions = {
  linearised: true,
  heldJacobian: false,
  tangentialStiffness: 5000,
  tangentialDamping: 0,
  fadeAfter: 0.1,
  fadeTime: 0.05,
  recovery: 0.02,
};
const DT = Float64Array.of(0.001);

/** The centre of the box at `height` above where its lower side would touch. */
function stateAt(height: number): Float64Array {
  const y = new Float64Array(STATE_SIZE);
  poseToState(y, createPose(-0.002, 0.001, height + SIZE[2] / 2 - 0.003), TOOL);
  return y;
}

function findModel(y: Float64Array): ContactModel {
  const options = modularOptions({ contact: { stiffness: K, damping: 0, tolerance: D, clusters: 4 } });
  const side = createModularContactSide(TOOL, planeContacts(TOOL, SIZE, D), options);
  const model = createContactModel(4);
  const state = createToolState();
  state.set(y);
  side.update(model, state);
  return model;
}

function wrenchAt(model: ContactModel, y: Float64Array, options = OPTIONS, environment = createPose()): Float64Array {
  const contact = createContactLoad(BODY, 4, options);
  const motion = createRigidMotion(BODY);
  updateMotion(motion, y);
  beginContactStep(contact, model, y, motion, environment, DT);
  const load = createRigidLoad();
  addContact(load, contact, model, y, motion, false);
  return load.wrench;
}

describe('contact between two updates', () => {
  const model = findModel(stateAt(-0.0002));

  it('pushes with k (δ + d) for each corner where it was found', () => {
    const wrench = wrenchAt(model, stateAt(-0.0002));
    expect(wrench[2]).toBeCloseTo(4 * K * (0.0002 + D), 9);
    for (const i of [0, 1, 3, 4, 5]) expect(wrench[i]).toBeCloseTo(0, 9);
  });

  it('follows the tool when linearised, and not when held', () => {
    expect(wrenchAt(model, stateAt(-0.0007))[2]).toBeCloseTo(4 * K * (0.0007 + D), 9);
    expect(wrenchAt(model, stateAt(-0.0007), { ...OPTIONS, linearised: false })[2]).toBeCloseTo(
      4 * K * (0.0002 + D),
      9,
    );
  });

  it('never pulls', () => {
    const wrench = wrenchAt(model, stateAt(0.01));
    for (let i = 0; i < 6; i += 1) expect(wrench[i]).toBeCloseTo(0, 9);
  });

  it('lets go of single clusters as the tool tilts, and keeps the others', () => {
    const y = stateAt(0.0003);
    const pose = createPose();
    turnPose(pose, Float64Array.of(0, 0.04, 0), 0);
    y.set(pose.subarray(3), 3);
    const wrench = wrenchAt(model, y);
    // The two corners at +x are 0.03 sin(0.04) lower, give or take the change of their height by the cosine.
    const f = 2 * K * (D - 0.0003 + 0.03 * 0.04);
    expect(Math.abs(wrench[2] - f) / f).toBeLessThan(0.02);
    expect(Math.abs(wrench[4] + 0.03 * f) / (0.03 * f)).toBeLessThan(0.02);
  });

  it('is the same for both quaternions of one rotation', () => {
    const y = stateAt(-0.0005);
    const other = y.map((n, i) => (i >= 3 && i < 7 ? -n : n));
    const [a, b] = [wrenchAt(model, y), wrenchAt(model, other)];
    for (let i = 0; i < 6; i += 1) expect(b[i]).toBeCloseTo(a[i], 12);
  });

  it('goes with an environment that moved after the update', () => {
    const risen = wrenchAt(model, stateAt(-0.0002), OPTIONS, createPose(0, 0, 0.0005));
    expect(risen[2]).toBeCloseTo(4 * K * (0.0007 + D), 9);
    // Tool and environment turned together: the same push, turned.
    const environment = createPose();
    turnPose(environment, Float64Array.of(0.5, 0, 0), 0);
    const y = stateAt(-0.0002);
    const pose = createPose(-0.002, 0.001, -0.0002 + SIZE[2] / 2 - 0.003);
    const [, py, pz] = pose;
    pose[1] = Math.cos(0.5) * py - Math.sin(0.5) * pz;
    pose[2] = Math.sin(0.5) * py + Math.cos(0.5) * pz;
    turnPose(pose, Float64Array.of(0.5, 0, 0), 0);
    poseToState(y, pose, TOOL);
    const turned = wrenchAt(model, y, OPTIONS, environment);
    const f = 4 * K * (0.0002 + D);
    expect(turned[1]).toBeCloseTo(-Math.sin(0.5) * f, 9);
    expect(turned[2]).toBeCloseTo(Math.cos(0.5) * f, 9);
  });
});

it('fades when no new model comes, and comes back without a jump', () => {
  const y = stateAt(-0.0002);
  const model = findModel(y);
  const contact = createContactLoad(BODY, 4, OPTIONS);
  const motion = createRigidMotion(BODY);
  updateMotion(motion, y);
  const force = () => {
    beginContactStep(contact, model, y, motion, createPose(), DT);
    const load = createRigidLoad();
    addContact(load, contact, model, y, motion, false);
    return load.wrench[2];
  };
  const full = force();
  let last = full;
  const follow = (steps: number, eachStep: () => void = () => {}) => {
    for (let n = 0; n < steps; n += 1) {
      eachStep();
      const next = force();
      expect(Math.abs(next - last)).toBeLessThan(0.06 * full);
      last = next;
    }
    return last;
  };
  expect(follow(99)).toBe(full);
  expect(follow(400)).toBeLessThan(0.01 * full);
  const renew = () => {
    model[0] += 1;
  };
  expect(follow(50, renew)).toBeCloseTo(full, 9);
});
