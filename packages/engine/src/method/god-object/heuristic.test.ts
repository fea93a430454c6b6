import { describe, expect, test } from 'vitest';
import { createPose, rotationMatrix } from '../../math/pose.js';
import {
  createHeuristic,
  type Heuristic,
  type HeuristicOptions,
  REGION_A,
  REGION_B,
  REGION_C,
  stepHeuristic,
} from './heuristic.js';
import {
  PENALTY_DEPTH,
  PENALTY_LEVER,
  PENALTY_MARGIN,
  PENALTY_SIZE,
  PENALTY_SPREAD,
  PENALTY_SQUARES,
  PENALTY_TOTAL,
} from './penalty-sum.js';

const MARGIN = 0.003;
const CUBE = { mass: 1, length: 0.0866, inertia: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1).map((v) => v / 600) };
const ROTATION = rotationMatrix(new Float64Array(9), createPose());

interface Contact {
  readonly p: number;
  readonly force?: readonly number[];
  readonly torque?: readonly number[];
  readonly total?: number;
  readonly lever?: number;
  readonly spread?: readonly number[];
  readonly squares?: readonly number[];
}

/** A contact that pushes up unless told otherwise. */
function penaltyOf({ p, force = [0, 0, 1], torque = [0, 0, 0], total = 0, lever = 0, ...more }: Contact) {
  const { spread = [], squares = [] } = more;
  const penalty = new Float64Array(PENALTY_SIZE);
  penalty.set([...force, ...torque]);
  penalty[PENALTY_DEPTH] = p + MARGIN;
  penalty[PENALTY_MARGIN] = MARGIN;
  penalty[PENALTY_TOTAL] = total;
  penalty[PENALTY_LEVER] = lever;
  penalty.set(spread, PENALTY_SPREAD);
  penalty.set(squares, PENALTY_SQUARES);
  return penalty;
}

function heuristicOf(options: Partial<HeuristicOptions> = {}): Heuristic {
  return createHeuristic(CUBE, {
    correction: 'least-energy',
    viscous: 0,
    maxOverlap: 1,
    stiffness: 1000,
    torsionalStiffness: 5,
    ...options,
  });
}

/** The whole motion. */
function stepOf(heuristic: Heuristic, contact: Contact, way: readonly number[], friction = [0, 0, 0, 0]): number[] {
  const step = new Float64Array(6);
  stepHeuristic(heuristic, step, penaltyOf(contact), Float64Array.from(way), ROTATION, Float64Array.from(friction));
  return [...step].map((value, i) => value + heuristic.corrected[i]);
}

function expectClose(found: readonly number[], wanted: readonly number[]): void {
  for (const [i, value] of wanted.entries()) expect(found[i], `component ${i}`).toBeCloseTo(value, 12);
}

describe('regions', () => {
  test('C: far from everything the proxy goes to the device', () => {
    const heuristic = heuristicOf();
    const way = [0.01, -0.02, -0.5, 0.1, 0.2, 0.3];
    expect(stepOf(heuristic, { p: -0.0031 }, way)).toEqual(way);
    expect(heuristic.region).toBe(REGION_C);
  });

  test('B: it goes as far as the surface, and along it', () => {
    const heuristic = heuristicOf();
    expectClose(stepOf(heuristic, { p: -0.001 }, [0.01, 0, -0.005, 0, 0, 0]), [0.01, 0, -0.001, 0, 0, 0]);
    expect(heuristic.region).toBe(REGION_B);
    expect(heuristic.restricted).toBe(true);
    expectClose(stepOf(heuristic, { p: -0.001 }, [0, 0, -0.0005, 0, 0, 0]), [0, 0, -0.0005, 0, 0, 0]);
    expect(heuristic.restricted).toBe(false);
    expectClose(stepOf(heuristic, { p: -0.001 }, [0, 0, 0.005, 0, 0, 0]), [0, 0, 0.005, 0, 0, 0]);
  });

  test('A: no further in, a part of the way out, and out at once if the device is', () => {
    const heuristic = heuristicOf();
    const [, , in0] = stepOf(heuristic, { p: 0 }, [0, 0, -0.005, 0, 0, 0]);
    expect(heuristic.region).toBe(REGION_A);
    expect(in0).toBeCloseTo(0, 15);
    const p = 0.0003;
    expectClose(stepOf(heuristic, { p }, [0.001, 0, -0.005, 0, 0, 0]), [0.001 * (1 - p), 0, (0.2 + p / MARGIN) * p]);
    expectClose(stepOf(heuristic, { p }, [0, 0, 0.005, 0, 0, 0]), [0, 0, 0.005]);
  });

  test('a turn is stopped where it would lead in, and only there', () => {
    const heuristic = heuristicOf();
    // A contact half a side to the right pushes up, and turns the tool about −y.
    const contact = { p: 0, torque: [0, -0.05, 0] };
    expect(stepOf(heuristic, contact, [0, 0, 0, 0, 0.1, 0])[4]).toBeCloseTo(0, 15);
    expect(stepOf(heuristic, contact, [0, 0, 0, 0, -0.1, 0])[4]).toBeCloseTo(-0.1, 15);
    expect(stepOf(heuristic, contact, [0, 0, 0, 0.2, 0, 0])[3]).toBeCloseTo(0.2, 15);
  });
});

