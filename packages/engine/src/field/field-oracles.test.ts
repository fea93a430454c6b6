import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cleanMesh } from '../mesh/clean.js';
import { readMesh } from '../mesh/read-mesh.js';
import { buildField } from './build-field.js';
import type { DistanceField } from './distance-field.js';
import { QUANTA_PER_VOXEL } from './pack-values.js';
import { sampleDistance } from './sample-field.js';
import { createTreeWorkspace, nearestDistanceSquared, windingNumber } from './tree-query.js';
import { buildTriangleTree } from './triangle-tree.js';

/**
 * Distances that CGAL computed, against the sampled field.
 *
 * How far a trilinear value may be off. Let I_x, I_y, I_z interpolate linearly along one axis, so that the field gives
 * I_x I_y I_z f, and
 *
 *     f − I_x I_y I_z f = (f − I_x f) + I_x (f − I_y f) + I_x I_y (f − I_z f).
 *
 * Each bracket is an error of linear interpolation on lines of one direction: one along x through the point itself, two
 * along y, four along z, weighted by I_x and I_y. On such a line, with the point at t between the nodes 0 and 1,
 *
 *     |f − I f|(t) ≤ ∫ G(t, s) |f″(s)| ds,     G(t, s) = s (1 − t) for s < t, t (1 − s) for s > t
 *
 * (Taylor with integral remainder; for constant f″ the familiar f″ / 8 at the middle). The distance has creases, where
 * f″ is an impulse, so f″ is taken as second differences of exact distances at every eighth of a voxel. What happens
 * between two of these is allowed for with half the larger difference beside t: the chord of a convex or concave
 * function is off by no more. On these meshes the error is four fifths of this bound in the median, so it has no slack.
 */
const PARTS = 8;
/** Voxels. Of stored values: half a quantum, and 24 bits. */
const ROUNDING = 0.5 / QUANTA_PER_VOXEL + 1e-6;

/** Points are at random; all of them take half a minute. */
const EVERY = process.env.PALPABLE_TEST_ALL ? 1 : 3;

type Point = readonly [number, number, number];
type Row = readonly [x: number, y: number, z: number, distance: number, ...closest: number[]];

const read = (path: string) => readFileSync(new URL(`../../../../test/${path}`, import.meta.url));

async function load(meshPath: string, oracle: string, isClosed: boolean) {
  const file = await readMesh(read(meshPath), { fileName: meshPath });
  const { mesh } = cleanMesh(file.mesh);
  const { rows: all } = JSON.parse(read(`data/oracles/${oracle}.json`).toString()) as { rows: Row[] };
  const rows = all.filter((_, n) => n % EVERY === 0);
  const field = await buildField(mesh, { resolution: 64 });
  const tree = buildTriangleTree(mesh);
  const workspace = createTreeWorkspace(tree);
  const winding = (p: Point) => windingNumber(tree, workspace, ...p);
  const distance = (p: Point) => Math.sqrt(nearestDistanceSquared(tree, workspace, ...p, Number.POSITIVE_INFINITY));
  let last: readonly [point: Point, value: number] = [[0, 0, 0], 0];
  const signedDistance = (p: Point) => {
    const [q, before] = last;
    // Nearer to a point than that is to a closed surface, p is on the same side: winding numbers take the most time.
    const isSame = isClosed && Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) < Math.abs(before);
    const isInside = isSame ? before < 0 : winding(p) > 0.5;
    last = [p, isInside ? -distance(p) : distance(p)];
    return last[1];
  };
  return { rows, field, winding, distance, signedDistance };
}

/** ∫ G |f″| for f on a line, in the units of f; `f` takes positions in voxels from the lower node. */
function lineBound(f: (s: number) => number, t: number): number {
  const values = Array.from({ length: PARTS + 3 }, (_, k) => f((k - 1) / PARTS));
  const difference = (k: number) => Math.abs(values[k] - 2 * values[k + 1] + values[k + 2]);
  let bound = 0;
  for (let k = 1; k < PARTS; k += 1) {
    const s = k / PARTS;
    bound += (s < t ? s * (1 - t) : t * (1 - s)) * difference(k) * PARTS;
  }
  const part = Math.min(PARTS - 1, Math.floor(PARTS * t));
  return bound + Math.max(difference(part), difference(part + 1)) / 2;
}

