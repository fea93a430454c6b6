import { createPose, type Pose } from '@palpable/engine';
import { bodyPose } from '@palpable/engine/advanced';
import { play, type SceneChanges } from '../../play/play.js';
import { fitLine, type Line } from '../../play/statistics.js';
import { type Claim, claimAbove, claimNear } from '../claim.js';
import { createFrictionRig } from '../friction-rig.js';
import { pushIn, smallestForce } from '../hand.js';
import { defineStudy, type Lab, plot, runEach, table, type ValuesOf } from '../study.js';

/*
 * Zhao, section 5.3, fig. 12: the smallest force that pushes a peg into a hole that is a little too narrow, over the
 * friction coefficient. All contacts slide along the push, so that it should be μ times the sum of the normal forces,
 * which is taken from the inserted peg without friction. The pyramid circumscribes the cone: along its corners friction
 * is stronger by 1/cos(π/ℓ), and what it should hold is summed contact by contact.
 */

const parameters = {
  coefficients: { meaning: 'friction coefficients', unit: '', min: 0, max: 10, atLeast: 3 },
  direction: { meaning: 'direction of the push, of length 1', unit: '', min: -1, max: 1, atLeast: 3 },
  distance: { meaning: 'displacement from the start until the peg is in', unit: 'm', min: 0.001, max: 1 },
  speed: { meaning: 'fastest motion of the hand', unit: 'm/s', min: 0.001, max: 10 },
  largestForce: { meaning: 'hardest push that is tried', unit: 'N', min: 0.1, max: 1000 },
  resolution: { meaning: 'step of force at which the search ends', unit: 'N', min: 0.0001, max: 1 },
  maxCycles: { meaning: 'longest push', unit: 'cycles', min: 100, max: 1e6, whole: true },
  sides: { meaning: 'sides of the friction pyramid', unit: '', min: 3, max: 32, whole: true },
} as const;
type Values = ValuesOf<typeof parameters>;

interface Variant {
  readonly name: string;
  readonly changes: SceneChanges;
  readonly sides: number | null;
  /** Whether the paper claims something of it, or it is there to compare. */
  readonly claimed: boolean;
}

interface Curve extends Variant {
  readonly points: readonly (readonly [coefficient: number, force: number])[];
  readonly line: Line;
  /** What the slope should be, N. */
  readonly expected: number;
}

export const insertionForce = defineStudy({
  name: 'insertion-force',
  parameters,
  async run(lab, values) {
    const { sides } = values;
    const variants: Variant[] = [
      { name: `pyramid of ${sides}`, changes: { friction: { model: 'pyramid', sides } }, sides, claimed: true },
      { name: 'cone', changes: { friction: { model: 'cone' } }, sides: null, claimed: true },
      {
        name: 'cone, separation off',
        changes: { friction: { model: 'cone' }, method: { separation: 'off' } },
        sides: null,
        claimed: false,
      },
    ];
    const counter = { capped: 0 };
    const curves = await runEach(
      lab,
      variants,
      ({ name }) => name,
      async (variant): Promise<Curve> => {
        const points: [number, number][] = [];
        for (const coefficient of values.coefficients) {
          const between = () =>
            lab.progress(`${variant.name}, μ = ${coefficient}`, variants.indexOf(variant) / variants.length);
          points.push([coefficient, await forceToInsert(lab, values, variant, coefficient, counter, between)]);
        }
        return { ...variant, points, line: fitLine(points), expected: expectedSlope(lab, values, variant.sides) };
      },
    );
    const forces = curves[0]!.points.map(([coefficient], row) => ({
      μ: coefficient,
      ...Object.fromEntries(curves.map(({ name, points }) => [name, points[row]![1]])),
    }));
    const lines = curves.map(({ name, line, expected }) => ({
      model: name,
      'slope, N': line.slope,
      'expected slope, N': expected,
      'slope / expected': line.slope / expected,
      'force at μ = 0, N': line.intercept,
      'R²': line.rSquared,
    }));
    const [x, y] = ['friction coefficient μ', 'force, N'].map((label) => ({ label, min: 0 }));
    return {
      tables: [table('forces', 'Smallest insertion force, N', forces), table('lines', 'Fitted lines', lines)],
      plots: [plot('insertion-force', 'Smallest force that inserts the peg', x!, y!, curves)],
      claims: curves.filter(({ claimed }) => claimed).flatMap(claimsOf),
      capped: counter.capped,
    };
  },
});

function startOf({ scene }: Lab): Pose {
  return bodyPose(scene.bodies[scene.tool[0]!]!);
}

async function forceToInsert(
  lab: Lab,
  values: Values,
  { changes }: Variant,
  coefficient: number,
  counter: { capped: number },
  between: () => Promise<void>,
): Promise<number> {
  const rig = createFrictionRig(lab, { ...changes, friction: { ...changes.friction, coefficient } });
  const { direction, distance, speed, largestForce, resolution, maxCycles } = values;
  const inserts = (force: number) => {
    const push = { start: startOf(lab), direction, speed, force, sideways: 'free' } as const;
    const { inserted, recording } = pushIn(rig, push, distance, maxCycles);
    counter.capped += recording.capped;
    return inserted;
  };
  return smallestForce(inserts, largestForce, resolution, between);
}

const SETTLING_CYCLES = 300;

/** Σ of what each contact of the inserted peg can hold along the push at μ = 1: its normal force, or the pyramid's. */
function expectedSlope(lab: Lab, { direction, distance }: Values, sides: number | null): number {
  const rig = createFrictionRig(lab, { friction: { model: 'none' } });
  const start = startOf(lab);
  const inserted = createPose();
  inserted.set(start);
  for (let axis = 0; axis < 3; axis += 1) inserted[axis] = start[axis]! + distance * direction[axis]!;
  play(rig, { start: inserted, move: () => {}, cycles: SETTLING_CYCLES });
  const { count, normalForce, tangent } = rig.staticFriction.problem;
  let sum = 0;
  for (let c = 0; c < count; c += 1) {
    const [u, v] = [0, 3].map((o) => direction.reduce((dot, d, axis) => dot + d * tangent[6 * c + o + axis]!, 0));
    sum += normalForce[c]! * support(u!, v!, sides);
  }
  return sum;
}

/** How far the disc of radius 1, or the polygon around it, reaches along a direction. */
function support(u: number, v: number, sides: number | null): number {
  if (sides === null) return Math.hypot(u, v);
  let most = 0;
  for (let corner = 0; corner < sides; corner += 1) {
    const angle = (2 * Math.PI * corner) / sides;
    most = Math.max(most, (u * Math.cos(angle) + v * Math.sin(angle)) / Math.cos(Math.PI / sides));
  }
  return most;
}

function claimsOf({ name, line, expected, sides }: Curve): Claim[] {
  const what = sides === null ? 'the sum of the normal forces' : 'what the pyramid holds on the same normal forces';
  return [
    claimAbove(`${name}: the force grows linearly with μ (R²)`, line.rSquared, 0.99),
    claimNear(`${name}: the slope is ${what}`, line.slope, expected, 0.05, 'N'),
  ];
}
