import type { RandomSource } from '../base/random.js';
import { solveLinear } from '../math/linear-algebra.js';
import { cube, lengthOf } from '../math/portable.js';
import { CONTACT_STATIC, createFrictionProblem, type FrictionProblem } from './friction-problem.js';
import { writeTangents } from './tangent-frame.js';

/** A cube that is pressed on level ground, pulled and twisted: the sample with known answers. */
export interface FlatContact {
  /** The face carries a square grid of this many points a side, its corners included. A single point lies at the centre. */
  readonly pointsPerSide: number;
  /** Of the cube, m. */
  readonly side: number;
  /** Of the centre of mass above the ground, m. At 0 pulling does not tip the cube. */
  readonly height: number;
  /** μ, the same at every point. */
  readonly coefficient: number;
  /** Force of the coupling towards the ground, N. */
  readonly press: number;
  /** Force of the coupling along x and y, N. */
  readonly pull: readonly [number, number];
  /** Torque of the coupling about the vertical, N m. */
  readonly twist: number;
  /** N/m */
  readonly couplingStiffness: number;
  /** N m/rad */
  readonly torsionalStiffness: number;
  /** Of each point along its normal, N/m. */
  readonly normalStiffness: number;
}

const DENSITY = 1000;

/**
 * The problem of a cube at rest in its normal directions: the penalty forces add up to the press and lean towards the
 * leading edge so that they balance the torque of friction at the ground, as far as friction reaches (|pull| or
 * μ·press). Points that lift off are no contacts. So, without twist: while |pull| ≤ μ·press, Δ = 0 and friction is −pull
 * in all; beyond, Δ is (|pull| − μ·press) / couplingStiffness along the pull, every model agreeing. Throws when the cube
 * would tip over.
 */
export function flatContactProblem(options: FlatContact): FrictionProblem {
  const { side, height, coefficient, press, pull } = options;
  const points = faceGrid(options);
  const problem = createFrictionProblem(points.length);
  problem.mass = DENSITY * cube(side);
  problem.length = side;
  for (let axis = 0; axis < 3; axis += 1) problem.inertia[4 * axis] = (problem.mass * side * side) / 6;
  const pullSize = Math.sqrt(pull[0] * pull[0] + pull[1] * pull[1]);
  const lean = pullSize > 0 && points.length > 1 ? height * Math.min(1, (coefficient * press) / pullSize) : 0;
  const [rest, alongX, alongY] = pressure(points, [press, lean * pull[0], lean * pull[1]]);
  for (const [x, y] of points) {
    const force = rest + alongX * x + alongY * y;
    if (!(force >= 0)) continue;
    problem.arm.set([x, y, -height], 3 * problem.count);
    setContact(problem, problem.count, [0, 0, 1], force, options.normalStiffness, coefficient);
    problem.count += 1;
  }
  problem.couplingWrench.set([pull[0], pull[1], -press, 0, 0, options.twist]);
  setCoupling(problem, options.couplingStiffness, options.torsionalStiffness);
  addNormalForces(problem);
  return problem;
}

function faceGrid({ pointsPerSide, side }: FlatContact): [number, number][] {
  const step = pointsPerSide > 1 ? side / (pointsPerSide - 1) : 0;
  const start = (-step * (pointsPerSide - 1)) / 2;
  return Array.from({ length: pointsPerSide * pointsPerSide }, (_, i) => [
    start + step * (i % pointsPerSide),
    start + step * Math.floor(i / pointsPerSide),
  ]);
}

/**
 * The plane p = (p₀, p_x, p_y) for which the forces max(0, p₀ + p_x x + p_y y) of the points have the given sum and
 * moments Σ F x, Σ F y: Newton's method on the set of points that touch.
 */
