import { createBox, createPose, createSphere } from '@palpable/engine';
import { describe, expect, it } from 'vitest';
import { createOverlap, TOLERANCE } from './overlap.js';
import { createSolid } from './solid.js';

const atOrigin = createPose();
const box = (x: number, y: number, z: number) => createSolid(createBox(x, y, z));

function depthAt(tool: ReturnType<typeof box>, body: ReturnType<typeof box>, pose: Float64Array): number {
  return createOverlap(tool, body).depth(pose, atOrigin);
}

describe('the independent check of overlap', () => {
  it('finds a box in a box as deep as it is from the nearest face', () => {
    const [small, large] = [box(0.02, 0.02, 0.02), box(0.1, 0.1, 0.1)];
    // Its upper face is level with the middle: 50 mm to any side of it; further down the lower face counts.
    expect(depthAt(small, large, createPose(0, 0, 0.059))).toBeCloseTo(0.001, 5);
    expect(depthAt(small, large, createPose(0, 0, 0.03))).toBeCloseTo(0.03, 5);
    expect(depthAt(large, small, createPose(0, 0, 0.059))).toBeCloseTo(0.001, 5);
    expect(depthAt(small, large, createPose(0, 0, 0.0601))).toBe(0);
  });

  it('finds beams that cross, though no vertex is inside the other', () => {
    const [along, across] = [box(0.2, 0.02, 0.02), box(0.02, 0.2, 0.02)];
    // Two edges of each run through the other's middle, 10 mm from its sides and 19.5 mm from its ends of the overlap.
    expect(depthAt(along, across, createPose(0, 0, 0.0195))).toBeCloseTo(0.0005, 5);
    expect(depthAt(along, across, createPose(0, 0, 0.0205))).toBe(0);
    const overlap = createOverlap(along, across);
    expect(overlap.touches(createPose(0, 0, 0.0195), atOrigin)).toBe(true);
    expect(overlap.touches(createPose(0, 0, 0.0205), atOrigin)).toBe(false);
  });

  it('finds edge in edge', () => {
    const [ridge, other] = [box(0.1, 0.1, 0.1), box(0.1, 0.1, 0.1)];
    // Turned by 45° about x each, the edges along x and, turned by a right angle about z, along y cross.
    const half = Math.sin(Math.PI / 8);
    const over = createPose(0, 0, Math.SQRT2 * 0.1 - 0.001, 0, 0, 0, 1);
    over.set([half, 0, 0, Math.cos(Math.PI / 8)], 3);
    const under = createPose();
    under.set([0, half, 0, Math.cos(Math.PI / 8)], 3);
    // 1 mm of the height of the edge is 1 / √2 mm from either flank; found to 1 %.
    const depth = createOverlap(ridge, other).depth(over, under);
    expect(depth / (0.001 * Math.SQRT1_2)).toBeGreaterThan(0.99);
    expect(depth / (0.001 * Math.SQRT1_2)).toBeLessThan(1 + 1e-9);
  });

  it('finds a ball on a plane within what its facets leave', () => {
    const radius = 0.03;
    const [ball, plane] = [createSolid(createSphere(radius)), box(0.4, 0.4, 0.1)];
    const lowest = Math.min(...ball.corners.flat().map(({ z }) => z));
    for (const pressed of [1e-5, 0.0004, 0.003]) {
      const pose = createPose(0.013, 0.004, 0.05 - lowest - pressed);
      expect(Math.abs(depthAt(ball, plane, pose) - pressed)).toBeLessThan(TOLERANCE);
      expect(Math.abs(createOverlap(plane, ball).depth(atOrigin, pose) - pressed)).toBeLessThan(TOLERANCE);
    }
  });

  it('reports nothing for a face within the clearance of a wall, and tilts when it touches', () => {
    const [peg, wall] = [box(0.05, 0.05, 0.18), box(0.02, 0.2, 0.4)];
    expect(depthAt(peg, wall, createPose(0.0354, 0, 0))).toBe(0);
    const tilt = 0.01;
    const pose = createPose(0.0354, 0, 0, 0, Math.sin(tilt / 2), 0, Math.cos(tilt / 2));
    const reach = 0.025 * Math.cos(tilt) + 0.09 * Math.sin(tilt) - 0.0254;
    expect(depthAt(peg, wall, pose)).toBeCloseTo(reach, 5);
  });

  it('reports no less than what does not matter', () => {
    expect(createOverlap(box(0.1, 0.1, 0.1), box(0.1, 0.1, 0.1)).depth(createPose(0, 0, 0.099), atOrigin, 0.01)).toBe(
      0.01,
    );
  });
});
