import { expect, test } from 'vitest';
import { type PreparedBody, prepareBody } from '../../asset/prepared-body.js';
import { cosOf, lengthOf, sinOf } from '../../math/portable.js';
import { composePose, createPose, type Pose } from '../../math/pose.js';
import { createBox, createSphere } from '../../mesh/shapes.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { createSymmetricRig, type GodRig, placeAt, rest, turned } from './god-rig.fixture.js';

/*
 * Flat faces reduced to pairs, beside the same bodies with all their points. The unreduced method is the reference where
 * nothing is known by a formula.
 */

const PATIENCE = 120_000;
const SIDE = 0.06;
const HEIGHT = 0.03;
/** Mean distance of the places of a square from its centre, in sides. */
const SQUARE_ARM = 0.38259785823;

async function bodiesOf(tool: TriangleMesh, count: number, seed: number): Promise<[PreparedBody, PreparedBody]> {
  return [
    await prepareBody(tool, { field: { resolution: 64 }, shell: { count, seed } }),
    await prepareBody(createBox(0.2, 0.2, 0.02), { field: { resolution: 128 }, shell: { count: 2000, seed } }),
  ];
}

const blockAndPlate = (count: number, seed: number) => bodiesOf(createBox(SIDE, SIDE, HEIGHT), count, seed);

/** Everything turned in space by a rotation vector; the plate's top is at z = 0 before. */
const PLATE = createPose(0, 0, -0.01);
const inWorld = (world: Pose, pose: Pose) => composePose(createPose(), world, pose);

/** Pressed by 5 N, and turned about the normal until it slips: the torque that it then resists with, N m. */
function twist(rig: GodRig, world: Pose, spin: number): number {
  const z = HEIGHT / 2;
  placeAt(rig, inWorld(world, createPose(0.003, 0.002, z)));
  for (let cycle = 0; cycle < 200; cycle += 1) {
    rig.device.set(inWorld(world, createPose(0.003, 0.002, z - (0.005 * cycle) / 200)));
    rest(rig, 1);
  }
  let most = 0;
  for (let cycle = 0; cycle < 300; cycle += 1) {
    rig.device.set(inWorld(world, turned(createPose(0.003, 0.002, z - 0.005), [0, 0, spin * cycle])));
    rest(rig, 1);
    most = Math.max(most, lengthOf(rig.output.wrench.subarray(3)));
  }
  return most;
}

test.each([
  [600, 1, [0, 0, 0]],
  [600, 2, [0.4, -0.3, 0.8]],
  [2000, 3, [-0.2, 1.1, 0.5]],
  [5000, 4, [2, 0.1, -0.4]],
])(
  'a pressed patch of %i points, seed %i, resists twisting as even pressure does, closer than with all points',
  async (count, seed, turn) => {
    const [block, plate] = await blockAndPlate(count, seed);
    const world = turned(createPose(), turn);
    const [reduced, all] = [true, false].map((isReduced) =>
      twist(createSymmetricRig(block, plate, isReduced, inWorld(world, PLATE)), world, 2e-4),
    );
    // 5 N, μ = 0.5. Unreduced, a pair starts with 48 points, which stand for the others unevenly.
    const truth = 0.5 * 5 * SIDE * SQUARE_ARM;
    expect(Math.abs(reduced / truth - 1), `${reduced}, ${all} and ${truth} N m`).toBeLessThan(0.012);
    expect(Math.abs(reduced / truth - 1)).toBeLessThan(Math.abs(all / truth - 1));
  },
  PATIENCE,
);

test(
  'a block that is pulled over the edge of a plate changes its forces as smoothly as with all points',
  async () => {
    const [block, plate] = await blockAndPlate(1500, 1);
    const jumps = [true, false].map((isReduced) => {
      const rig = createSymmetricRig(block, plate, isReduced, PLATE);
      const z = HEIGHT / 2;
      placeAt(rig, createPose(0.05, 0.01, z));
      const last = new Float64Array(6);
      let force = 0;
      let deepest = 0;
      for (let cycle = 0; cycle < 900; cycle += 1) {
        const x = 0.05 + 1e-4 * Math.max(0, cycle - 200);
        rig.device.set(turned(createPose(x, 0.01, z - 0.005 * Math.min(1, cycle / 150)), [0, 0, 0.3]));
        rest(rig, 1);
        if (cycle > 250) {
          const change = rig.output.wrench.map((value, i) => value - last[i]);
          // Until half of it is over the edge, it stays level.
          if (x < 0.095) force = Math.max(force, lengthOf(change.subarray(0, 3)));
          deepest = Math.max(deepest, rig.output.maxPenetration);
        }
        last.set(rig.output.wrench);
      }
      return { force, deepest };
    });
    const [reduced, all] = jumps;
    expect(reduced.force).toBeLessThan(Math.max(0.02, 1.2 * all.force));
    expect(reduced.deepest).toBeLessThan(all.deepest + 1e-5);
  },
  PATIENCE,
);

test(
  'a block pulled around at 90 % of its friction comes back to where it was, turn by turn',
  async () => {
    const [block, plate] = await blockAndPlate(1500, 1);
    const rig = createSymmetricRig(block, plate, true, PLATE);
    const z = HEIGHT / 2;
    placeAt(rig, createPose(0, 0, z));
    const turn = 250;
    const lead = (cycle: number, part: number) => {
      const angle = (2 * Math.PI * cycle) / turn;
      const pull = 0.45 * 0.005 * part;
      rig.device.set(createPose(pull * cosOf(angle), pull * sinOf(angle), z - 0.005));
      rest(rig, 1);
    };
    for (let cycle = 0; cycle <= 2 * turn; cycle += 1) lead(cycle, Math.min(1, cycle / turn));
    const held = rig.output.toolPose.slice();
    for (let cycle = 1; cycle <= 4 * turn; cycle += 1) lead(cycle, 1);
    // Between, it leans by what the contacts give way.
    const drift = lengthOf([0, 1].map((axis) => rig.output.toolPose[axis] - held[axis]));
    expect(drift).toBeLessThan(1e-8);
  },
  PATIENCE,
);

test(
  'curved tools are none the wiser: every cycle is the same to the last bit',
  async () => {
    const [ball, plate] = await bodiesOf(createSphere(0.03), 800, 1);
    const [reduced, all] = [true, false].map((isReduced) => {
      const rig = createSymmetricRig(ball, plate, isReduced, PLATE);
      placeAt(rig, createPose(0, 0, 0.04));
      const poses: number[] = [];
      for (let cycle = 0; cycle < 400; cycle += 1) {
        rig.device.set(
          turned(createPose(1e-4 * cycle, 0, Math.max(0.025, 0.04 - 1e-4 * cycle)), [0, 0.001 * cycle, 0]),
        );
        rest(rig, 1);
        poses.push(...rig.output.toolPose, ...rig.output.wrench);
      }
      return poses;
    });
    expect(reduced).toEqual(all);
  },
  PATIENCE,
);
