import { describe, expect, it } from 'vitest';
import { checksum } from '../asset/checksum.js';
import { isPalpableError } from '../base/errors.js';
import { auditMesh } from '../mesh/audit.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildModel, builtInModels } from './models.js';

interface Expected {
  /** Triangles, exactly for the parts with exact faces. */
  readonly triangles: readonly [least: number, most: number];
  /** Of the box around it, mm. */
  readonly sizeMm: readonly [number, number, number];
  /** Litres. */
  readonly volume: number;
  /** Of positions and triangles; none where sine and cosine of the host go into the positions. */
  readonly hash: number | null;
}

const expected: Record<string, Expected> = {
  corner: { triangles: [48, 48], sizeMm: [620, 620, 620], volume: 22.328, hash: 0x65c2f724 },
  peg: { triangles: [12, 12], sizeMm: [50, 50, 150], volume: 0.375, hash: 0x67b2412a },
  'peg-hole': { triangles: [64, 64], sizeMm: [150, 150, 100], volume: 2.005, hash: 0x1f5f1fb7 },
  'round-peg': { triangles: [384, 384], sizeMm: [50, 50, 150], volume: 0.2943, hash: null },
  'round-hole': { triangles: [768, 768], sizeMm: [150, 150, 100], volume: 2.0577, hash: null },
  'starter-motor': { triangles: [40_000, 56_000], sizeMm: [214.5, 124, 133.5], volume: 0.967, hash: 0x4575e7ed },
  'engine-block': { triangles: [80_000, 99_000], sizeMm: [613, 484, 450], volume: 45.3, hash: 0x95c2c8f4 },
  'window-motor': { triangles: [25_000, 40_000], sizeMm: [203, 54, 120.6], volume: 0.304, hash: 0xe3a996d7 },
  'car-door': { triangles: [40_000, 60_000], sizeMm: [1050, 59.8, 1020.1], volume: 2.735, hash: 0x091b11db },
  spoon: { triangles: [1344, 1344], sizeMm: [200, 39.96, 16.18], volume: 0.005468, hash: 0xda972df8 },
  clip: { triangles: [2232, 2232], sizeMm: [25.18, 12, 39.51], volume: 0.004473, hash: 0x4fece933 },
  pipe: { triangles: [1920, 1920], sizeMm: [20, 60, 20], volume: 0.008241, hash: 0xad8bb5cc },
  table: { triangles: [92, 92], sizeMm: [200, 140, 135], volume: 0.528, hash: 0x6663e553 },
  'table-braced': { triangles: [324, 324], sizeMm: [200, 140, 135], volume: 0.54976, hash: 0xb0575695 },
};

function hashOf({ positions, triangles }: TriangleMesh): number {
  const bytes = (array: Float64Array | Uint32Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return (checksum(bytes(positions)) ^ checksum(bytes(triangles))) >>> 0;
}

describe.each(builtInModels)('the model $name', (model) => {
  const { name, description } = model;
  const mesh = model.build();
  const audit = auditMesh(mesh);

  it('is one closed, manifold surface that faces outward', () => {
    expect(audit).toMatchObject({
      closed: true,
      openEdges: 0,
      nonManifoldEdges: 0,
      inconsistentEdges: 0,
      misorientedTriangles: 0,
      degenerateTriangles: 0,
      duplicateTriangles: 0,
      components: 1,
      cavities: 0,
    });
  });

  it('has its size and volume', () => {
    const { triangles, sizeMm, volume } = expected[name];
    expect(audit.triangles).toBeGreaterThanOrEqual(triangles[0]);
    expect(audit.triangles).toBeLessThanOrEqual(triangles[1]);
    for (const axis of [0, 1, 2]) expect(Math.abs(1000 * audit.size[axis] - sizeMm[axis])).toBeLessThan(0.05);
    expect(Math.abs(1000 * audit.volume - volume)).toBeLessThan(0.005 * volume);
  });

  it('is the same to the bit every time', () => {
    const { hash } = expected[name];
    if (hash !== null) expect(hashOf(mesh)).toBe(hash);
    expect(hashOf(buildModel(name))).toBe(hashOf(mesh));
  });

  it('tells in a sentence what it is', () => {
    expect(description).toMatch(/^[A-Z].*\.$/);
  });
});

it('knows no two models of one name', () => {
  expect(new Set(builtInModels.map(({ name }) => name)).size).toBe(builtInModels.length);
});

it('names the models there are when asked for another', () => {
  try {
    buildModel('pegg');
    expect.unreachable();
  } catch (error) {
    if (!isPalpableError(error)) throw error;
    expect(error.code).toBe('option-invalid');
    expect(error.message).toMatch(
      /no built-in model "pegg"; choose one of corner, peg, peg-hole, .*car-door, spoon, .*table-braced\.$/,
    );
  }
});
