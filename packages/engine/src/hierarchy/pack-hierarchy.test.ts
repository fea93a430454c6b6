import { describe, expect, it } from 'vitest';
import { isPalpableError } from '../base/errors.js';
import { createTorus } from '../mesh/shapes.js';
import { buildConvexHierarchy } from './build-hierarchy.js';
import { type HierarchyArray, packHierarchy, unpackHierarchy } from './pack-hierarchy.js';

const hierarchy = buildConvexHierarchy(createTorus(0.05, 0.02, 12, 8));
const packed = packHierarchy(hierarchy);

/** The packed arrays with one of them altered. */
function altered(name: HierarchyArray, change: (array: Float64Array | Int32Array) => unknown) {
  const copy = packed.arrays.get(name)!.slice();
  const changed = change(copy) ?? copy;
  return (other: HierarchyArray) => (other === name ? changed : packed.arrays.get(other));
}

describe('packHierarchy', () => {
  it('gives the same hierarchy back, through JSON', () => {
    const content = JSON.parse(JSON.stringify(packed.content));
    expect(unpackHierarchy(content, (name) => packed.arrays.get(name))).toEqual(hierarchy);
  });

  it('refuses what is missing, of another kind or length', () => {
    const find = (name: HierarchyArray) => packed.arrays.get(name);
    expect(() => unpackHierarchy(null, find)).toThrow('number of nodes');
    expect(() => unpackHierarchy({ ...packed.content, radius: 0 }, find)).toThrow('radius');
    expect(() => unpackHierarchy(packed.content, () => undefined)).toThrow('lacks its part "child"');
    expect(() => unpackHierarchy({ ...packed.content, nodeCount: 3 }, find)).toThrow('instead of');
    expect(() =>
      unpackHierarchy(
        packed.content,
        altered('level', () => new Float64Array(3)),
      ),
    ).toThrow('"level"');
  });

  it('refuses indices out of range, cycles and numbers that are none', () => {
    const cases: [HierarchyArray, (array: Float64Array | Int32Array) => unknown, string][] = [
      ['child', (a) => a.fill(0, 0, 1), 'no tree'],
      ['child', (a) => a.fill(a[1], 0, 1), 'no tree'],
      ['child', (a) => a.fill(1e9, 0, 1), 'no tree'],
      ['child', (a) => a.fill(-1, 0, 2), 'without triangles'],
      ['triangles', (a) => a.fill(-1, 0, 1), 'points'],
      ['triangles', (a) => a.fill(1e6, 0, 1), 'points'],
      ['neighbours', (a) => a.fill(1000, 0, 1), 'vertices'],
      ['vertexStart', (a) => a.fill(a[2], 1, 2), 'no vertices'],
      ['vertexStart', (a) => a.fill(1e6, 1, 2), 'vertexStart'],
      ['triangleStart', (a) => a.fill(-1, 0, 1), 'triangleStart'],
      ['neighbourStart', (a) => a.slice(1), 'neighbourStart'],
      ['deviation', (a) => a.fill(Number.NaN, 0, 1), 'finite'],
      ['deviation', (a) => a.fill(-1, 0, 1), 'negative'],
      ['deviation', (a) => a.fill(0, 0, 1), "child's"],
      ['sphere', (a) => a.fill(-1, 3, 4), 'negative radius'],
      ['vertices', (a) => a.fill(Number.POSITIVE_INFINITY, 0, 1), 'finite'],
    ];
    for (const [name, change, message] of cases) {
      const read = () => unpackHierarchy(packed.content, altered(name, change));
      expect(read, `${name}: ${message}`).toThrow(message);
      try {
        read();
      } catch (error) {
        expect(isPalpableError(error)).toBe(true);
      }
    }
  });
});
