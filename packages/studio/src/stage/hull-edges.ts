/** Edges of convex pieces, coloured by their level of detail. */
import type { ConvexHierarchy } from '@palpable/engine/advanced';
import { Color, SRGBColorSpace } from 'three';
import { LEVEL_RAMP, parseHex } from './colours.js';

export interface HullEdges {
  /** Two points per edge, three numbers each, body frame. */
  readonly positions: Float32Array;
  /** Red, green, blue per point, as the renderer counts them (linear). */
  readonly colours: Float32Array;
}

type EdgeSource = Pick<ConvexHierarchy, 'vertexStart' | 'vertices' | 'neighbourStart' | 'neighbours' | 'level'>;

export function hullEdges(hierarchy: EdgeSource, nodes: ArrayLike<number>): HullEdges {
  const { vertexStart, vertices, neighbourStart, neighbours, level } = hierarchy;
  const coarsest = Math.max(1, level[0]!);
  const positions: number[] = [];
  const colours: number[] = [];
  for (let n = 0; n < nodes.length; n += 1) {
    const node = nodes[n]!;
    const first = vertexStart[node]!;
    const colour = levelColour(Math.sqrt(level[node]! / coarsest));
    for (let vertex = first; vertex < vertexStart[node + 1]!; vertex += 1) {
      for (let k = neighbourStart[vertex]!; k < neighbourStart[vertex + 1]!; k += 1) {
        const other = first + neighbours[k]!;
        // Both of its ends know an edge.
        if (other < vertex) continue;
        for (const end of [vertex, other]) {
          positions.push(vertices[3 * end]!, vertices[3 * end + 1]!, vertices[3 * end + 2]!);
          colours.push(...colour);
        }
      }
    }
  }
  return { positions: Float32Array.from(positions), colours: Float32Array.from(colours) };
}

/**
 * Share of the range from the finest level (0) to the whole body as one piece (1). By its root, since nobody could distinguish fine
 * levels that lie close together otherwise.
 */
function levelColour(share: number): readonly number[] {
  const fine = parseHex(LEVEL_RAMP[0]);
  const coarse = parseHex(LEVEL_RAMP[1]);
  const mix = (k: 0 | 1 | 2) => fine[k] + (coarse[k] - fine[k]) * share;
  return new Color().setRGB(mix(0), mix(1), mix(2), SRGBColorSpace).toArray();
}
