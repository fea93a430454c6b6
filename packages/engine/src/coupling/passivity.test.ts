import { describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import {
  createPassivity,
  keepPassive,
  LEDGER_BALANCE,
  LEDGER_DAMPING,
  LEDGER_ENERGY,
  LEDGER_PEAK,
  LEDGER_WITHHELD,
  observeEnergy,
  type Passivity,
  type PassivityOptions,
} from './passivity.js';

const T = 0.001;
const NO_WEIGHT = new Float64Array(3);

/** One axis of a mass that only the loop pushes: place, speed, and the wrench it gets. */
interface Mass {
  /** kg, or kg m² for a rotation. */
  readonly inertia: number;
  /** From 0: x, y, z, then rotations. */
  readonly axis: number;
  place: number;
  speed: number;
}

/** What an environment does: a force for each place and speed. It may remember. */
type Environment = (place: number, speed: number) => number;

interface Outcome {
  /** The most that the mass was ever given, by the exact integral of force times way, J. */
  readonly mostGiven: number;
  readonly passivity: Passivity;
  /** Cycles in which the controller changed the wrench. */
  readonly changed: number;
}

/** Plays a mass against an environment. The motion under a constant force is exact. */
function play(
  mass: Mass,
  environment: Environment,
  {
    cycles = 4000,
    options = {},
    control = true,
  }: { cycles?: number; options?: Partial<PassivityOptions>; control?: boolean },
): Outcome {
  const passivity = createPassivity(options);
  const [wrench, written, motion] = [new Float64Array(6), new Float64Array(6), new Float64Array(6)];
  let given = 0;
  let mostGiven = 0;
  let changed = 0;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    observeEnergy(passivity, written, motion, NO_WEIGHT);
    wrench.fill(0);
    wrench[mass.axis] = environment(mass.place, mass.speed);
    const before = wrench.slice();
    if (control) keepPassive(passivity, wrench, motion);
    if (wrench.some((value, k) => !Object.is(value, before[k]))) changed += 1;
    written.set(wrench);
    // Exact, in small parts, so that the most is found between two samples as well.
    const start = mass.place;
    for (let part = 0; part < 10; part += 1) {
      const force = written[mass.axis];
      const way = (mass.speed * T) / 10 + (0.5 * force * (T / 10) ** 2) / mass.inertia;
      given += force * way;
      mass.place += way;
      mass.speed += (force * T) / 10 / mass.inertia;
      mostGiven = Math.max(mostGiven, given);
    }
    motion.fill(0);
    motion[mass.axis] = mass.place - start;
  }
  observeEnergy(passivity, written, motion, NO_WEIGHT);
  expect(Math.abs(passivity.ledger[LEDGER_ENERGY] - given)).toBeLessThan(
    1e-12 * (1 + Math.abs(given)) + 1e-13 * cycles,
  );
  return { mostGiven, passivity, changed };
}

function capped(force: number, most: number): number {
  return Math.max(-most, Math.min(most, force));
}

/** Softer when it is loaded than when it gives back. */
function stickySpring(stiffness: number, most: number): Environment {
  return (place, speed) => capped(-(place * speed > 0 ? 0.5 : 1) * stiffness * place, most);
}

/** One that answers to where the mass was. */
function lateSpring(stiffness: number, delay: number, most: number): Environment {
  const places: number[] = [];
  return (place) => {
    places.push(place);
    return capped(-stiffness * places[Math.max(0, places.length - 1 - delay)], most);
  };
}

function negativeDamper(damping: number, most: number): Environment {
  return (_, speed) => capped(damping * speed, most);
}

const ACTIVE: [string, (scale: number, most: number) => Environment][] = [
  ['a spring stiffer on release', (scale, most) => stickySpring(2000 * scale, most)],
  ['a spring that is late', (scale, most) => lateSpring(800 * scale, 8, most)],
  ['a stiff spring that is sampled', (scale, most) => lateSpring(8000 * scale, 0, most)],
  ['a negative damper', (scale, most) => negativeDamper(4 * scale, most)],
  ['one beyond all damping', (scale, most) => negativeDamper(60 * scale, most)],
];

