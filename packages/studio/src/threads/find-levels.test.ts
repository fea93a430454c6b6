import { createBox, createPose } from '@palpable/engine';
import { buildConvexHierarchy } from '@palpable/engine/advanced';
import { expect, test } from 'vitest';
import { createLevelFinder } from './find-levels.js';

const SETTINGS = { tolerance: 0.025, absoluteTolerance: null, distanceTolerance: 0.001 };

test('finds the pieces that touch, of tool and environment, and none far away', () => {
  const hierarchy = buildConvexHierarchy(createBox(0.1, 0.1, 0.1));
  const finder = createLevelFinder({ tool: hierarchy, environments: [{ hierarchy, pose: createPose() }] });
  const near = finder.find(createPose(0, 0, 0.1), SETTINGS);
  expect(near.tool.length).toBeGreaterThan(0);
  expect(near.environments[0]!.length).toBeGreaterThan(0);
  expect(Math.max(...near.tool)).toBeLessThan(hierarchy.nodeCount);
  const far = finder.find(createPose(0, 0, 0.3), SETTINGS);
  expect([far.tool.length, far.environments[0]!.length]).toEqual([0, 0]);
  // What is allowed to be rough stays rough.
  const rough = finder.find(createPose(0, 0, 0.1), { ...SETTINGS, absoluteTolerance: 1 });
  expect([...rough.tool]).toEqual([0]);
});
