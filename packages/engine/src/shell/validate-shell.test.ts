import { describe, expect, it } from 'vitest';
import { buildShell } from './build-shell.js';
import type { PointShell } from './point-shell.js';
import { validateShell } from './validate-shell.js';

const square = {
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0),
  triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
};

describe('validateShell', () => {
  const sound = buildShell(square, { count: 200 });
  const firstParent = sound.childCount.findIndex((children) => children > 1);

  it('finds nothing wrong with a sound shell', () => {
    expect(validateShell(sound)).toEqual([]);
  });

  it.each<[string, string, (shell: PointShell) => Partial<PointShell>]>([
    ['a shrunken sphere', 'outside the sphere', ({ radius }) => ({ radius: radius.map((r) => 0.9 * r) })],
    ['a reach too short', 'beyond the reach', ({ reach }) => ({ reach: reach.map((r) => 0.9 * r) })],
    ['a moved point', 'outside the sphere', ({ points }) => ({ points: points.with(3 * sound.count - 1, 5) })],
    ['a lost child', 'child of 0 points', ({ childCount }) => ({ childCount: childCount.with(firstParent, 1) })],
    [
      'a child of two',
      'child of 2 points',
      ({ childStart }) => ({ childStart: childStart.with(firstParent, childStart[firstParent] + 1) }),
    ],
    [
      'a child of the wrong level',
      'not all in level',
      ({ childStart }) => ({ childStart: childStart.with(firstParent, 0) }),
    ],
    [
      'unsorted children',
      'falling order',
      ({ reach, childStart }) => ({ reach: reach.with(childStart[firstParent], 0) }),
    ],
    [
      'a level that adds nothing',
      'adds no points',
      ({ levelEnds }) => ({ levelEnds: levelEnds.with(1, levelEnds[0]) }),
    ],
    ['wrong roots', 'rootCount', ({ rootCount }) => ({ rootCount: rootCount + 1 })],
    ['missing normals', 'entries instead of', ({ normals }) => ({ normals: normals.slice(3) })],
    ['a long normal', 'not of length 1', ({ normals }) => ({ normals: normals.with(2, 2) })],
    ['a point at infinity', 'not finite', ({ points }) => ({ points: points.with(0, Number.POSITIVE_INFINITY) })],
  ])('notices %s', (_, message, damage) => {
    expect(validateShell({ ...sound, ...damage(sound) }).join('; ')).toContain(message);
  });
});
