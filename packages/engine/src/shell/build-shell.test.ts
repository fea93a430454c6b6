import { describe, expect, it } from 'vitest';
import { isPalpableError } from '../base/errors.js';
import { createRandom } from '../base/random.js';
import { createBox, createCylinder, createSphere } from '../mesh/shapes.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildShell } from './build-shell.js';
import type { PointShell, ShellOptions } from './point-shell.js';
import { idealSpacing } from './sample-elimination.js';
import { analyseSurface } from './surface.js';
import { sampleSurface } from './surface-samples.js';
import { validateShell } from './validate-shell.js';

type Vector = readonly [number, number, number];

/** Parallelograms, each given by a corner and two edges; nothing is shared between them. */
function parallelograms(list: readonly (readonly [corner: Vector, u: Vector, v: Vector])[]): TriangleMesh {
  const corners = list.flatMap(([o, u, v]) => [
    ...o,
    ...o.map((x, i) => x + u[i]),
    ...o.map((x, i) => x + u[i] + v[i]),
    ...o.map((x, i) => x + v[i]),
  ]);
  const triangles = list.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner));
  return { positions: Float64Array.from(corners), triangles: Uint32Array.from(triangles) };
}

const sheet = parallelograms([
  [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
  ],
]);

function area(mesh: TriangleMesh): number {
  return analyseSurface(mesh).area;
}

/** Distance of each point to the nearest other point, of those for which `counts` holds. */
function nearestDistances(points: Float64Array, counts: (i: number, j: number) => boolean = () => true): number[] {
  const distances: number[] = [];
  for (let i = 0; i < points.length / 3; i++) {
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0; j < points.length / 3; j++) {
      if (i !== j && counts(i, j)) least = Math.min(least, distance(points, i, points, j));
    }
    distances.push(least);
  }
  return distances;
}

function distance(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return Math.hypot(a[3 * i] - b[3 * j], a[3 * i + 1] - b[3 * j + 1], a[3 * i + 2] - b[3 * j + 2]);
}

/** The largest distance from any place of the surface to the nearest of the first `count` points. */
function coverageRadius(mesh: TriangleMesh, shell: PointShell, count: number): number {
  const { positions } = sampleSurface(mesh, analyseSurface(mesh), 3000, createRandom(99));
  let largest = 0;
  for (let i = 0; i < positions.length / 3; i++) {
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0; j < count; j++) least = Math.min(least, distance(positions, i, shell.points, j));
    largest = Math.max(largest, least);
  }
  return largest;
}

const shapes = [
  // Coverage, the radius of the largest hole in ideal spacings: over 25 seeds at most 1.05 on the closed shapes. At the
  // border of a sheet nothing presses the points outwards; the largest hole found was 1.33, in a corner, with six points.
  { name: 'sphere', mesh: createSphere(1), largestHole: 1.1 },
  { name: 'box', mesh: createBox(1, 0.6, 0.4), largestHole: 1.1 },
  { name: 'cylinder of slivers', mesh: createCylinder(0.3, 1, 200), largestHole: 1.1 },
  { name: 'open sheet', mesh: sheet, largestHole: 1.4 },
];

describe.each(shapes)('a shell on a $name', ({ mesh, largestHole }) => {
  it.each([2, 3])('spreads points evenly at the wanted spacing (seed %i)', (seed) => {
    const spacing = idealSpacing(area(mesh), 1500);
    const shell = buildShell(mesh, { spacing, seed });
    expect(shell.count).toBe(1500);
    expect(Math.abs(shell.spacing / spacing - 1)).toBeLessThan(0.05);
    expect(Math.min(...nearestDistances(shell.points)) / spacing).toBeGreaterThan(0.6);
    expect(validateShell(shell)).toEqual([]);
  });

  it('covers the whole surface on every level', () => {
    const shell = buildShell(mesh, { count: 1500 });
    const radii = [...shell.levelEnds].map((count) => coverageRadius(mesh, shell, count));
    for (let level = 1; level < radii.length; level++) expect(radii[level]).toBeLessThan(0.75 * radii[level - 1]);
    radii.forEach((radius, level) => {
      expect(radius / idealSpacing(area(mesh), shell.levelEnds[level]), `level ${level}`).toBeLessThan(largestHole);
    });
  });

  it('lies on the triangles that it names', () => {
    const shell = buildShell(mesh, { count: 300 });
    for (let i = 0; i < shell.count; i++) {
      const corners = [0, 1, 2].map((corner) => mesh.triangles[3 * shell.triangles[i] + corner]);
      const normal = analyseSurface(mesh).faceNormals.subarray(3 * shell.triangles[i], 3 * shell.triangles[i] + 3);
      let height = 0;
      for (let axis = 0; axis < 3; axis++) {
        const values = corners.map((corner) => mesh.positions[3 * corner + axis]);
        expect(shell.points[3 * i + axis]).toBeGreaterThanOrEqual(Math.min(...values) - 1e-12);
        expect(shell.points[3 * i + axis]).toBeLessThanOrEqual(Math.max(...values) + 1e-12);
        height += normal[axis] * (shell.points[3 * i + axis] - values[0]);
      }
      expect(Math.abs(height)).toBeLessThan(1e-12);
    }
  });
});

