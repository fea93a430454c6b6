import { beforeAll, describe, expect, it } from 'vitest';
import { sampleDistance } from '../field/sample-field.js';
import { createBox, createSphere } from '../mesh/shapes.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { validateShell } from '../shell/validate-shell.js';
import { packContainer } from './container.js';
import { decodeAsset, encodeAsset, type PreparedBody, prepareBody } from './prepared-body.js';

const options = { field: { resolution: 16 }, shell: { count: 200 } };

const sheet: TriangleMesh = {
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0),
  triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
};

/** A box without its first two triangles, one side. */
function openBox(): TriangleMesh {
  const box = createBox(1, 1, 1);
  return { positions: box.positions, triangles: box.triangles.slice(6) };
}

describe('a prepared body', () => {
  let body: PreparedBody;
  let asset: Uint8Array;
  beforeAll(async () => {
    body = await prepareBody(createSphere(0.1, 6), options);
    asset = encodeAsset(body);
  });

  it('survives the way through an asset to the bit', () => {
    const read = decodeAsset(asset);
    expect(read).toEqual(body);
    expect(encodeAsset(read)).toEqual(asset);
    expect(read.shell!.count).toBe(200);
    expect(validateShell(read.shell!)).toEqual([]);
    expect(sampleDistance(read.field!, 0.05, 0.01, 0)).toBe(sampleDistance(body.field!, 0.05, 0.01, 0));
  });

  it('survives it from any place in a buffer', () => {
    for (const offset of [1, 4, 7]) {
      const buffer = new Uint8Array(asset.length + offset);
      buffer.set(asset, offset);
      expect(decodeAsset(buffer.subarray(offset))).toEqual(body);
    }
  });

  it('has a convex hierarchy where one is wanted, and survives with it', async () => {
    expect(body.hierarchy).toBeNull();
    const wanted = { field: null, shell: null, hierarchy: { tolerance: 0.01 } };
    const layered = await prepareBody(createSphere(0.1, 6), wanted);
    const bytes = encodeAsset(layered);
    expect(decodeAsset(bytes)).toEqual(layered);
    expect(encodeAsset(decodeAsset(bytes))).toEqual(bytes);
    const leaves = layered.hierarchy!.deviation.filter((_, node) => layered.hierarchy!.child[2 * node] < 0);
    expect(Math.max(...leaves)).toBeLessThanOrEqual(0.001 * (1 + 1e-9));
    const finer = await prepareBody(createSphere(0.1, 6), { ...wanted, hierarchy: {} });
    expect(finer.hierarchy!.nodeCount).toBeGreaterThanOrEqual(layered.hierarchy!.nodeCount);
  });

  it('tells of its progress in one piece', async () => {
    const told: number[] = [];
    await prepareBody(createBox(1, 1, 1), { ...options, hierarchy: {} }, { onProgress: (_, done) => told.push(done) });
    expect(told.at(-1)).toBe(1);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  });

  it('is prepared the same twice', async () => {
    expect(encodeAsset(await prepareBody(createSphere(0.1, 6), options))).toEqual(asset);
  });

  it('is refused with a bit changed or bytes missing, wherever', () => {
    for (let at = 0; at < asset.length; at += Math.ceil(asset.length / 97)) {
      const altered = asset.slice();
      altered[at] ^= 1 << (at % 8);
      expect(() => decodeAsset(altered), `byte ${at}`).toThrow(expect.objectContaining({ code: 'asset-invalid' }));
      expect(() => decodeAsset(asset.subarray(0, at))).toThrow(expect.objectContaining({ code: 'asset-invalid' }));
    }
  });

  it('is refused when a container holds something else or too little', () => {
    expect(() => decodeAsset(packContainer(null, new Map()))).toThrow('something other than a body');
    expect(() => decodeAsset(packContainer({ kind: 'song' }, new Map()))).toThrow('something other than a body');
    expect(() => decodeAsset(packContainer({ kind: 'body' }, new Map()))).toThrow('lacks its part "mesh.positions"');
  });

  it('can do without field or shell', async () => {
    const fieldOnly = await prepareBody(createBox(1, 1, 1), { field: { resolution: 8 }, shell: null });
    const shellOnly = await prepareBody(createBox(1, 1, 1), { field: null, shell: { count: 50 } });
    expect([fieldOnly.field === null, fieldOnly.shell === null]).toEqual([false, true]);
    expect([shellOnly.field === null, shellOnly.shell === null]).toEqual([true, false]);
    for (const each of [fieldOnly, shellOnly]) expect(decodeAsset(encodeAsset(each))).toEqual(each);
  });

  it('of one point survives as well', async () => {
    const lone = await prepareBody(createBox(1, 1, 1), { field: null, shell: { count: 1 } });
    expect(decodeAsset(encodeAsset(lone))).toEqual(lone);
  });

  it('has its mass from the mesh when that is closed', async () => {
    const { unitMass, massFrom } = await prepareBody(createBox(1, 2, 3), { field: null, shell: null });
    expect(massFrom).toBe('mesh');
    expect(unitMass!.mass).toBeCloseTo(6, 12);
  });

  it('has its mass from the field when the mesh is open', async () => {
    const open = await prepareBody(openBox(), { field: { resolution: 32 }, shell: null });
    expect(open.massFrom).toBe('field');
    expect(open.unitMass!.volume).toBeCloseTo(1, 2);
    expect(decodeAsset(encodeAsset(open))).toEqual(open);
  });

  it('has no mass without volume, or without a field to find it', async () => {
    const flat = await prepareBody(sheet, { field: { resolution: 8 }, shell: null });
    expect([flat.massFrom, flat.unitMass]).toEqual(['nothing', null]);
    expect(decodeAsset(encodeAsset(flat))).toEqual(flat);
    const unknown = await prepareBody(openBox(), { field: null, shell: null });
    expect([unknown.massFrom, unknown.unitMass]).toEqual(['nothing', null]);
  });

  it.each([
    ['field and shell', options],
    ['shell alone', { field: null, shell: { count: 100 } }],
  ])('reports progress that never falls and ends at 1: %s', async (_, parts) => {
    const fractions: number[] = [];
    await prepareBody(createSphere(0.1, 6), parts, { onProgress: (_stage, fraction) => fractions.push(fraction) });
    expect(fractions.slice(1).every((fraction, n) => fraction >= fractions[n])).toBe(true);
    expect(fractions.at(-1)).toBe(1);
  });
});
