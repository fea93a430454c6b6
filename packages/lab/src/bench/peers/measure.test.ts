import { createBox, createPose, type Method, type MethodOutput, type Pose, prepareBody } from '@palpable/engine';
import { beforeAll, expect, it } from 'vitest';
import { type Measured, measure, type Trial } from './measure.js';
import { createOverlap } from './overlap.js';
import type { SceneParts } from './scenes.js';
import { createSolid } from './solid.js';

let parts: SceneParts;

beforeAll(async () => {
  const body = await prepareBody(createBox(0.1, 0.1, 0.1), { field: null, shell: null });
  parts = { tool: body, body, toolPose: createPose(), bodyPose: createPose(0, 0, -0.1) };
});

/** A system that answers by formula. */
function stage(answer: (output: MethodOutput, cycle: number) => void) {
  let cycle = 0;
  const method: Method = {
    reset() {
      cycle = 0;
    },
    step(output, devicePose) {
      output.toolPose.set(devicePose);
      answer(output, cycle);
      cycle += 1;
    },
  };
  return { method, timeStep: 0.001 };
}

function measured(
  answer: (output: MethodOutput, cycle: number) => void,
  course: Partial<Trial['course']>,
  poses: Pose[],
): Measured {
  const runner = stage(answer);
  const overlap = createOverlap(createSolid(parts.tool.mesh), createSolid(parts.body.mesh));
  const scene = { name: '', title: '', friction: 0.5, pieces: { tool: null, body: null }, lowest: 'ever' } as never;
  return measure(
    { timed: runner, seen: runner },
    { scene, parts, course: { plays: [poses], ...course }, overlap, replays: 1 },
  );
}

const still = (count: number, z: number) => Array.from({ length: count }, () => createPose(0, 0, z));

it('takes overlap, lowest vertex and times of a tool that sinks in', () => {
  const poses = Array.from({ length: 400 }, (_, n) => createPose(0, 0, n < 200 ? 0.001 : -0.0005));
  // One cycle is deeper, and the force jumps there.
  poses[301] = createPose(0, 0, -0.002);
  const row = measured(
    (output, cycle) => {
      output.contacts = cycle < 200 ? 0 : 4;
      output.wrench[2] = -1000 * Math.min(0, output.toolPose[2]!);
      output.stageUs[3] = cycle < 200 ? 100 : cycle === 399 ? 50 : 10;
    },
    {},
    poses,
  );
  expect(row.penetrationMaxMm).toBeCloseTo(2, 2);
  expect(row.penetrationP50Mm).toBeCloseTo(0.5, 2);
  expect(row.lowestMm).toBeCloseTo(-52, 9);
  expect([row.p50Us, row.maxUs, row.contactsP50, row.cycles]).toEqual([10, 50, 4, 200]);
  // From 0.5 N to 2 N and back: −1.5 − 1.5.
  expect(row.noiseMaxMn).toBeCloseTo(3000, 6);
});

it('takes drift, slip and noise of a tool that is pulled', () => {
  const row = measured(
    (output, cycle) => {
      output.contacts = 4;
      output.toolPose[0] = cycle < 100 ? 1e-8 * cycle : 0;
      // Presses with 3 N and 1 N; bears 2.2 N of the 2 N that Coulomb allows.
      output.wrench.set([cycle < 100 ? 0 : Math.min(2.2, 0.05 * (cycle - 100)), 3, -1]);
    },
    { still: [0, 100], pull: [100, 200], steady: [0, 100] },
    still(200, 0.001),
  );
  expect(row.driftStillUm).toBeCloseTo(0.99, 9);
  expect(row.driftCyclicUm).toBeNull();
  expect(row.slipPercent).toBeCloseTo(10, 9);
  expect(row.noiseMaxMn).toBe(0);
});

it('says by how much a system stops before the meshes touch', () => {
  const poses = Array.from({ length: 100 }, (_, n) => createPose(0, 0, 0.01 - 1e-4 * n));
  const row = measured(
    (output) => {
      const early = Math.max(0, 0.003 - output.toolPose[2]!);
      output.contacts = early > 0 ? 1 : 0;
      output.wrench[2] = 1000 * early;
    },
    { touches: [{ at: [0, 0, 0], direction: [0, 0, -1] }] },
    poses,
  );
  // Above 0.1 N, so 0.1 to 0.2 mm later than 3 mm.
  expect(row.shortOfTouchMm).toBeGreaterThan(2.75);
  expect(row.shortOfTouchMm).toBeLessThan(2.95);
});
