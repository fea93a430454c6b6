import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { prepareBody } from '../../asset/prepared-body.js';
import type { ShellOwner } from '../../contact/contact-query.js';
import { createContactSet } from '../../contact/contact-set.js';
import { createContactQuery } from '../../contact/create-contact-query.js';
import { queryContacts } from '../../contact/query-contacts.js';
import type { FieldOptions } from '../../field/build-field.js';
import { createPose, type Pose } from '../../math/pose.js';
import { readMesh } from '../../mesh/read-mesh.js';
import { createBox, createSphere } from '../../mesh/shapes.js';
import { createMesh, type TriangleMesh } from '../../mesh/triangle-mesh.js';
import { buildModel } from '../../model/models.js';
import type { ShellOptions } from '../../shell/point-shell.js';
import { createMethodOutput } from '../method.js';
import { createPenaltyMethod } from '../penalty/penalty.js';
import { joinBodies, type RigBodies } from '../rig.fixture.js';
import { createContactPair } from '../tool-contacts.js';
import type { ConstraintKind } from './god-object.js';
import { createGodRig, type GodRig, lead, placeAt, rest, turned } from './god-rig.fixture.js';

const CONSTRAINTS: ConstraintKind[] = ['heuristic', 'manifold'];
const PATIENCE = 120_000;

async function prepare(
  [shellMesh, shell]: readonly [TriangleMesh, ShellOptions],
  [fieldMesh, field]: readonly [TriangleMesh, FieldOptions],
  shellOn: ShellOwner,
): Promise<RigBodies> {
  const shellBody = await prepareBody(shellMesh, { field: null, shell });
  const fieldBody = await prepareBody(fieldMesh, { field, shell: null });
  return joinBodies(shellBody, fieldBody, shellOn);
}

/** Leads the device from pose to pose, and gives the deepest penetration on the way. */
function tour(rig: GodRig, start: Pose, goals: readonly Pose[], cycles: number): number {
  placeAt(rig, start);
  return Math.max(...goals.map((goal) => Math.max(lead(rig, goal, cycles), rest(rig, 20))));
}

test(
  'a cube slides along a corner: no deeper than a voxel, with the manifold a tenth of it',
  async () => {
    const bodies = await prepare(
      [buildModel('corner'), { count: 2000, seed: 1 }],
      [createBox(0.1, 0.1, 0.1), { resolution: 96 }],
      'environment',
    );
    const goals = [
      createPose(0.047, 0.047, 0.047),
      createPose(0.047, 0.09, 0.047),
      createPose(0.045, 0.046, 0.046),
      createPose(0.09, 0.046, 0.047),
      createPose(0.046, 0.047, 0.045),
      createPose(0.08, 0.08, 0.047),
    ];
    for (const constraint of CONSTRAINTS) {
      const rig = createGodRig(bodies, { constraint, coefficient: 0.3 });
      const deepest = tour(rig, createPose(0.055, 0.055, 0.055), goals, 150);
      expect(deepest, constraint).toBeLessThan(constraint === 'manifold' ? 0.1 * rig.voxel : rig.voxel);
    }
  },
  PATIENCE,
);

test('a cautious query is not taken in by a notch that a coarse field has filled', async () => {
  const corner = await prepareBody(buildModel('corner'), { field: { resolution: 128 }, shell: null });
  const cube = await prepareBody(createBox(0.1, 0.1, 0.1), { field: null, shell: { count: 1000, seed: 1 } });
  const deepest = (isCautious: boolean) => {
    const query = createContactQuery(cube.shell!, corner.field!, { shellOn: 'tool', isCautious });
    const set = createContactSet(cube.shell!.count);
    // On the floor and at one wall, at several places beside the other: nothing is inside.
    const places = Array.from({ length: 20 }, (_, n) => createPose(0.05, 0.05 + 0.0005 * n, 0.05));
    return Math.max(
      ...places.map((pose) => {
        queryContacts(query, set, pose, createPose(), pose.subarray(0, 3));
        return Math.max(0, ...set.depth.subarray(0, set.count));
      }),
    );
  };
  expect(deepest(false)).toBeGreaterThan(3e-4);
  expect(deepest(true)).toBeLessThan(1e-5);
});

