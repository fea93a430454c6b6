import { expect, it } from 'vitest';
import { createPose } from '../../math/pose.js';
import { createWorldContacts } from './contacts.js';
import { placeContacts } from './place-contacts.js';
import { RECORD_FIRST_POINT, RECORD_POINT, recordAt } from './proximity-model.js';
import { createBar, elasticBody, floorBody, planeModel, verticesAt, worldSetup } from './rig.fixture.js';
import { createWorldBody } from './world-body.js';

const bar = createBar([4, 4, 6]);
const base = verticesAt(bar.surface, 0);
const REACH = Float64Array.of(1e-4);

/** The base of a bar that is `height` above the floor, `bent` higher when the model was made; `far` of its records 5 mm further down. */
function place({ height = 5e-5, bent = 0, far = 0, room = 40 }) {
  const setup = worldSetup([elasticBody(bar, 1e7, { pose: createPose(0, 0, height) }), floorBody()]);
  const bodies = setup.bodies.map((body) => createWorldBody(body, setup.options, 100));
  const model = planeModel(bar.surface, base, 0.01);
  for (let n = 0; n < base.length; n += 1) {
    model[recordAt(n) + RECORD_FIRST_POINT + 2] += bent;
    if (n >= base.length - far) model[recordAt(n) + RECORD_POINT + 2] -= 5e-3;
  }
  const contacts = createWorldContacts(room, 10, 1);
  const isFull = placeContacts(contacts, model, bodies, setup.pairs, REACH);
  return { contacts, isFull, measured: bodies[0].touched.count };
}

it('measures only what may meet: the deformation of all other vertices is not worked out', () => {
  expect(base).toHaveLength(25);
  const { contacts, isFull, measured } = place({ far: 15 });
  expect(isFull).toBe(false);
  expect(contacts.count).toBe(10);
  expect(measured).toBe(10);
  for (let c = 0; c < contacts.count; c += 1) expect(contacts.gap[c]).toBeCloseTo(5e-5, 12);
});

it('measures again what bending may have brought near since the model was made, as seen on the nearest', () => {
  // By the model all are half a millimetre away.
  const { contacts } = place({ bent: 5e-4 });
  expect(contacts.count).toBe(25);
  for (let c = 0; c < contacts.count; c += 1) expect(contacts.gap[c]).toBeCloseTo(5e-5, 12);
  expect(place({ bent: 5e-4, far: 15 }).contacts.count).toBe(10);
});

it('leaves out records that are not finite', () => {
  expect(place({ bent: Number.NaN }).contacts.count).toBe(25);
  expect(place({ height: Number.NaN }).contacts.count).toBe(0);
});

it('gives room to those that overlap first', () => {
  const { contacts, isFull } = place({ height: -5e-5, room: 6 });
  expect(isFull).toBe(true);
  expect(contacts.count).toBe(6);
  for (let c = 0; c < contacts.count; c += 1) expect(contacts.gap[c]).toBeLessThan(0);
});
