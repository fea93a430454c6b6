import {
  createFrictionProblem,
  createRandom,
  type FrictionProblem,
  type RandomSource,
} from '@palpable/engine/advanced';
import { polygonCorners } from './friction-peers.js';
import { applyTransposed, dot, reduceStatic, solve } from './static-reduction.js';

/**
 * Friction problems of every kind, made from a seed: contact sets with G of rank 2 to 6, forces of 1e-6 to 1e6 N, tools
 * of a centimetre to two metres, unsymmetric K. Most are made backwards, from a load whose place is known: `factor`
 * times a load on the border of what friction can hold, so that the right answer is known without any solver.
 */
export interface RandomProblem {
  readonly problem: FrictionProblem;
  readonly seed: number;
  readonly family: Family;
  /** The load as a part of the largest that friction of this `sides` can hold; null if the wrench is any. */
  readonly factor: number | null;
  /** Sides of the pyramid that `factor` is about; 0 for the circular cone. */
  readonly sides: number;
}

type Point = readonly [number, number, number];
type Family = (typeof families)[number]['name'];
type Site = { readonly arm: Point; readonly normal: Point };

/** Arms in units of the length of the tool. */
const families = [
  { name: 'anywhere', site: (random) => ({ arm: inBox(random), normal: onSphere(random) }) },
  { name: 'face', site: (random) => ({ arm: [signed(random), signed(random), -0.5], normal: [0, 0, 1] }) },
  { name: 'equal normals', site: (random) => ({ arm: inBox(random), normal: [0, 0, 1] }) },
  {
    name: 'parallel faces',
    site: (random) => {
      const side = random() < 0.5 ? 1 : -1;
      return { arm: [signed(random), signed(random), side / 2], normal: [0, 0, -side] };
    },
  },
  { name: 'two walls', site: (random) => wallSite(random, 2) },
  { name: 'corner', site: (random) => wallSite(random, 3) },
  {
    name: 'bore',
    site: (random) => {
      const [x, y] = onCircle(random);
      return { arm: [x / 2, y / 2, signed(random)], normal: [-x, -y, 0] };
    },
  },
  { name: 'line, equal normals', site: (random) => ({ arm: onLine(random), normal: [0.6, 0, 0.8] }) },
  { name: 'line, any normals', site: (random) => ({ arm: onLine(random), normal: onSphere(random) }) },
  { name: 'one point, any normals', site: (random) => ({ arm: [0.3, 0.4, -0.2], normal: onSphere(random) }) },
  {
    name: 'bent face',
    site: (random) => {
      const [x, y] = [signed(random), signed(random)];
      return { arm: [x, y, -0.5 + 0.01 * (x * x + y * y)], normal: unit([-0.02 * x, -0.02 * y, 1]) };
    },
  },
] as const satisfies readonly { name: string; site: (random: RandomSource) => Site }[];

export function randomProblem(seed: number, sides: number): RandomProblem {
  const random = createRandom(seed);
  // The first numbers of neighbouring seeds are alike.
  for (let n = 0; n < 8; n += 1) random();
  const family = families[Math.floor(random() * families.length)];
  const problem = createFrictionProblem(randomCount(random));
  problem.count = problem.capacity;
  problem.length = 10 ** between(random, -2, 0.3);
  fillContacts(problem, random, family.site);
  fillBody(problem, random);
  fillStiffness(problem, random);
  const factor = random() < 0.75 ? randomFactor(random) : null;
  if (factor === null) fillAnyWrench(problem, random);
  else fillWrenchAt(problem, random, factor, sides);
  deriveCoupling(problem);
  return { problem, seed, family: family.name, factor, sides };
}

/** One contact in 12 % of the problems, up to 60 in most, up to 400 in 2 %. */
function randomCount(random: RandomSource): number {
  const kind = random();
  if (kind < 0.12) return 1;
  if (kind < 0.2) return 2;
  if (kind > 0.98) return Math.floor(between(random, 100, 401));
  return Math.floor(Math.exp(between(random, Math.log(3), Math.log(60))));
}