describe('thin sheets', () => {
  /** From above on a slant and turning, until the device is far below. */
  function plunge(step: (pose: Pose) => void, speed: number, slant: number, spin: number): void {
    const steps = 0.15 / (speed * 0.001);
    const length = Math.hypot(slant, 1);
    for (let cycle = 0; cycle < steps; cycle += 1) {
      const way = (speed * 0.001 * cycle) / length;
      step(turned(createPose(slant * (way - 0.05), 0, 0.06 - way), [0.001 * spin * cycle, 0, 0]));
    }
  }

  test.each([0.0005, 0.001, 0.002])(
    'of %f m: nothing passes at up to 1 m/s, where penalties let everything through',
    async (thickness) => {
      const bodies = await prepare(
        [createSphere(0.03), { count: 1500, seed: 1 }],
        [createBox(0.2, 0.2, thickness), { resolution: 200 }],
        'tool',
      );
      const passed = { penalty: 0, heuristic: 0, manifold: 0 };
      for (const [speed, slant, spin] of [
        [0.3, 0, 0],
        [1, 0, 0],
        [1, 0.5, 6],
        [1, 1, -6],
      ]) {
        for (const constraint of CONSTRAINTS) {
          const rig = createGodRig(bodies, { constraint, coefficient: 0.3 });
          placeAt(rig, createPose(-0.05 * slant, 0, 0.06));
          plunge(
            (pose) => {
              rig.device.set(pose);
              rest(rig, 1);
              // The manifold gives way by a 500th of how far the device is ahead, 0.1 mm at most; the deepest point by more than the mean.
              const ahead = Math.hypot(...[0, 1, 2].map((axis) => pose[axis]! - rig.output.toolPose[axis]!));
              const sink = constraint === 'manifold' ? Math.min(ahead / 500, 1e-4) : 0;
              expect(rig.output.maxPenetration).toBeLessThan(0.1 * thickness + 1.5 * sink);
            },
            speed,
            slant,
            spin,
          );
          if (rig.output.toolPose[2] < 0.02) passed[constraint] += 1;
        }
        const penalty = createPenaltyMethod(bodies.tool, [createContactPair(bodies.query)], { stiffness: 5000 });
        const output = createMethodOutput();
        plunge((pose) => penalty.step(output, pose), speed, slant, spin);
        // Where the device is, below the sheet, nothing pushes it back.
        if (output.wrench[2] <= 0) passed.penalty += 1;
      }
      expect(passed).toEqual({ penalty: 4, heuristic: 0, manifold: 0 });
    },
    PATIENCE,
  );
});