describe('an active environment', () => {
  describe.each(ACTIVE)('%s', (_, create) => {
    test.each([0.15, 0.4, 2])('gives a hand of %d kg no more than the bound', (inertia) => {
      const start = () => ({ inertia, axis: 0, place: 0, speed: 0.15 });
      const free = play(start(), create(1, 5), { control: false });
      const bound = play(start(), create(1, 5), {});
      expect(free.mostGiven).toBeGreaterThan(0.02);
      expect(bound.mostGiven).toBeLessThan(1e-3);
      expect(bound.passivity.ledger[LEDGER_PEAK]).toBeLessThan(1e-3);
      expect(bound.passivity.ledger[LEDGER_WITHHELD]).toBeGreaterThan(0);
    });

    test('nor one that turns', () => {
      // Stiffness times L², inertia of a small tool.
      const scale = 0.05 ** 2;
      const start = () => ({ inertia: 0.4 * scale, axis: 4, place: 0, speed: 3 });
      const free = play(start(), create(scale, 0.2), { control: false });
      const bound = play(start(), create(scale, 0.2), { options: { length: 0.05 } });
      expect(free.mostGiven).toBeGreaterThan(0.02);
      expect(bound.mostGiven).toBeLessThan(1e-3);
    });

    test('another bound holds as well', () => {
      const start = () => ({ inertia: 0.4, axis: 2, place: 0, speed: 0.15 });
      expect(play(start(), create(1, 5), { options: { bound: 0.01 } }).mostGiven).toBeLessThan(0.01);
    });
  });

  test('after much rubbing no more is given than a coupling can hold', () => {
    const outcomes = [0.02, Number.POSITIVE_INFINITY].map((stored) => {
      // Two seconds of friction against a hand that goes on and on, then an instability.
      const passivity = createPassivity({ stored });
      const [wrench, motion] = [Float64Array.of(-3, 0, 0, 0, 0, 0), Float64Array.of(5e-4, 0, 0, 0, 0, 0)];
      for (let cycle = 0; cycle < 2000; cycle += 1) observeEnergy(passivity, wrench, motion, NO_WEIGHT);
      expect(passivity.ledger[LEDGER_ENERGY]).toBeCloseTo(-3, 9);
      let given = 0;
      const written = new Float64Array(6);
      for (let cycle = 0; cycle < 3000; cycle += 1) {
        written.set([4, 0, 0, 0, 0, 0]);
        keepPassive(passivity, written, motion);
        observeEnergy(passivity, written, motion, NO_WEIGHT);
        given += written[0] * motion[0];
      }
      return given;
    });
    expect(outcomes[0]).toBeLessThan(0.02 + 1e-3);
    expect(outcomes[0]).toBeGreaterThan(0.02);
    // Without that cap the whole credit would be.
    expect(outcomes[1]).toBeGreaterThan(3);
    expect(outcomes[1]).toBeLessThan(3 + 1e-3);
  });
});

describe('a passive environment is left alone, to the bit', () => {
  test.each([
    ['a soft spring with a damper as strong as sampling needs', 500, 0.5],
    ['a stiffer one', 2000, 2],
    ['damping alone', 0, 5],
  ])('%s', (_, stiffness, damping) => {
    const { changed, passivity } = play(
      { inertia: 0.4, axis: 1, place: 0, speed: 0.2 },
      (place, speed) => -stiffness * place - damping * speed,
      {},
    );
    expect(changed).toBe(0);
    expect(passivity.ledger[LEDGER_WITHHELD]).toBe(0);
    expect(passivity.ledger[LEDGER_DAMPING]).toBe(0);
    expect(passivity.ledger[LEDGER_PEAK]).toBeLessThan(5e-4);
  });

  test('the weight of a tool may be lowered from any height, and lifted again, at any pace', () => {
    const passivity = createPassivity();
    const weight = Float64Array.of(0.5, 0, -2);
    const wrench = Float64Array.of(0.5, 0, -2, 0, 0, 0);
    const random = createRandom(2);
    for (let cycle = 0; cycle < 5000; cycle += 1) {
      const motion = Float64Array.from({ length: 6 }, () => 2e-3 * (random() - 0.4));
      observeEnergy(passivity, wrench, motion, weight);
    }
    expect(passivity.ledger).toEqual(createPassivity().ledger);
  });

  test('were it not told of the weight, it would not allow it', () => {
    const passivity = createPassivity();
    const wrench = Float64Array.of(0, 0, -2, 0, 0, 0);
    const motion = Float64Array.of(0, 0, -1e-3, 0, 0, 0);
    observeEnergy(passivity, wrench, motion, NO_WEIGHT);
    expect(keepPassive(passivity, wrench, motion)).toBe(true);
  });

  test('nothing is done to a hand that rests and owes nothing', () => {
    const passivity = createPassivity();
    const wrench = Float64Array.of(3, -1, 2, 0.1, 0, 0);
    for (let cycle = 0; cycle < 10; cycle += 1) {
      expect(keepPassive(passivity, wrench, new Float64Array(6))).toBe(false);
    }
    expect([...wrench]).toEqual([3, -1, 2, 0.1, 0, 0]);
  });
});

