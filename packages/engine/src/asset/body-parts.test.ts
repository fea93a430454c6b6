import { expect, test } from 'vitest';
import { createSphere } from '../mesh/shapes.js';
import { bodyWithPart, joinParts, wantedParts } from './body-parts.js';
import { encodeAsset, prepareBody } from './prepared-body.js';

const small = { field: { resolution: 16 }, shell: { count: 50 } };

test('settings are in full, so that defaults that are given and those that are not are the same', () => {
  const [field, shell] = [...wantedParts({}).values()];
  expect(field).toEqual({ resolution: 128, offset: 0 });
  expect([...wantedParts({ field: { resolution: 128 }, shell: { seed: 1 } }).values()]).toEqual([field, shell]);
  expect([...wantedParts({ field: null, shell: null }).keys()]).toEqual([]);
  expect([...wantedParts({ ...small, hierarchy: {}, elastic: null }).keys()]).toEqual(['field', 'shell', 'hierarchy']);
});

test.each([
  ['a closed mesh', 0],
  ['an open mesh, whose mass comes from its field', 3],
])('parts of %s, prepared together or alone, join to the same body', async (_, missing) => {
  const ball = createSphere(0.1, 4);
  const mesh = { ...ball, triangles: ball.triangles.slice(missing) };
  const whole = await prepareBody(mesh, small);
  const field = await prepareBody(mesh, { ...small, shell: null });
  const shell = await prepareBody(mesh, { ...small, field: null });
  expect(encodeAsset(bodyWithPart(whole, 'field'))).toEqual(encodeAsset(field));
  expect(encodeAsset(bodyWithPart(whole, 'shell'))).toEqual(encodeAsset(shell));
  const parts = [['shell', shell] as const, ['field', field] as const];
  expect(encodeAsset(joinParts(new Map(parts)))).toEqual(encodeAsset(whole));
});
