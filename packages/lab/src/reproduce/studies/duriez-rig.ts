import { type Stage, sceneWithMethod } from '@palpable/engine';
import {
  type ConeProblem,
  createConeProblem,
  createDeformableWorld,
  type DeformableSetup,
  type DeformableWorld,
  describeDeformableScene,
  layDense,
} from '@palpable/engine/advanced';
import type { LoadedScene } from '../../play/load-scene.js';

/* What the experiments of Duriez et al. have in common: a world that can be stepped, and contact problems taken out of it. */

export interface DeformableRig extends Stage {
  readonly setup: DeformableSetup;
  readonly world: DeformableWorld;
}

/** The scene with its first tool in hand; `change` makes another setup of it. */
export function deformableRig(
  { scene, bodies }: LoadedScene,
  change: (setup: DeformableSetup) => DeformableSetup = (setup) => setup,
): DeformableRig {
  const setup = change(describeDeformableScene(sceneWithMethod(scene, 'deformable'), bodies, scene.tool.slice(0, 1)));
  const world = createDeformableWorld(setup, { clock: () => performance.now() });
  return { setup, world, method: world.methods[0]!, timeStep: setup.options.timeStep };
}

/** The setup with other friction between all bodies. */
export function withFriction(setup: DeformableSetup, coefficient: number): DeformableSetup {
  const pairs = setup.pairs.map((pair) => ({
    ...pair,
    staticCoefficient: coefficient,
    kineticCoefficient: coefficient,
  }));
  return { ...setup, pairs };
}

/** The body in the hand. */
export function heldBody(setup: DeformableSetup): number {
  return setup.hands[0]!;
}

/** Some contacts of a problem with full pattern as a problem of their own, in the order given. */
export function selectContacts(problem: ConeProblem, contacts: readonly number[]): ConeProblem {
  const count = contacts.length;
  const part = createConeProblem(count);
  layDense(part, count);
  contacts.forEach((from, row) => {
    part.coefficient[row] = problem.coefficient[from]!;
    part.free.set(problem.free.subarray(3 * from, 3 * from + 3), 3 * row);
    contacts.forEach((other, column) => {
      const block = 9 * (from * problem.count + other);
      part.blocks.set(problem.blocks.subarray(block, block + 9), 9 * (row * count + column));
    });
  });
  return part;
}

/** Length of a − b over that of b. */
export function relativeDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [difference, size] = [0, 0];
  for (let i = 0; i < b.length; i += 1) {
    difference += (a[i]! - b[i]!) ** 2;
    size += b[i]! ** 2;
  }
  return size > 0 ? Math.sqrt(difference / size) : Math.sqrt(difference);
}
