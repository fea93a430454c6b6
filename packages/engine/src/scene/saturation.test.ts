import { expect, test } from 'vitest';
import { type PreparedBody, prepareBody } from '../asset/prepared-body.js';
import { createPose } from '../math/pose.js';
import { lengthAt } from '../math/vectors.js';
import { createMethodOutput } from '../method/method.js';
import { buildSceneMesh } from './build-scene-mesh.js';
import { checkSceneValue } from './check-scene.js';
import { createSceneMethod } from './create-scene-method.js';
import { planPreparation } from './plan-preparation.js';

const METHODS = [
  { kind: 'static-friction' },
  { kind: 'god-object', constraint: 'heuristic' },
  { kind: 'god-object', constraint: 'manifold' },
  { kind: 'modular', detection: 'shell' },
  { kind: 'modular', detection: 'hierarchy' },
  { kind: 'deformable' },
];

test.each(METHODS)(
  'however far the device is, $kind $constraint$detection is pulled by no more than the coupling may',
  async (method) => {
    const { scene, problems } = checkSceneValue({
      palpable: 1,
      bodies: {
        cube: { mesh: { box: [0.05, 0.05, 0.05] }, shell: { count: 200 }, hierarchy: {} },
        plate: { mesh: { box: [0.2, 0.2, 0.02] }, position: [0, 0, -0.01], field: { resolution: 32 }, hierarchy: {} },
      },
      tool: 'cube',
      method,
      coupling: { maxForce: 8, maxTorque: 0.3 },
    });
    expect(problems).toEqual([]);
    const bodies = new Map<string, PreparedBody>();
    for (const [name, options] of planPreparation(scene!)) {
      bodies.set(name, await prepareBody(buildSceneMesh(scene!.bodies[name])!, options));
    }
    const created = createSceneMethod(scene!, bodies);
    const output = createMethodOutput();
    const device = createPose(0, 0, 0.03);
    created.method.reset(device);
    for (let cycle = 0; cycle < 600; cycle += 1) {
      // Through the plate and half a metre further, tilted by 0.6 rad.
      device[2] = 0.03 - 0.005 * Math.min(cycle, 100);
      device[3] = 0.003 * Math.min(cycle, 100);
      device[6] = Math.sqrt(1 - device[3] * device[3]);
      created.method.step(output, device);
    }
    expect(lengthAt(output.wrench, 0)).toBeCloseTo(8, 2);
    expect(lengthAt(output.wrench, 3)).toBeLessThan(0.3 * 1.001);
    // Contact balances 8 N, not the 500 N of a spring of 1 kN/m without a limit.
    expect(output.toolPose[2]).toBeGreaterThan(0.02);
    expect(output.maxPenetration).toBeLessThan(0.003);
  },
);