describe('buildShell', () => {
  it('has radial normals on a sphere and face normals on a box', () => {
    const round = buildShell(createSphere(1), { count: 800 });
    const flat = buildShell(createBox(1, 0.6, 0.4), { count: 800 });
    for (let i = 0; i < 800; i++) {
      const [x, y, z] = round.points.subarray(3 * i, 3 * i + 3);
      const [nx, ny, nz] = round.normals.subarray(3 * i, 3 * i + 3);
      expect((x * nx + y * ny + z * nz) / Math.hypot(x, y, z)).toBeGreaterThan(0.9998);
      const largest = Math.max(...flat.normals.subarray(3 * i, 3 * i + 3).map(Math.abs));
      // On edges and corners the mean of two and three faces.
      const faces = { 1: 1, 0.5: 2, 0.25: 3 }[flat.share[i]]!;
      expect(largest).toBeCloseTo(1 / Math.sqrt(faces), 12);
      expect(flat.cone[i]).toBeCloseTo(1 / Math.sqrt(faces), 12);
    }
  });

  it('gives the same bits for the same seed and other points for another', () => {
    const [a, b, c] = [7, 7, 8].map((seed) => buildShell(createBox(1, 1, 1), { count: 500, seed }));
    expect(b).toEqual(a);
    expect(c.points).not.toEqual(a.points);
  });

  it('samples both faces of a plate thinner than the spacing alike', () => {
    const shell = buildShell(createBox(1, 1, 0.001), { count: 1000 });
    // Those on edges belong to both.
    const side = (i: number) => (shell.share[i] === 1 ? Math.round(shell.normals[3 * i + 2]) : 0);
    const sides = Array.from({ length: shell.count }, (_, i) => side(i));
    const [top, bottom] = [sides.filter((s) => s === 1).length, sides.filter((s) => s === -1).length];
    expect(Math.abs(top - bottom)).toBeLessThan(20);
    const nearest = nearestDistances(shell.points, (i, j) => side(i) === side(j) && side(i) !== 0);
    const onFaces = nearest.filter((_, i) => side(i) !== 0);
    expect(Math.min(...onFaces) / idealSpacing(2, 1000)).toBeGreaterThan(0.6);
    expect(validateShell(shell)).toEqual([]);
  });

  it.each<ShellOptions>([{ count: 40 }, { spacing: 0.5 }])(
    'gives each tiny part of an assembly a point: %o',
    (options) => {
      const screws = Array.from(
        { length: 30 },
        (_, i) =>
          [
            [i / 30, 0.5, 0.01],
            [1e-6, 0, 0],
            [0, 1e-6, 0],
          ] as const,
      );
      const mesh = parallelograms([
        [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
        ],
        ...screws,
      ]);
      const shell = buildShell(mesh, options);
      const parts = new Set([...shell.triangles].map((triangle) => triangle >> 1));
      expect(parts.size).toBe(31);
      expect(validateShell(shell)).toEqual([]);
    },
  );

  it('thins out scattered small parts evenly on coarser levels (seed 5)', () => {
    const random = createRandom(5);
    const speck = () =>
      [
        [random(), random(), 0],
        [1e-7, 0, 0],
        [0, 1e-7, 0],
      ] as const;
    const shell = buildShell(parallelograms(Array.from({ length: 2000 }, speck)), { count: 2000 });
    const end = shell.levelEnds[2];
    const nearest = nearestDistances(shell.points.slice(0, 3 * end));
    expect(Math.min(...nearest) / idealSpacing(1, end)).toBeGreaterThan(0.5);
    expect(validateShell(shell)).toEqual([]);
  });

  it.each([1, 2, 5, 11, 12, 13, 50, 4000])('gives exactly %i points when asked to', (count) => {
    const shell = buildShell(createBox(1, 1, 1), { count });
    expect(shell.count).toBe(count);
    expect(validateShell(shell)).toEqual([]);
  });

  it('makes 4,000 points without any option', () => {
    expect(buildShell(sheet).count).toBe(4000);
  });

  it('bears degenerate triangles, slivers and a thousand sheets on one another', () => {
    const degenerate = { ...sheet, triangles: Uint32Array.of(0, 0, 1, ...sheet.triangles, 2, 2, 2) };
    const shell = buildShell(degenerate, { count: 100 });
    expect(validateShell(shell)).toEqual([]);
    expect([...shell.triangles].every((triangle) => triangle === 1 || triangle === 2)).toBe(true);
    const sliver = parallelograms([
      [
        [0, 0, 0],
        [1000, 0, 0],
        [0, 1e-9, 0],
      ],
    ]);
    expect(validateShell(buildShell(sliver, { count: 200 }))).toEqual([]);
    const stack = parallelograms(
      Array.from(
        { length: 1000 },
        () =>
          [
            [0, 0, 0],
            [1, 0, 0],
            [0, 1, 0],
          ] as const,
      ),
    );
    expect(validateShell(buildShell(stack, { count: 300 }))).toEqual([]);
  });

  it.each<[string, ShellOptions]>([
    ['shell.spacing', { spacing: 0 }],
    ['shell.spacing', { spacing: -0.1 }],
    ['shell.spacing', { spacing: Number.NaN }],
    ['shell.spacing', { spacing: Number.POSITIVE_INFINITY }],
    ['shell.spacing', { spacing: 1e-9 }],
    ['shell.spacing', { spacing: 1e-300 }],
    ['shell.count', { count: 0 }],
    ['shell.count', { count: 2.5 }],
    ['shell.count', { count: Number.NaN }],
    ['shell.count', { count: 5_000_001 }],
    ['shell.seed', { seed: -1 }],
    ['shell.seed', { seed: 2 ** 32 }],
    ['shell.creaseAngle', { creaseAngle: 4 }],
    ['shell.creaseAngle', { creaseAngle: Number.NaN }],
    ['shell', { spacing: 0.1, count: 10 }],
  ])('refuses a bad option at %s: %o', (path, options) => {
    expect(errorOf(() => buildShell(sheet, options))).toMatchObject({ code: 'option-invalid', path });
  });

  it.each([
    ['no triangles', { positions: new Float64Array(0), triangles: new Uint32Array(0) }],
    ['no area', { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0), triangles: Uint32Array.of(0, 1, 2) }],
    ['a NaN', { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, Number.NaN, 0), triangles: Uint32Array.of(0, 1, 2) }],
  ])('refuses a mesh with %s', (_, mesh) => {
    expect(errorOf(() => buildShell(mesh, { count: 10 }))).toMatchObject({ code: 'mesh-invalid' });
  });

  it('tells a progress that never falls and ends at 1, and stops when cancelled', () => {
    const fractions: number[] = [];
    buildShell(sheet, { count: 3000 }, { onProgress: (_, fraction) => fractions.push(fraction) });
    expect(fractions.length).toBeGreaterThan(4);
    expect(fractions.at(-1)).toBe(1);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    const signal = { aborted: false };
    const cancelHalfway = (_: string, fraction: number) => {
      signal.aborted = fraction > 0.3;
    };
    expect(errorOf(() => buildShell(sheet, { count: 3000 }, { onProgress: cancelHalfway, signal }))).toMatchObject({
      code: 'cancelled',
    });
  });
});

function errorOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    expect(isPalpableError(error)).toBe(true);
    return error;
  }
  return undefined;
}
