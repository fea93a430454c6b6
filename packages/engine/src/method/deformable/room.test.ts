import { expect, it } from 'vitest';
import { type PreparedBody, prepareBody } from '../../asset/prepared-body.js';
import { CAPPED_CONTACTS } from '../../contact/contact-query.js';
import { boxMesh, nodesWhere } from '../../elasticity/meshes.fixture.js';
import { prepareElasticBody } from '../../elasticity/prepare-elastic-body.js';
import { createPose } from '../../math/pose.js';
import { createBox } from '../../mesh/shapes.js';
import { buildSceneMesh } from '../../scene/build-scene-mesh.js';
import { checkSceneValue } from '../../scene/check-scene.js';
import { createSceneMethod } from '../../scene/create-scene-method.js';
import { planPreparation } from '../../scene/plan-preparation.js';
import { createMethodOutput } from '../method.js';
import { createDeformableWorld } from './deformable.js';
import { DEFAULT_DEFORMABLE_OPTIONS, type DeformableBodySetup } from './deformable-setup.js';
import { elasticBody } from './rig.fixture.js';

const COUPLING = { stiffness: 2000, torsionalStiffness: 50, damping: null, torsionalDamping: null, graspPoint: null };
const SIDE = 0.03;
const HALF = Math.SQRT1_2;

/** A square bar along y that stands on an edge, held along the opposite one. */
function wedge(): DeformableBodySetup {
  const mesh = boxMesh([5, 5, 5], [SIDE, SIDE, SIDE]);
  const { positions } = mesh;
  for (let n = 0; n < positions.length; n += 3) {
    const [x, z] = [positions[n], positions[n + 2]];
    positions[n] = HALF * (x - z);
    positions[n + 1] -= 0.5 * SIDE;
    positions[n + 2] = HALF * (x + z);
  }
  const top = 2 * HALF * SIDE;
  const body = prepareElasticBody(mesh, {
    poisson: 0.3,
    fixed: nodesWhere(mesh, ([, , z]) => z > 0.8 * top),
    modes: 10,
  });
  const inertia = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1).map((n) => n * 5e-6);
  const tool = { centre: [0, 0, 0.5 * top] as const, mass: 0.027, inertia, length: SIDE };
  return elasticBody(body, 1e7, { tool, pose: createPose(0, 0, 1e-4) });
}

/** One of two walls at 45° that meet at the origin. */
function wall(side: 1 | -1): DeformableBodySetup {
  const half = (side * Math.PI) / 8;
  const pose = createPose(side * HALF * 0.01, 0, -HALF * 0.01, 0, -Math.sin(half), 0, Math.cos(half));
  return { surface: createBox(0.2, 0.2, 0.02), elastic: null, field: null, tool: null, pose };
}

it('keeps room for every pair: a soft wedge that is pressed against one wall of a groove first, then against both', () => {
  const pair = (second: number) => ({ first: 0, second, staticCoefficient: 0.3, kineticCoefficient: 0.3 });
  const world = createDeformableWorld({
    bodies: [wedge(), wall(1), wall(-1)],
    pairs: [pair(1), pair(2)],
    hands: [0],
    options: { ...DEFAULT_DEFORMABLE_OPTIONS, contacts: 24, coupling: COUPLING },
  });
  const output = createMethodOutput();
  let deepest = 0;
  for (let step = 0; step < 800; step += 1) {
    const begun = Math.min(1, step / 200);
    const aside = 1.5e-3 * begun * Math.max(0, Math.min(1, (600 - step) / 200));
    world.methods[0].step(output, createPose(-aside, 0, 1e-4 - 2e-3 * begun));
    deepest = Math.max(deepest, output.maxPenetration);
  }
  // When the first wall had all the room, the wedge fell through the second one, by 1 mm.
  expect(deepest).toBeLessThan(3e-5);
  // It is pressed straight down: nothing moves it along the groove.
  expect(Math.abs(output.toolPose[1])).toBeLessThan(3e-6);
  expect(output.wrench[2]).toBeGreaterThan(3);
});

it('solves again for what had no room and would overlap: a soft block with more vertices on the plate than contacts', async () => {
  const { scene } = checkSceneValue({
    palpable: 1,
    bodies: {
      plate: { mesh: { box: [0.2, 0.2, 0.02] }, position: [0, 0, -0.01] },
      block: {
        mesh: { box: [0.06, 0.04, 0.03] },
        position: [0, 0, 0.0155],
        deformable: { young: 2e5, elementSize: 0.008, gripRadius: 0.012 },
      },
    },
    tool: 'block',
    method: { kind: 'deformable', solvedContacts: 60 },
    friction: { coefficient: 0.5 },
  });
  const bodies = new Map<string, PreparedBody>();
  for (const [name, plan] of planPreparation(scene!)) {
    bodies.set(name, await prepareBody(buildSceneMesh(scene!.bodies[name])!, plan));
  }
  const { method } = createSceneMethod(scene!, bodies);
  const output = createMethodOutput();
  let deepest = 0;
  for (let step = 0; step < 600; step += 1) {
    const aside = step > 300 ? 0.01 * Math.sin((step - 300) / 40) : 0;
    method.step(output, createPose(aside, 0, 0.0155 - 0.006 * Math.min(1, step / 200)));
    deepest = Math.max(deepest, output.maxPenetration);
    expect(output.capped & CAPPED_CONTACTS, `step ${step}`).toBe(0);
  }
  expect(output.wrench[2]).toBeGreaterThan(5);
  // It was 11 µm.
  expect(deepest).toBeLessThan(6e-6);
});
