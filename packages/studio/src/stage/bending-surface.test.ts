import { createBox, createSphere } from '@palpable/engine';
import { describe, expect, it } from 'vitest';
import { createBendingSurface, splitAtCreases } from './bending-surface.js';

describe('a surface that bends', () => {
  it('splits vertices at creases and nowhere else', () => {
    const box = createBox(1, 1, 1);
    expect(box.positions.length / 3).toBe(8);
    expect(splitAtCreases(box).vertexOf).toHaveLength(24);
    const sphere = createSphere(1);
    expect(splitAtCreases(sphere).vertexOf).toHaveLength(sphere.positions.length / 3);
  });

  it('has the normals of what it has become', () => {
    const surface = createBendingSurface(createBox(1, 1, 1));
    const { places, geometry } = surface;
    // Sheared, so that what faced x faces up as well.
    for (let n = 0; n < places.length; n += 3) places[n]! -= places[n + 2]!;
    surface.refresh();
    const { array } = geometry.getAttribute('normal');
    const faces = new Set<string>();
    for (let n = 0; n < array.length; n += 3) {
      faces.add([array[n]!, array[n + 1]!, array[n + 2]!].map((part) => part.toFixed(3)).join());
    }
    expect(faces).toContain('0.707,0.000,0.707');
    expect(faces).toContain('0.000,1.000,0.000');
    expect(faces.size).toBe(6);
    expect(geometry.boundingSphere!.radius).toBeGreaterThan(1);
  });
});