describe('what the controller takes', () => {
  /** Work of three numbers of a wrench along a motion. */
  function workOf(wrench: Float64Array, motion: Float64Array, at: number): number {
    return [0, 1, 2].reduce((sum, k) => sum + wrench[at + k] * motion[at + k], 0);
  }

  /** What of three numbers stands across the motion. */
  function across(wrench: Float64Array, motion: Float64Array, at: number): number {
    const three = wrench.subarray(at, at + 3);
    const square = workOf(motion, motion, at);
    const along = square === 0 ? 0 : workOf(wrench, motion, at) ** 2 / square;
    return Math.sqrt(Math.max(0, three.reduce((sum, value) => sum + value * value, 0) - along));
  }

  test.each([1, 2, 3])(
    'less is given, against the motion no more than the damping, across it nothing new (seed %i)',
    (seed) => {
      const random = createRandom(seed);
      let changes = 0;
      for (let sample = 0; sample < 1000; sample += 1) {
        const options = { length: random() < 0.2 ? 0 : 0.2 * random(), maxDamping: 40 * random() };
        const passivity = createPassivity(options);
        const six = (size: number) => Float64Array.from({ length: 6 }, () => size * (random() - 0.5));
        const balance = 2e-3 * (random() - 0.3);
        passivity.ledger[LEDGER_BALANCE] = balance;
        const [wrench, motion] = [six(10), six(2e-3)];
        if (options.length === 0) wrench.fill(0, 3);
        const before = wrench.slice();
        const changed = keepPassive(passivity, wrench, motion);
        if (!changed) {
          expect(wrench).toEqual(before);
          expect(balance + workOf(before, motion, 0) + workOf(before, motion, 3)).toBeLessThan(1e-3);
          continue;
        }
        changes += 1;
        for (const at of [0, 3]) {
          const metric = at === 0 ? 1 : options.length ** 2;
          const damping = (options.maxDamping * metric * workOf(motion, motion, at)) / T;
          const [had, has] = [workOf(before, motion, at), workOf(wrench, motion, at)];
          expect(has).toBeLessThanOrEqual(Math.max(0, had) + 1e-12);
          expect(has).toBeGreaterThanOrEqual(Math.min(0, had) - damping - 1e-12);
          expect(across(wrench, motion, at)).toBeLessThanOrEqual(across(before, motion, at) + 1e-9);
        }
        expect(passivity.ledger[LEDGER_WITHHELD]).toBeGreaterThanOrEqual(0);
      }
      expect(changes).toBeGreaterThan(100);
    },
  );

  test('a device without torque gets none from it', () => {
    const passivity = createPassivity({ length: 0 });
    const wrench = Float64Array.of(5, 0, 0, 0, 0, 0);
    expect(keepPassive(passivity, wrench, Float64Array.of(1e-3, 0, 0, 0.01, -0.02, 0.03))).toBe(true);
    expect([...wrench.subarray(1)].map(Math.abs)).toEqual([0, 0, 0, 0, 0]);
    expect(wrench[0]).toBeLessThan(5);
    passivity.ledger[LEDGER_BALANCE] = 1;
    keepPassive(passivity, wrench, Float64Array.of(0, 0, 0, 0.01, 0, 0));
    expect([...wrench.subarray(3)].map(Math.abs)).toEqual([0, 0, 0]);
    expect(passivity.ledger.every(Number.isFinite)).toBe(true);
  });
});

describe('the ledger', () => {
  test('is the sum of all work, however it is added up', () => {
    const random = createRandom(11);
    const passivity = createPassivity({ stored: 0.05 });
    const works: number[] = [];
    let balance = 0;
    for (let cycle = 0; cycle < 5000; cycle += 1) {
      const [wrench, motion, weight] = [6, 6, 3].map((length) =>
        Float64Array.from({ length }, () => (random() - 0.5) * 0.1),
      );
      observeEnergy(passivity, wrench, motion, weight);
      const work =
        wrench.reduce((sum, value, k) => sum + value * motion[k], 0) -
        weight.reduce((sum, value, k) => sum + value * motion[k], 0);
      works.push(work);
      balance = Math.max(-0.05, balance + work);
      if (Math.abs(passivity.ledger[LEDGER_BALANCE] - balance) > 1e-12) throw new RangeError(`wrong in cycle ${cycle}`);
    }
    const backwards = works.reduceRight((sum, work) => sum + work, 0);
    expect(passivity.ledger[LEDGER_ENERGY]).toBeCloseTo(backwards, 12);
    let [sum, most] = [0, 0];
    for (const work of works) {
      sum += work;
      most = Math.max(most, sum);
    }
    expect(passivity.ledger[LEDGER_PEAK]).toBeCloseTo(most, 12);
  });

  test('a number that is not finite is not booked', () => {
    const passivity = createPassivity();
    const one = Float64Array.of(1, 0, 0, 0, 0, 0);
    for (const wild of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      observeEnergy(passivity, one, Float64Array.of(wild, 0, 0, 0, 0, 0), NO_WEIGHT);
      observeEnergy(passivity, Float64Array.of(0, 0, 0, wild, 0, 0), one, NO_WEIGHT);
    }
    expect(passivity.ledger).toEqual(createPassivity().ledger);
  });
});

test.each([0, -1e-3, Number.NaN])('a bound of %d is refused', (bound) => {
  expect(() => createPassivity({ bound })).toThrow(/passivity\.bound is .*, but must be above 0 \(J\)\./);
});