describe('friction', () => {
  const press = [0, 0, -0.01, 0, 0, 0];

  test('holds up to the static coefficient, then slides at the kinetic one until it holds again', () => {
    const heuristic = heuristicOf();
    const slide = (x: number) => stepOf(heuristic, { p: 0 }, [x, 0, -0.01, 0, 0, 0], [0.5, 0.3, 0.5, 0.3])[0];
    expect(slide(0.00499)).toBe(0);
    expect(slide(0.0051)).toBeCloseTo(0.0021, 12);
    expect(heuristic.sliding).toBe(true);
    // Between the two coefficients it goes on sliding, because it was.
    expect(slide(0.004)).toBeCloseTo(0.001, 12);
    expect(slide(0.0029)).toBe(0);
    expect(heuristic.sliding).toBe(false);
    expect(slide(0.004)).toBe(0);
  });

  test('never pushes back by more than the motion, and viscosity takes its part', () => {
    const steep = heuristicOf({ viscous: 0.9 });
    expect(stepOf(steep, { p: 0 }, [0.004, 0, -0.01, 0, 0, 0], [0.3, 0.35, 0, 0])[0]).toBe(0);
    const viscous = heuristicOf({ viscous: 0.1 });
    expect(stepOf(viscous, { p: 0 }, [0.01, 0, -0.01, 0, 0, 0], [0.3, 0.3, 0, 0])[0]).toBeCloseTo(0.006, 12);
  });

  test('there is none without a press', () => {
    const heuristic = heuristicOf();
    expect(stepOf(heuristic, { p: 0 }, [0.01, 0, 0.001, 0, 0, 0.1], [9, 9, 9, 9])[0]).toBe(0.01);
  });

  test('drilling is held by as much as the contact is wide', () => {
    const heuristic = heuristicOf();
    // μ k |x_r| ρ / k_tor = 0.5 · 1000 · 0.01 · 0.02 / 5 = 0.02 rad.
    const drill = (angle: number) =>
      stepOf(heuristic, { p: 0, lever: 0.02 }, [...press.slice(0, 5), angle], [0.5, 0.4, 0.5, 0.4])[5];
    expect(drill(0.0199)).toBe(0);
    expect(heuristic.drilling).toBe(false);
    expect(drill(-0.0201)).toBeCloseTo(-0.0041, 12);
    expect(heuristic.drilling).toBe(true);
  });

  test('a torque that is noise stops no turn', () => {
    const heuristic = heuristicOf();
    const noise = { p: 0, torque: [0, -0.019 * CUBE.length, 0] };
    expect(stepOf(heuristic, noise, [...press.slice(0, 4), 0.1, 0], [0.5, 0.5, 0.5, 0.5])[4]).toBeCloseTo(0.1, 12);
  });

  test('a turn beside a stopped one is held by the coefficients of turning', () => {
    const heuristic = heuristicOf();
    const contact = { p: 0, torque: [0, -0.05, 0] };
    expect(stepOf(heuristic, contact, [0, 0, 0, 0.04, 0.1, 0], [0, 0, 0.5, 0.5])[3]).toBe(0);
    expect(stepOf(heuristic, contact, [0, 0, 0, 0.06, 0.1, 0], [0, 0, 0.5, 0.5])[3]).toBeCloseTo(0.01, 12);
  });
});

describe('a squeezed tool', () => {
  /** Between two walls across x. */
  const walls = { p: 0.0005, force: [0, 0, 0], total: 2, spread: [2, 0, 0, 0, 0, 0] };

  test('stays where it is between the walls, and goes along them', () => {
    const heuristic = heuristicOf();
    expectClose(stepOf(heuristic, walls, [0.02, 0.003, 0.004, 0.1, 0.1, 0.1]), [0, 0.003, 0.004, 0, 0, 0]);
    expectClose(stepOf(heuristic, walls, [-0.02, 0, 0, 0, 0, 0]), [0, 0, 0, 0, 0, 0]);
    expect(heuristic.correction.squeezed).toBe(true);
  });

  test('goes down to the bottom of a blind hole, against any friction, and up again', () => {
    // Four walls 0.4 mm away, with 200 points each, and a bottom 2 mm away, with 100.
    const v = MARGIN - 0.0004;
    const w = MARGIN - 0.002;
    const hole = {
      ...{ p: -0.0004, force: [0, 0, 100 * w], total: 800 * v + 100 * w },
      ...{ spread: [400 * v, 0, 0, 400 * v, 0, 100 * w], squares: [400 * v * v, 0, 0, 400 * v * v, 0, 100 * w * w] },
    };
    const move = (z: number) => stepOf(heuristicOf(), hole, [0.001, 0, z, 0, 0, 0], [0.9, 0.9, 0.9, 0.9]);
    expectClose(move(-0.01), [0, 0, -0.002, 0, 0, 0]);
    expectClose(move(-0.001), [0, 0, -0.001, 0, 0, 0]);
    expectClose(move(0.01), [0, 0, 0.01 - 0.0009, 0, 0, 0]);
    // A penalty method that does not know how far it is stops above.
    expectClose(stepOf(heuristicOf(), { ...hole, squares: [] }, [0, 0, -0.01, 0, 0, 0]), [0, 0, 0, 0, 0, 0]);
  });

  test('keeps the last direction when nothing else is known, and stays put without any', () => {
    const heuristic = heuristicOf();
    const nothing = { p: 0.0005, force: [0, 0, 0] };
    expectClose(stepOf(heuristic, nothing, [0.1, 0.1, 0.1, 0.1, 0.1, 0.1]), [0, 0, 0, 0, 0, 0]);
    stepOf(heuristic, { p: 0 }, press());
    expectClose(stepOf(heuristic, nothing, [0.01, 0, 0.02, 0, 0, 0]), [0.01, 0, 0]);
  });

  function press(): number[] {
    return [0, 0, -0.01, 0, 0, 0];
  }
});