function fillContacts(problem: FrictionProblem, random: RandomSource, site: (random: RandomSource) => Site): void {
  const forceKind = random();
  const force = forceKind < 0.1 ? 1e-6 : forceKind < 0.2 ? 1e6 : 10 ** between(random, -1, 2);
  const coefficient = random() < 0.05 ? 100 : 10 ** between(random, -1.3, 0.3);
  const unevenness = random() < 0.3 ? 3 : 0.7;
  const withRoles = random() < 0.1;
  const turn = rotation(random);
  for (let i = 0; i < problem.count; i += 1) {
    const { arm, normal } = site(random);
    problem.arm.set(
      turned(turn, arm).map((value) => value * problem.length),
      3 * i,
    );
    const n = turned(turn, normal);
    problem.normal.set(n, 3 * i);
    problem.tangent.set(tangentsOf(n), 6 * i);
    problem.normalForce[i] = force * 10 ** -(unevenness * random());
    problem.coefficient[i] = coefficient * between(random, 0.5, 1);
    problem.normalStiffness[i] = (force / problem.length) * between(random, 10, 1000);
    if (withRoles && i > 0 && random() < 0.3) problem.role[i] = random() < 0.5 ? 1 : 2;
  }
}

function fillBody(problem: FrictionProblem, random: RandomSource): void {
  problem.mass = 10 ** between(random, -2, 1);
  const axes = rotation(random);
  const moments = [0, 1, 2].map(() => problem.mass * problem.length ** 2 * between(random, 0.05, 0.4));
  for (let i = 0; i < 3; i += 1) {
    for (let j = 0; j < 3; j += 1) {
      problem.inertia[3 * i + j] = moments.reduce((sum, moment, k) => sum + axes[i][k] * moment * axes[j][k], 0);
    }
  }
}

/** The coupling's and the contacts' stiffness, and a part that is not symmetric. */
function fillStiffness(problem: FrictionProblem, random: RandomSource): void {
  const { length, stiffness, count } = problem;
  const arms = (row: number) => (row < 3 ? 1 : length);
  let contactStiffness = 0;
  for (let i = 0; i < count; i += 1) contactStiffness += problem.normalStiffness[i];
  const coupling = contactStiffness * 10 ** between(random, -2, 0.5);
  const skewness = random() < 0.3 ? 0 : 0.1 * coupling;
  for (let i = 0; i < 6; i += 1) {
    for (let j = 0; j < 6; j += 1) {
      const diagonal = i === j ? coupling * between(random, 0.5, 1) : 0;
      stiffness[6 * i + j] = (skewness * signed(random) - diagonal) * arms(i) * arms(j);
    }
  }
  for (let n = 0; n < count; n += 1) {
    const column = normalColumn(problem, n);
    column.forEach((a, i) => {
      column.forEach((b, j) => {
        stiffness[6 * i + j] -= problem.normalStiffness[n] * a * b;
      });
    });
  }
}

function fillAnyWrench(problem: FrictionProblem, random: RandomSource): void {
  const { force } = reduceStatic(problem, 1e-9);
  const size = force * between(random, 0, 2);
  problem.wrench.set(anyDirection(random).map((value, row) => value * size * (row < 3 ? 1 : problem.length)));
}

/**
 * w = −(KΔ + b): b on the border along a random direction d, where every contact gives the most it can against d, times
 * the factor; Δ = −D⁻¹KᵀNz for any z.
 */
function fillWrenchAt(problem: FrictionProblem, random: RandomSource, factor: number, sides: number): void {
  const reduction = reduceStatic(problem, 1e-9);
  const { columns, radii, range, nullSpace, stiffness, inertia, force } = reduction;
  const weights = anyDirection(random);
  const direction = [0, 1, 2, 3, 4, 5].map((i) => range.reduce((sum, row, k) => sum + row[i] * weights[k], 0));
  const load = new Array<number>(6).fill(0);
  columns.forEach(([u, v], i) => {
    const [x, y] = farthest(dot(u, direction), dot(v, direction), sides);
    for (let row = 0; row < 6; row += 1) load[row] += factor * radii[i] * (x * u[row] + y * v[row]);
  });
  const amounts = anyDirection(random);
  const dual = [0, 1, 2, 3, 4, 5].map((i) => nullSpace.reduce((sum, row, k) => sum + row[i] * amounts[k], 0));
  const displacement = solve(inertia, applyTransposed(stiffness, dual));
  const pressing = stiffness.map((row) => dot(row, displacement));
  const size = Math.sqrt(dot(pressing, pressing));
  const share = size > 0 ? (3 * random() * Math.sqrt(dot(load, load))) / size : 0;
  problem.wrench.set(
    load.map((value, row) => -(value + share * pressing[row]) * force * (row < 3 ? 1 : problem.length)),
  );
}

