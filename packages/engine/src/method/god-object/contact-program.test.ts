import { describe, expect, test } from 'vitest';
import { createRandom } from '../../base/random.js';
import { createConeProblem, layDense } from '../../complementarity/cone-problem.js';
import { solveCone } from '../../complementarity/solve-cone.js';
import { writeTangents } from '../../friction/tangent-frame.js';
import { type ContactProgram, createContactProgram, solveContactProgram } from './contact-program.js';

interface Contact {
  readonly normal: readonly number[];
  /** From the grasp point, in units of the program. */
  readonly arm: readonly number[];
  readonly depth?: number;
  readonly friction?: number;
  readonly stiffness?: number;
}

function programOf(contacts: readonly Contact[]): ContactProgram {
  const program = createContactProgram(contacts.length);
  program.count = contacts.length;
  contacts.forEach(({ normal, arm, depth = 0, friction = 0, stiffness = 200 }, c) => {
    const size = Math.hypot(...normal);
    program.normal.set(
      normal.map((part) => part / size),
      3 * c,
    );
    program.arm.set(arm, 3 * c);
    program.depth[c] = depth;
    program.coefficient[c] = friction;
    program.stiffness[c] = stiffness;
  });
  return program;
}

/** Of one contact: normal and two tangents as twists of six, 18 numbers. */
function columnsOf({ normal, arm }: ContactProgram, c: number): Float64Array {
  const axes = new Float64Array(9);
  axes.set(normal.subarray(3 * c, 3 * c + 3));
  writeTangents(axes.subarray(3), axes.subarray(0, 3), 0);
  const [x, y, z] = arm.subarray(3 * c, 3 * c + 3);
  return Float64Array.from(
    [0, 1, 2].flatMap((side) => {
      const [dx, dy, dz] = axes.subarray(3 * side, 3 * side + 3);
      return [dx!, dy!, dz!, y! * dz! - z! * dy!, z! * dx! - x! * dz!, x! * dy! - y! * dx!];
    }),
  );
}

/** Cycles of the same pull: the forces of each are where the next begins. */
function settle(program: ContactProgram, target: readonly number[], cycles = 30): Float64Array {
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    program.y.fill(0);
    solveContactProgram(program, Float64Array.from(target));
    expect(program.capped).toBe(false);
  }
  return program.y;
}

/** Cycles in which the device moves on by `pace` each: contacts are where the last cycle left them. */
function drag(program: ContactProgram, target: readonly number[], pace: readonly number[], cycles: number): number[] {
  const left = [...target];
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    program.y.fill(0);
    solveContactProgram(program, Float64Array.from(left));
    for (let c = 0; c < program.count; c += 1) {
      for (let i = 0; i < 6; i += 1) program.depth[c]! -= columnsOf(program, c)[i]! * program.y[i]!;
    }
    for (let i = 0; i < 6; i += 1) left[i]! += pace[i]! - program.y[i]!;
  }
  return left.map((part, i) => part - pace[i]!);
}

const UP = [0, 0, 1];
/** The corners of a face that is pressed down, 20 mm from its middle. */
const FACE = [
  [0.02, 0.02, -0.01],
  [-0.02, 0.02, -0.01],
  [-0.02, -0.02, -0.01],
  [0.02, -0.02, -0.01],
];