function interpolationBound(field: DistanceField, f: (p: Point) => number, point: Point): number {
  const { voxelSize, origin } = field;
  const u = point.map((value, axis) => (value - origin[axis]) / voxelSize);
  const [i, j, k] = u.map(Math.floor);
  const [tx, ty, tz] = [u[0] - i, u[1] - j, u[2] - k];
  const at = (x: number, y: number, z: number) =>
    f([origin[0] + x * voxelSize, origin[1] + y * voxelSize, origin[2] + z * voxelSize]);
  let bound = lineBound((s) => at(i + s, u[1], u[2]), tx);
  for (const a of [0, 1]) {
    const weight = a === 1 ? tx : 1 - tx;
    bound += weight * lineBound((s) => at(i + a, j + s, u[2]), ty);
    for (const b of [0, 1]) {
      bound += weight * (b === 1 ? ty : 1 - ty) * lineBound((s) => at(i + a, j + b, k + s), tz);
    }
  }
  return bound;
}

const meshes = [
  ['bunny', '../scenes/meshes/bunny.obj', 'sdf_npm_bunny', 'signed'],
  ['bolt', 'data/meshes/factory_bolt_m16_loose.obj', 'sdf_bolt_m16_loose', 'signed'],
  // 17 closed pieces that overlap, the teeth in the gum. CGAL counts crossings, so that what is inside two pieces is
  // outside; by winding number it is inside, as it is for a hand that feels the surface.
  ['upper teeth', 'data/meshes/teeth-top.obj', 'sdf_teeth-top', 'signed but where pieces overlap'],
  // Open for CGAL, which gives no sign.
  ['nut', 'data/meshes/factory_nut_m16_loose_subdiv_3x.obj', 'sdf_nut_m16_loose_UNSIGNED', 'unsigned'],
] as const;

describe('the field agrees with CGAL at 64 voxels', () => {
  it.each(meshes)('%s', { timeout: 300_000 }, async (_, mesh, oracle, kind) => {
    const { rows, field, winding, distance, signedDistance } = await load(mesh, oracle, kind !== 'unsigned');
    const h = field.voxelSize;
    const tooFar: string[] = [];
    const wrongSign: string[] = [];
    let near = 0;
    let overlapping = 0;
    let tight = 0;
    for (const [x, y, z, oracleDistance] of rows) {
      const point: Point = [x, y, z];
      const value = sampleDistance(field, x, y, z);
      // The reference of the bound is itself checked: exact distances are CGAL's.
      expect(Math.abs(distance(point) - Math.abs(oracleDistance))).toBeLessThan(1e-9 * h);
      if (kind !== 'unsigned' && Math.abs(oracleDistance) > h && value < 0 !== oracleDistance < 0) {
        if (kind !== 'signed' && winding(point) >= 1.5 && value < 0) overlapping += 1;
        else wrongSign.push(`${point}: ${value}, CGAL ${oracleDistance}`);
      }
      if (Math.abs(oracleDistance) > 3 * h) continue;
      near += 1;
      const error = Math.abs(value - signedDistance(point));
      const bound = interpolationBound(field, signedDistance, point) + ROUNDING * h;
      if (error > bound) tooFar.push(`${point}: off by ${error / h} voxels, bound ${bound / h}`);
      if (error > 0.5 * bound) tight += 1;
    }
    expect(wrongSign).toEqual([]);
    expect(tooFar).toEqual([]);
    expect(near).toBeGreaterThan(rows.length / 4);
    expect(tight).toBeGreaterThan(near / 2);
    expect(overlapping > 0).toBe(kind === 'signed but where pieces overlap');
  });
});
