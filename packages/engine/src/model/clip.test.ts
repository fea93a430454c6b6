import { describe, expect, it } from 'vitest';
import { createClip } from './clip.js';
import { createPipe } from './pipe.js';

/** Distances of a part's vertices from the y axis. */
function radii(
  { positions }: { readonly positions: Float64Array },
  counts: (x: number, z: number) => boolean,
): number[] {
  const found: number[] = [];
  for (let v = 0; v < positions.length; v += 3) {
    const [x, z] = [positions[v], positions[v + 2]];
    if (counts(x, z)) found.push(Math.hypot(x, z));
  }
  return found;
}

describe('clip and pipe', () => {
  const clip = createClip();

  it('fit together with 0.1 mm of clearance', () => {
    const pipeRadius = Math.max(...radii(createPipe(), () => true));
    const clipRadius = Math.min(...radii(clip, () => true));
    expect(pipeRadius).toBeCloseTo(0.01, 7);
    expect(clipRadius).toBeCloseTo(0.0101, 7);
  });

  it('have a mouth of 16 mm, which the pipe must open by 2 mm on each side', () => {
    const { positions } = clip;
    let nearest = Infinity;
    for (let v = 0; v < positions.length; v += 3) {
      if (positions[v + 2] < -0.004 && positions[v] > 0) nearest = Math.min(nearest, positions[v]);
    }
    expect(nearest).toBeGreaterThanOrEqual(0.008 - 2e-8);
    expect(nearest).toBeLessThan(0.00801);
  });

  it('do not touch while the centre of the pipe is 18 mm below that of the clip', () => {
    const { positions } = clip;
    for (let v = 0; v < positions.length; v += 3) {
      expect(Math.hypot(positions[v], positions[v + 2] + 0.018)).toBeGreaterThan(0.01);
    }
  });

  it('leave a handle of 14 mm for the hand above z = 16 mm', () => {
    const { positions } = clip;
    let held = 0;
    for (let v = 0; v < positions.length; v += 3) {
      if (positions[v + 2] < 0.016) continue;
      held++;
      expect(Math.abs(positions[v])).toBeLessThan(0.00701);
    }
    expect(held).toBeGreaterThan(100);
  });
});