describe('peg and hole', () => {
  /** The peg of the gallery is 1 % wider than its hole; this one is narrower. */
  function narrowPeg(): TriangleMesh {
    const { positions, triangles } = buildModel('peg');
    return createMesh(
      positions.map((value, k) => (k % 3 < 2 ? 0.975 * value : value)),
      triangles,
    );
  }

  test(
    'a peg that fits goes in and out with most of its sides in contact, less deep than a voxel',
    async () => {
      const bodies = await prepare(
        [narrowPeg(), { count: 1000, seed: 1 }],
        [buildModel('peg-hole'), { resolution: 128 }],
        'tool',
      );
      for (const constraint of CONSTRAINTS) {
        const rig = createGodRig(bodies, { constraint, coefficient: 0.1 });
        const outside = createPose(0, 0, 0.08);
        placeAt(rig, outside);
        let deepest = lead(rig, createPose(0.003, 0, 0.02), 200);
        expect(rig.output.toolPose[2], constraint).toBeLessThan(0.03);
        expect(rig.output.contacts).toBeGreaterThan(300);
        for (const goal of [
          turned(createPose(0.005, 0.003, 0), [0.1, 0.1, 0.2]),
          turned(createPose(-0.005, 0.003, 0), [-0.1, 0.1, -0.2]),
          outside,
        ]) {
          deepest = Math.max(deepest, lead(rig, goal, 150));
        }
        deepest = Math.max(deepest, rest(rig, 200));
        expect(deepest, constraint).toBeLessThan(constraint === 'manifold' ? 0.5 * rig.voxel : rig.voxel);
        expect(rig.output.toolPose[2]).toBeCloseTo(0.08, 9);
      }
    },
    PATIENCE,
  );

  test(
    'one that does not fit holds where it was put, never jumps and comes out when it is pulled',
    async () => {
      const bodies = await prepare(
        [buildModel('peg'), { count: 672, seed: 1 }],
        [buildModel('peg-hole'), { resolution: 128 }],
        'tool',
      );
      for (const constraint of CONSTRAINTS) {
        // At 0.2 mm too much on each side, 500 times the coupling would hold it with 40 N.
        const rig = createGodRig(bodies, { constraint, coefficient: 0.1, contact: { stiffness: 50_000 } });
        placeAt(rig, createPose(0, 0, 0.01));
        rest(rig, 300);
        expect(rig.output.toolPose[2], constraint).toBeCloseTo(0.01, 5);
        expect(Math.hypot(rig.output.toolPose[0], rig.output.toolPose[1])).toBeLessThan(1e-4);
        let last = Float64Array.from(rig.output.toolPose);
        for (let cycle = 0; cycle < 600; cycle += 1) {
          rig.device[0] = 0.004 * Math.sin(cycle / 50);
          rig.device[2] = 0.01 + (0.1 * cycle) / 600;
          rest(rig, 1);
          const step = Math.hypot(...[0, 1, 2].map((axis) => rig.output.toolPose[axis] - last[axis]));
          // Eight sub-steps of half a voxel, when it comes free and the device is far ahead.
          expect(step, `${constraint}, cycle ${cycle}`).toBeLessThanOrEqual(4 * rig.voxel);
          // The heuristic has no bound here: where so few points are left in the mouth of the hole that none of them
          // agree, it was seen to sink in by one and a half voxels.
          if (constraint === 'manifold') expect(rig.output.maxPenetration).toBeLessThan(rig.voxel);
          last = Float64Array.from(rig.output.toolPose);
        }
        expect(rig.output.toolPose[2], constraint).toBeGreaterThan(0.1);
      }
    },
    PATIENCE,
  );
});

test(
  'a bunny knocks at a teapot and slides around it, less deep than a voxel',
  async () => {
    const read = async (name: string, scale: number): Promise<TriangleMesh> => {
      const path = new URL(`../../../../../scenes/meshes/${name}`, import.meta.url);
      return (await readMesh(readFileSync(path), { fileName: name, scale })).mesh;
    };
    const bodies = await prepare(
      [await read('bunny.obj', 0.025234), { count: 800, seed: 1 }],
      [await read('teapot.obj', 0.022401554), { resolution: 80 }],
      'tool',
    );
    // Both meshes have y up.
    const goals = [
      createPose(-0.05, 0.15, 0),
      createPose(-0.05, 0.22, 0),
      createPose(-0.05, 0.12, 0),
      turned(createPose(0.1, 0.11, 0), [0.2, 0.3, 0.2]),
      turned(createPose(0.12, 0.03, 0.1), [-0.2, 0.6, 0.2]),
      turned(createPose(-0.1, 0.03, 0.15), [0.3, 0.2, 0]),
      createPose(-0.05, 0.25, 0),
    ];
    for (const constraint of CONSTRAINTS) {
      const rig = createGodRig(bodies, { constraint, coefficient: 0.2, kinetic: 0.18 });
      expect(tour(rig, createPose(-0.05, 0.25, 0), goals, 150), constraint).toBeLessThan(rig.voxel);
    }
  },
  PATIENCE,
);
