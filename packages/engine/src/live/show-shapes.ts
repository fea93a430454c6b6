import type { Clock } from '../method/method.js';
import type { ServedSide } from '../method/method-definition.js';
import { openShapeWriter, type ShapeMemory } from './shape-memory.js';

/** Shows deformed surfaces, as often as somebody can see and no oftener. */
export interface ShapeShower {
  show(side: ServedSide): void;
}

const INTERVAL_MS = 25;

export function createShapeShower(memory: ShapeMemory, clock: Clock): ShapeShower {
  const writer = openShapeWriter(memory);
  const due = new Float64Array(1);
  return {
    show(side) {
      const now = clock();
      if (now < due[0] || !side.drawBent) return;
      due[0] = now + INTERVAL_MS;
      const { block } = writer;
      for (let n = 0; n < block.length; n += 1) {
        side.drawBent(memory.bodies[n].name, block[n].positions, block[n].stress);
      }
      writer.publish();
    },
  };
}
