import { createSurfaceStress, surfaceStress } from '../elasticity/stress.js';
import type { DeformableSetup } from '../method/deformable/deformable-setup.js';
import type { ProximitySide } from '../method/deformable/proximity-side.js';
import type { Clock } from '../method/method.js';
import { openShapeWriter, type ShapeMemory } from './shape-memory.js';

/** Shows deformed surfaces, as often as somebody can see and no oftener. */
export interface ShapeShower {
  show(side: ProximitySide): void;
}

const INTERVAL_MS = 25;

/** `names` are those of the bodies of the world, in their order. */
export function createShapeShower(
  memory: ShapeMemory,
  names: readonly string[],
  { bodies }: DeformableSetup,
  clock: Clock,
): ShapeShower {
  const writer = openShapeWriter(memory);
  const shown = memory.bodies.map(({ name, vertices }) => {
    const index = names.indexOf(name);
    const elastic = bodies[index]?.elastic;
    return {
      index,
      surface: elastic ? createSurfaceStress(elastic.body) : null,
      displacements: new Float64Array(3 * vertices),
      stress: new Float64Array(vertices),
    };
  });
  const due = new Float64Array(1);
  return {
    show(side) {
      const now = clock();
      if (now < due[0]) return;
      due[0] = now + INTERVAL_MS;
      const { block } = writer;
      for (let n = 0; n < shown.length; n += 1) {
        const { index, surface, displacements, stress } = shown[n];
        if (surface === null) continue;
        const { local, rest, part } = side.bodies[index];
        for (let k = 0; k < local.length; k += 1) displacements[k] = local[k] - rest[k];
        surfaceStress(stress, surface, displacements, 1 / part!.inverseYoung[0]);
        block[n].positions.set(local);
        block[n].stress.set(stress);
      }
      writer.publish();
    },
  };
}