describe('the contact program', () => {
  test('without contact goes to the device', () => {
    const target = [0.01, -0.02, 0.003, 0.001, 0.002, -0.003];
    expect([...settle(programOf([]), target)]).toEqual(target);
    const far = programOf([{ normal: UP, arm: [0, 0, 0], depth: -1, friction: 0.5 }]);
    for (const [i, part] of settle(far, target).entries()) expect(part).toBeCloseTo(target[i]!, 14);
  });

  test('sinks in as two springs in a row do', () => {
    const program = programOf([{ normal: UP, arm: [0, 0, 0], stiffness: 99 }]);
    const y = settle(program, [0, 0, -0.01, 0, 0, 0]);
    expect(y[2]).toBeCloseTo(-0.01 / 100, 14);
    expect(program.normalForce[0]).toBeCloseTo(0.0099, 14);
  });

  test('lets a face hold still below its limit, and slide beyond it with what that is', () => {
    const face = FACE.map((arm) => ({ normal: UP, arm, friction: 0.5, stiffness: 50 }));
    const program = programOf(face);
    const held = settle(program, [0.9 * 0.5 * 0.005, 0, -0.005, 0, 0, 0]);
    const again = held.slice();
    settle(program, [0.9 * 0.5 * 0.005, 0, -0.005, 0, 0, 0], 1);
    expect(program.slides).toBe(false);
    for (let i = 0; i < 6; i += 1) expect(Math.abs(held[i]! - again[i]!)).toBeLessThan(1e-15);
    // The contacts themselves do not move; the face tilts by what they sink in.
    for (let c = 0; c < 4; c += 1) {
      for (const side of [6, 12]) {
        let slip = 0;
        for (let i = 0; i < 6; i += 1) slip += columnsOf(program, c)[side + i]! * held[i]!;
        expect(Math.abs(slip)).toBeLessThan(1e-12);
      }
    }
    const pulled = settle(programOf(face), [0.004, 0, -0.005, 0, 0, 0]);
    const [along, down] = [0.004 - pulled[0]!, pulled[2]! + 0.005];
    expect(along / down).toBeCloseTo(0.5, 9);
  });

  test.each([45, 30])('drags a wedge of %i° along its groove with μ / sin', (degrees) => {
    const half = (degrees * Math.PI) / 180;
    const walls = [-1, 1].flatMap((side) =>
      [-0.02, 0.02].map((y) => ({
        normal: [-side * Math.cos(half), 0, Math.sin(half)],
        arm: [side * 0.02 * Math.sin(half), y, 0.02 * Math.cos(half)],
        friction: 0.5,
      })),
    );
    const pull = drag(programOf(walls), [0, 0, -0.005, 0, 0, 0], [0, 2e-5, 0, 0, 0, 0], 1000);
    expect(-pull[1]! / pull[2]!).toBeCloseTo(0.5 / Math.sin(half), 9);
  });

  test.each(Array.from({ length: 30 }, (_, k) => k + 1))(
    'agrees with the solver of the complementarity problem (seed %i)',
    (seed) => {
      const random = createRandom(seed);
      const spread = (size: number) => size * (2 * random() - 1);
      const contacts = Array.from({ length: 1 + Math.floor(4 * random()) }, () => ({
        normal: [spread(0.7), spread(0.7), 1],
        arm: [spread(0.5), spread(0.5), spread(0.5)],
        depth: spread(0.001),
        friction: random(),
        stiffness: 50 + 400 * random(),
      }));
      const program = programOf(contacts);
      const target = [spread(0.01), spread(0.01), -0.01 * random(), spread(0.01), spread(0.01), spread(0.01)];
      settle(program, target, 400);

      const { count, depth, stiffness, coefficient } = program;
      const columns = Float64Array.from(contacts.flatMap((_, c) => [...columnsOf(program, c)]));
      const problem = createConeProblem(count);
      layDense(problem, count);
      const column = (row: number) => columns.subarray(6 * row, 6 * row + 6);
      const inner = (a: ArrayLike<number>, b: ArrayLike<number>) =>
        [0, 1, 2, 3, 4, 5].reduce((s, i) => s + a[i]! * b[i]!, 0);
      for (let a = 0; a < 3 * count; a += 1) {
        const contact = Math.floor(a / 3);
        problem.free[a] = inner(column(a), target) - (a % 3 === 0 ? depth[contact]! : 0);
        problem.coefficient[contact] = coefficient[contact]!;
        for (let b = 0; b < 3 * count; b += 1) {
          const compliance = a === b && a % 3 === 0 ? 1 / stiffness[contact]! : 0;
          problem.blocks[9 * (contact * count + Math.floor(b / 3)) + 3 * (a % 3) + (b % 3)] =
            inner(column(a), column(b)) + compliance;
        }
      }
      const { forces, residual } = solveCone(problem, 'newton');
      expect(residual).toBeLessThan(1e-9);
      const reaction = Array.from({ length: 6 }, (_, i) =>
        forces.reduce((sum, force, row) => sum + force * column(row)[i]!, 0),
      );
      for (const [i, part] of reaction.entries()) expect(program.y[i]! - target[i]!).toBeCloseTo(part, 6);
    },
  );
});
