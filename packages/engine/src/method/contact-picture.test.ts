import { expect, test } from 'vitest';
import { createContactQuery } from '../contact/create-contact-query.js';
import { buildField } from '../field/build-field.js';
import { FRICTION_NONE, FRICTION_SLIP, FRICTION_STICK } from '../friction/friction-model.js';
import { createPose } from '../math/pose.js';
import { massProperties } from '../mesh/mass-properties.js';
import { createBox } from '../mesh/shapes.js';
import { buildShell } from '../shell/build-shell.js';
import { contactPictureBytes, viewContactPicture } from './contact-picture.js';
import { createMethodOutput } from './method.js';
import { createPenaltyMethod } from './penalty/penalty.js';
import { rigOptions } from './rig.fixture.js';
import { createStaticFrictionMethod } from './static-friction/static-friction.js';
import { createContactPair, createToolBody } from './tool-contacts.js';

const BLOCK = createBox(0.02, 0.02, 0.02);
const TOOL = createToolBody({ mesh: BLOCK, unitMass: massProperties(BLOCK, 1) });
const field = await buildField(createBox(0.1, 0.1, 0.02), { resolution: 48 });
const query = createContactQuery(buildShell(BLOCK, { count: 600 }), field, { shellOn: 'tool' });
const pair = createContactPair(query, { staticCoefficient: 0.4 });

function createPicture(capacity: number) {
  return viewContactPicture(new ArrayBuffer(contactPictureBytes(capacity)), 0, capacity);
}

test('the normal forces of a pressed block add up to what is felt', () => {
  const method = createPenaltyMethod(TOOL, [pair], { stiffness: 2000 });
  const output = createMethodOutput();
  method.step(output, createPose(0, 0, 0.019));
  const picture = createPicture(600);
  method.draw!(picture);
  expect(picture.numbers[0]).toBe(output.contacts);
  let force = 0;
  for (let c = 0; c < output.contacts; c += 1) {
    force += picture.normalForce[c] * picture.normal[3 * c + 2];
    expect(picture.state[c]).toBe(FRICTION_NONE);
    expect(picture.position[3 * c + 2]).toBeLessThan(0.01);
  }
  expect(force / output.wrench[2]).toBeCloseTo(1, 4);
});

test('friction is drawn on the tool, within its cone, and as sticking or slipping', () => {
  const method = createStaticFrictionMethod(TOOL, [pair], rigOptions());
  const output = createMethodOutput();
  const picture = createPicture(600);
  const push = (sideways: number) => {
    method.reset(createPose(0, 0, 0.0202));
    for (let cycle = 0; cycle < 20; cycle += 1) method.step(output, createPose(0, 0, 0.018));
    for (let cycle = 0; cycle < 3; cycle += 1) method.step(output, createPose(sideways, 0, 0.018));
    method.draw!(picture);
  };
  push(0.0003);
  expect(picture.numbers[0]).toBeGreaterThan(10);
  for (let c = 0; c < picture.numbers[0]; c += 1) {
    expect(picture.coefficient[c]).toBeCloseTo(0.4, 6);
    const along = Math.hypot(...picture.friction.subarray(3 * c, 3 * c + 3));
    expect(along).toBeLessThanOrEqual(0.4 * picture.normalForce[c] * (1 + 1e-5) + 1e-9);
    expect(picture.state[c]).toBe(FRICTION_STICK);
  }
  push(0.02);
  let pull = 0;
  for (let c = 0; c < picture.numbers[0]; c += 1) pull += picture.friction[3 * c];
  expect(pull).toBeLessThan(0);
  expect(picture.state[0]).toBe(FRICTION_SLIP);
});

test('what does not fit is left out', () => {
  const method = createPenaltyMethod(TOOL, [pair], { stiffness: 2000 });
  method.step(createMethodOutput(), createPose(0, 0, 0.019));
  const picture = createPicture(5);
  method.draw!(picture);
  expect(picture.numbers[0]).toBe(5);
});
