import { describe, expect, it } from 'vitest';
import { createPose } from '../math/pose.js';
import { createDeformableWorld, type DeformableWorld } from '../method/deformable/deformable.js';
import { barTool, createBar, elasticBody, floorBody, worldSetup } from '../method/deformable/rig.fixture.js';
import { createMethodOutput } from '../method/method.js';
import {
  createDelassusMemory,
  DELASSUS_CONTACTS,
  DELASSUS_SHOWN,
  openDelassusPictures,
  openDelassusWriter,
} from './delassus-pictures.js';

/** A bar that is held above and stands on the floor, or hangs over it. */
function pressedBar(height: number): DeformableWorld {
  const tool = { tool: barTool(), pose: createPose(0, 0, height) };
  const world = createDeformableWorld(worldSetup([elasticBody(createBar(), 1e7, tool), floorBody()]));
  const output = createMethodOutput();
  for (let step = 0; step < 50; step += 1) world.methods[0].step(output, createPose(0, 0, height));
  return world;
}

describe('pictures of the Delassus operator', () => {
  const world = pressedBar(-1e-3);

  it('are made only when they are wanted', () => {
    const memory = createDelassusMemory(64);
    const reader = openDelassusPictures(memory);
    const writer = openDelassusWriter(memory);
    writer.draw(world.methods[0]);
    expect(reader.take()).toBe(false);
    reader.want();
    writer.draw(world.methods[0]);
    expect(reader.take()).toBe(true);
    writer.draw(world.methods[0]);
    expect(reader.take()).toBe(false);
  });

  it('show how strongly contacts hang together along normal and tangents', () => {
    const { shown, contacts, couplings } = drawn(world, 64);
    const { problem } = world.dynamics;
    expect(contacts).toBe(problem.count);
    expect(shown).toBe(contacts);
    expect(shown).toBeGreaterThan(3);
    for (let a = 0; a < shown; a += 1) {
      for (let b = 0; b < shown; b += 1) {
        for (let k = 0; k < 3; k += 1) {
          const coupling = couplings[3 * (a * shown + b) + k];
          expect(coupling).toBe(Math.fround(Math.abs(problem.blocks[9 * (a * shown + b) + 4 * k])));
          // W is symmetric, and no contact is moved more by another than by itself and that one together.
          const own = couplings[3 * (a * shown + a) + k] + couplings[3 * (b * shown + b) + k];
          expect(coupling).toBeLessThanOrEqual(0.5 * own * 1.0001);
        }
      }
    }
  });

  it('leave out what there is no room for, and say so', () => {
    const { shown, contacts, couplings } = drawn(world, 2);
    expect(shown).toBe(2);
    expect(contacts).toBe(world.dynamics.problem.count);
    // The second contact with itself.
    expect(couplings[3 * 3]).toBe(Math.fround(world.dynamics.problem.blocks[9 * (contacts + 1)]));
  });

  it('are empty without contacts, and for a method without the operator', () => {
    expect(drawn(pressedBar(0.02), 64).contacts).toBe(0);
    expect(drawn(null, 64).contacts).toBe(0);
  });
});

function drawn(world: DeformableWorld | null, capacity: number) {
  const memory = createDelassusMemory(capacity);
  const reader = openDelassusPictures(memory);
  reader.want();
  openDelassusWriter(memory).draw(world?.methods[0] ?? {});
  expect(reader.take()).toBe(true);
  const { counts, couplings } = reader.block;
  return { shown: counts[DELASSUS_SHOWN], contacts: counts[DELASSUS_CONTACTS], couplings };
}
