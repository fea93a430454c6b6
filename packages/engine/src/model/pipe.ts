import { cosOf, sinOf } from '../math/portable.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { createSection, extrudeSection, type SectionPoint } from './section.js';

/*
 * The pipe on which the clip snaps (Duriez, fig. 14 to 18; a stand-in, the paper gives no sizes): a tube along y, centred
 * at the origin, 20 mm across outside and 15 mm inside.
 */

const OUTER_RADIUS = 0.01;
const INNER_RADIUS = 0.0075;
const LENGTH = 0.06;

/** Facets round it: a chord stays within 6 µm of the circle. */
const SEGMENTS = 96;
/** Parts along it. */
const LAYERS = 4;

export function createPipe(): TriangleMesh {
  const circle = (radius: number): SectionPoint[] =>
    Array.from({ length: SEGMENTS + 1 }, (_, i) => {
      // The last point is the first one again, to the bit.
      const angle = (2 * Math.PI * (i % SEGMENTS)) / SEGMENTS;
      return [radius * cosOf(angle), radius * sinOf(angle)];
    });
  const lines = Array.from({ length: LAYERS + 1 }, (_, i) => LENGTH * (i / LAYERS - 0.5));
  return extrudeSection(createSection([[circle(OUTER_RADIUS), circle(INNER_RADIUS)]]), lines);
}
