import { beforeAll, describe, expect, it } from 'vitest';
import { packArray } from '../asset/pack-array.js';
import { createBox, createSphere, createTorus } from '../mesh/shapes.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildField } from './build-field.js';
import type { DistanceField } from './distance-field.js';
import { packValues, QUANTA_PER_VOXEL, quantize, unpackValues } from './pack-values.js';

/** A sphere without one side: it has bricks on both sides of an opening. */
function openSphere(): TriangleMesh {
  const { positions, triangles } = createSphere(0.1, 8);
  return { positions, triangles: triangles.slice(0, 3 * Math.floor(triangles.length / 4)) };
}

/** −0 is not 0 here. */
function sameBits(a: Float32Array, b: Float32Array): boolean {
  return a.length === b.length && a.every((value, n) => Object.is(value, b[n]));
}

describe('the values of a field', () => {
  const fields = new Map<string, DistanceField>();
  beforeAll(async () => {
    fields.set('box', await buildField(createBox(0.1, 0.07, 0.03), { resolution: 40 }));
    fields.set('torus', await buildField(createTorus(0.1, 0.03), { resolution: 64 }));
    fields.set('sheet', await buildField(createBox(0.1, 0.1, 1e-4), { resolution: 48, offset: 0.004 }));
    fields.set('open', await buildField(openSphere(), { resolution: 40 }));
  });

  it.each(['box', 'torus', 'sheet', 'open'])('come back to the bit: %s', (name) => {
    const field = fields.get(name)!;
    const quantum = field.voxelSize / QUANTA_PER_VOXEL;
    const packed = packValues(field, field.brickOf, field, quantum)!;
    const values = unpackValues(field, field.brickOf, packed, quantum)!;
    expect(sameBits(values.coarse, field.coarse)).toBe(true);
    expect(sameBits(values.bricks, field.bricks)).toBe(true);
    expect(packed.bricks.length).toBeLessThan(0.85 * field.bricks.length);
    const bytes = packArray(packed.bricks).length + packArray(packed.coarse).length;
    expect(bytes).toBeLessThan(0.25 * (field.bricks.byteLength + field.coarse.byteLength));
  });

  it('are rounded by half a quantum at most, a thousandth of a voxel and less', () => {
    const values = Float32Array.from({ length: 999 }, (_, n) => (n - 500) * 1.234e-5);
    const rounded = values.slice();
    quantize(rounded, 1e-4);
    for (const [n, value] of rounded.entries()) {
      expect(Math.abs(value - values[n]!)).toBeLessThan(0.5001e-4);
      expect(Object.is(value, -0)).toBe(false);
    }
    expect(0.5 / QUANTA_PER_VOXEL).toBeLessThan(1e-3);
  });

  it('are not packed if they are no multiples, or two bricks disagree', () => {
    const field = fields.get('torus')!;
    const quantum = field.voxelSize / QUANTA_PER_VOXEL;
    expect(packValues(field, field.brickOf, field, 1.01 * quantum)).toBeNull();
    for (const node of [0, 40, 400]) {
      const bricks = field.bricks.slice();
      bricks[bricks.length - 729 + node]! += 100 * quantum;
      const packed = packValues(field, field.brickOf, { coarse: field.coarse, bricks }, quantum);
      // A node that no other brick has is just another value.
      if (packed)
        expect(
          unpackValues(field, field.brickOf, packed, quantum)!.bricks.every((value, n) => value === bricks[n]),
        ).toBe(true);
      else expect(node).not.toBe(400);
    }
  });

  it('are refused if some are missing', () => {
    const field = fields.get('torus')!;
    const quantum = field.voxelSize / QUANTA_PER_VOXEL;
    const packed = packValues(field, field.brickOf, field, quantum)!;
    const { coarse, bricks } = packed;
    expect(unpackValues(field, field.brickOf, { coarse, bricks: bricks.subarray(1) }, quantum)).toBeNull();
    expect(unpackValues(field, field.brickOf, { coarse: coarse.subarray(1), bricks }, quantum)).toBeNull();
    expect(unpackValues(field, field.brickOf.subarray(1), packed, quantum)).toBeNull();
  });
});