function pressure(points: readonly (readonly [number, number])[], wanted: readonly number[]): number[] {
  const plane = [0, 0, 0];
  let touching = points.map(() => true);
  for (let round = 0; round < 50; round += 1) {
    const matrix = new Float64Array(9);
    points.forEach(([x, y], i) => {
      if (!touching[i]) return;
      [1, x, y].forEach((row, r) => {
        [1, x, y].forEach((column, c) => {
          matrix[3 * r + c] += row * column;
        });
      });
    });
    // A single point leaves the slopes free; they are zero then.
    for (let axis = 1; axis < 3; axis += 1) if (matrix[4 * axis] === 0) matrix[4 * axis] = 1;
    const solution = Float64Array.from(wanted);
    if (!solveLinear(solution, matrix, 3)) break;
    plane.splice(0, 3, ...solution);
    const now = points.map(([x, y]) => plane[0] + plane[1] * x + plane[2] * y >= 0);
    if (now.every((touches, i) => touches === touching[i])) return plane;
    touching = now;
  }
  throw new RangeError('The pull tips the cube over: lower its height, its friction or the pull.');
}

/** Limits of `randomContactProblem`; each number is drawn evenly between the two ends. */
export interface RandomContacts {
  readonly count: number;
  /** How far the normals turn away from the vertical: 0 flat ground, 1 every direction. */
  readonly spread: number;
  readonly coefficient: readonly [number, number];
  /** Of the coupling, N; its torque is a third of it times the size of the tool. */
  readonly force: number;
}

/**
 * A tool of 0.1 m with contacts strewn over it, penalty forces between 0 and 2 N and a coupling that pulls anywhere:
 * not at rest, as a tool in motion is not.
 */
export function randomContactProblem(random: RandomSource, options: RandomContacts): FrictionProblem {
  const problem = createFrictionProblem(options.count);
  problem.count = options.count;
  problem.mass = 1;
  problem.length = 0.1;
  for (let axis = 0; axis < 3; axis += 1) problem.inertia[4 * axis] = 0.002 * (0.5 + random());
  const [least, most] = options.coefficient;
  for (let i = 0; i < options.count; i += 1) {
    const direction = [
      options.spread * signed(random),
      options.spread * signed(random),
      1 - 1.5 * options.spread * random(),
    ];
    const size = lengthOf(direction);
    const normal = size > 1e-3 ? direction.map((component) => component / size) : [0, 0, 1];
    problem.arm.set([0.05 * signed(random), 0.05 * signed(random), -0.05 + 0.05 * options.spread * random()], 3 * i);
    setContact(problem, i, normal, 2 * random(), 500 * (0.2 + random()), least + (most - least) * random());
  }
  for (let row = 0; row < 6; row += 1) {
    problem.couplingWrench[row] = options.force * signed(random) * (row < 3 ? 1 : problem.length / 3);
  }
  setCoupling(problem, 1000, 5);
  addNormalForces(problem);
  return problem;
}

function signed(random: RandomSource): number {
  return 2 * random() - 1;
}

function setContact(
  problem: FrictionProblem,
  contact: number,
  normal: readonly number[],
  force: number,
  stiffness: number,
  coefficient: number,
): void {
  problem.normal.set(normal, 3 * contact);
  writeTangents(problem.tangent, problem.normal, contact);
  problem.normalForce[contact] = force;
  problem.normalStiffness[contact] = stiffness;
  problem.coefficient[contact] = coefficient;
  problem.role[contact] = CONTACT_STATIC;
}

function setCoupling(problem: FrictionProblem, translational: number, torsional: number): void {
  for (let axis = 0; axis < 3; axis += 1) {
    problem.couplingStiffness[7 * axis] = -translational;
    problem.couplingStiffness[7 * (axis + 3)] = -torsional;
  }
}

/** w and K: the coupling's plus each normal force and its gradient (Eq. 2; the arm and the normal held constant). */
function addNormalForces(problem: FrictionProblem): void {
  const { arm, normal, wrench, stiffness } = problem;
  wrench.set(problem.couplingWrench);
  stiffness.set(problem.couplingStiffness);
  for (let i = 0; i < problem.count; i += 1) {
    const [x, y, z] = arm.subarray(3 * i, 3 * i + 3);
    const [nx, ny, nz] = normal.subarray(3 * i, 3 * i + 3);
    const unit = [nx, ny, nz, y * nz - z * ny, z * nx - x * nz, x * ny - y * nx];
    for (let row = 0; row < 6; row += 1) {
      wrench[row] += problem.normalForce[i] * unit[row];
      for (let column = 0; column < 6; column += 1) {
        stiffness[6 * row + column] -= problem.normalStiffness[i] * unit[row] * unit[column];
      }
    }
  }
}
