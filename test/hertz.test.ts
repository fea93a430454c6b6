import { createBox, createMethodOutput, createPose } from '@palpable/engine';
import {
  createDeformableWorld,
  DEFAULT_DEFORMABLE_OPTIONS,
  type DeformableSetup,
  type ElasticBody,
  prepareElasticBody,
} from '@palpable/engine/advanced';
import { expect, it } from 'vitest';
import { type BallCells, createRevolvedBall } from './hertz/revolved-ball.js';

// An elastic ball pressed on a rigid plate without friction, through proximity, Delassus operator and solver, against Hertz:
// F = 4/3 E* √R δ^1.5. The ball is held 1.7 R from the pole that touches; nothing is corrected for its finite size. Linear
// tetrahedra and contacts at nodes alone are too stiff, so that the force comes down to Hertz' from above.

const RADIUS = 0.01;
const YOUNG = 1e7;
const POISSON = 0.3;
const DEPTH = 0.005 * RADIUS;
const CONTACT_RADIUS = Math.sqrt(RADIUS * DEPTH);
const REACH = 1.7;
const STEPS = 24;

const MESHES: readonly BallCells[] = [
  { rings: 3, shells: 4, sectors: 8, growth: 1.8 },
  { rings: 5, shells: 8, sectors: 10, growth: 1.5 },
  { rings: 6, shells: 12, sectors: 12, growth: 1.4 },
];

function hertzForce(depth: number): number {
  return (4 / 3) * (YOUNG / (1 - POISSON ** 2)) * Math.sqrt(RADIUS) * depth ** 1.5;
}

function setupOf(body: ElasticBody): DeformableSetup {
  const inertia = Float64Array.of(1e-6, 0, 0, 0, 1e-6, 0, 0, 0, 1e-6);
  return {
    bodies: [
      {
        surface: body.surface,
        elastic: { body, material: { young: YOUNG, density: 1000, massDamping: 0, stiffnessDamping: 0 } },
        field: null,
        tool: { centre: [0, 0, 0], mass: 0.001, inertia, length: RADIUS },
        pose: createPose(0, 0, RADIUS),
      },
      {
        surface: createBox(4 * RADIUS, 4 * RADIUS, RADIUS),
        elastic: null,
        field: null,
        tool: null,
        pose: createPose(0, 0, -RADIUS / 2),
      },
    ],
    pairs: [{ first: 0, second: 1, staticCoefficient: 0, kineticCoefficient: 0 }],
    hands: [0],
    options: {
      ...DEFAULT_DEFORMABLE_OPTIONS,
      // Stiff beside the contact: the hand's way is the ball's.
      coupling: { ...DEFAULT_DEFORMABLE_OPTIONS.coupling, stiffness: (20 * hertzForce(DEPTH)) / DEPTH },
      alarmDistance: 0.6 * DEPTH,
      contacts: 500,
      spacing: 1e-9,
      tolerance: 1e-10,
      maxSweeps: 2000,
    },
  };
}

/** The force of the ball over Hertz' at the depth that it comes to. */
function pressBall(cells: BallCells): number {
  const { mesh, held, core } = createRevolvedBall(RADIUS, 1.25 * CONTACT_RADIUS, REACH, cells);
  const body = prepareElasticBody(mesh, { poisson: POISSON, fixed: held, touchable: core, modes: 0 });
  const { methods } = createDeformableWorld(setupOf(body));
  const output = createMethodOutput();
  const device = createPose(0, 0, RADIUS);
  methods[0]!.reset(device);
  for (let step = 1; step <= STEPS; step += 1) {
    device[2] = RADIUS - 1.05 * DEPTH * Math.min(1, (2 * step) / STEPS);
    methods[0]!.step(output, device);
  }
  const depth = RADIUS - output.toolPose[2]!;
  expect(depth / DEPTH).toBeCloseTo(1, 1);
  expect(output.maxPenetration).toBeLessThan(0.01 * DEPTH);
  return output.wrench[2]! / hertzForce(depth);
}

it('a ball on a plate presses as Hertz says, the closer the finer its mesh, within 5 % at the third', {
  timeout: 120_000,
}, () => {
  const excess = MESHES.map((cells) => pressBall(cells) - 1);
  expect(excess.map(Math.abs)).toEqual(excess.map(Math.abs).toSorted((a, b) => b - a));
  expect(Math.abs(excess[1]!)).toBeLessThan(0.08);
  expect(Math.abs(excess[2]!)).toBeLessThan(0.05);
});
