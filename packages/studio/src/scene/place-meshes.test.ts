import { createBox } from '@palpable/engine';
import { describe, expect, it } from 'vitest';
import { mergeMeshes, viewOf } from './place-meshes.js';

const HALF = Math.SQRT1_2;
const box = createBox(2, 1, 1);
const first = { body: { position: [1, 0, 0], rotation: [0, 0, HALF, HALF] }, mesh: box } as const;
const second = { body: { position: [1, 5, 0], rotation: [0, 0, HALF, HALF] }, mesh: box } as const;

describe('mergeMeshes', () => {
  it('puts all into the frame of the first', () => {
    const { positions, triangles } = mergeMeshes([first, second]);
    expect([...positions.subarray(0, box.positions.length)]).toEqual(
      Array.from(box.positions, (value) => expect.closeTo(value, 12)),
    );
    // A quarter turn about z: five metres along y of the world are five along x of the body.
    expect(positions[box.positions.length]).toBeCloseTo(box.positions[0]! + 5, 12);
    expect(triangles.length).toBe(2 * box.triangles.length);
    expect(Math.max(...triangles)).toBe(positions.length / 3 - 1);
  });

  it('leaves a single mesh alone', () => {
    expect(mergeMeshes([first])).toBe(box);
  });
});

describe('viewOf', () => {
  it('has all bodies in view and the floor below them', () => {
    const { centre, radius, floor } = viewOf([first, second]);
    expect(centre).toEqual([1, 2.5, 0].map((value) => expect.closeTo(value, 12)));
    expect(floor).toBeCloseTo(-0.5, 12);
    expect(radius).toBeGreaterThan(Math.hypot(1, 7, 1) / 2);
  });
});