/** The point of the unit circle, or of the polygon around it, that is farthest along (x, y). */
function farthest(x: number, y: number, sides: number): readonly [number, number] {
  const size = Math.hypot(x, y);
  if (size === 0) return [0, 0];
  if (sides === 0) return [x / size, y / size];
  return polygonCorners(sides).reduce((best, corner) =>
    corner[0] * x + corner[1] * y > best[0] * x + best[1] * y ? corner : best,
  );
}

/** Well inside, close to the border on both sides, well outside. */
function randomFactor(random: RandomSource): number {
  const side = random() < 0.5 ? -1 : 1;
  const kind = random();
  if (kind < 0.4) return side < 0 ? between(random, 0.05, 0.9) : between(random, 1.1, 5);
  return 1 + side * 10 ** between(random, -5, -1);
}

function deriveCoupling(problem: FrictionProblem): void {
  problem.couplingWrench.set(problem.wrench);
  problem.couplingStiffness.set(problem.stiffness);
  for (let n = 0; n < problem.count; n += 1) {
    const column = normalColumn(problem, n);
    column.forEach((a, i) => {
      problem.couplingWrench[i] -= problem.normalForce[n] * a;
      column.forEach((b, j) => {
        problem.couplingStiffness[6 * i + j] += problem.normalStiffness[n] * a * b;
      });
    });
  }
}

function normalColumn({ arm, normal }: FrictionProblem, n: number): readonly number[] {
  const [x, y, z] = arm.subarray(3 * n, 3 * n + 3);
  const [nx, ny, nz] = normal.subarray(3 * n, 3 * n + 3);
  return [nx, ny, nz, y * nz - z * ny, z * nx - x * nz, x * ny - y * nx];
}

function wallSite(random: RandomSource, walls: number): Site {
  const axis = Math.floor(random() * walls);
  const arm: [number, number, number] = [signed(random) / 2, signed(random) / 2, signed(random) / 2];
  const normal: [number, number, number] = [0, 0, 0];
  arm[axis] = -0.5;
  normal[axis] = 1;
  return { arm, normal };
}

function onLine(random: RandomSource): Point {
  const t = signed(random);
  return [0.1 + 0.8 * t, 0.2 - 0.3 * t, 0.3 + 0.5 * t];
}

function rotation(random: RandomSource): readonly Point[] {
  const a = onSphere(random);
  const other = onSphere(random);
  const along = a[0] * other[0] + a[1] * other[1] + a[2] * other[2];
  const b = unit([other[0] - along * a[0], other[1] - along * a[1], other[2] - along * a[2]]);
  return [a, b, [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]];
}

function turned(rows: readonly Point[], [x, y, z]: Point): Point {
  const along = (row: Point) => row[0] * x + row[1] * y + row[2] * z;
  return [along(rows[0]), along(rows[1]), along(rows[2])];
}

function inBox(random: RandomSource): Point {
  return [signed(random), signed(random), signed(random)];
}

function onSphere(random: RandomSource): Point {
  for (;;) {
    const point = inBox(random);
    const size = Math.hypot(...point);
    if (size > 0.1 && size < 1) return unit(point);
  }
}

function onCircle(random: RandomSource): readonly [number, number] {
  for (;;) {
    const [x, y] = [signed(random), signed(random)];
    const size = Math.hypot(x, y);
    if (size > 0.1 && size < 1) return [x / size, y / size];
  }
}

function anyDirection(random: RandomSource): readonly number[] {
  const values = Array.from({ length: 6 }, () => signed(random));
  const size = Math.hypot(...values);
  return values.map((value) => value / size);
}

function unit([x, y, z]: Point): Point {
  const size = Math.hypot(x, y, z);
  return [x / size, y / size, z / size];
}

function signed(random: RandomSource): number {
  return 2 * random() - 1;
}

function between(random: RandomSource, from: number, to: number): number {
  return from + (to - from) * random();
}

/** u and v, unit vectors with u × v = n: as the engine has them, u towards x, or towards y where the normal is close to x. */
function tangentsOf(n: Point): number[] {
  const towards = n[0] * n[0] < 0.8 ? 0 : 1;
  const along = [0, 1, 2].map((axis) => (axis === towards ? 1 : 0) - n[towards] * n[axis]!);
  const length = Math.hypot(...along);
  const [ux, uy, uz] = along.map((part) => part / length) as [number, number, number];
  return [ux, uy, uz, n[1] * uz - n[2] * uy, n[2] * ux - n[0] * uz, n[0] * uy - n[1] * ux];
}
