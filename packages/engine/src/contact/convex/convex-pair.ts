import type { ConvexHierarchy } from '../../hierarchy/convex-hierarchy.js';
import { applyTransposed } from '../../math/matrices.js';
import { createSimplex, type Simplex } from './simplex.js';

/**
 * Two convex pieces, one of the tool and one of the environment, as GJK and EPA see them: as support mappings of the
 * Minkowski difference tool − environment. All is computed in the environment's frame.
 */

/** What a support query reads of a hierarchy; a piece is one of its nodes. */
export type ConvexPieces = Pick<ConvexHierarchy, 'vertexStart' | 'vertices' | 'neighbourStart' | 'neighbours'>;

export interface ConvexPair {
  /** From the tool's frame to the environment's: nine numbers of a rotation, row by row, then the translation. */
  readonly transform: Float64Array;
  /** Added to the translation, environment's frame: where the tool stands if it is backed out of the environment. */
  readonly shift: Float64Array;
  /** Beyond this distance nothing more is asked, metres. */
  readonly reach: Float64Array;
  readonly simplex: Simplex;
  /** Direction of the next support query, environment's frame. */
  readonly direction: Float64Array;
  /** Scratch: the same direction in the tool's frame. */
  readonly toolDirection: Float64Array;
  /** Result of the last question, metres; `RESULT_…` names the places. */
  readonly result: Float64Array;
  /** Unit vector from the environment's nearest point to the tool's, or the way out (EPA); environment's frame. */
  readonly normal: Float64Array;
  /** Nearest points, or those that would touch last on the way out; environment's frame, without the shift. */
  readonly onTool: Float64Array;
  readonly onEnvironment: Float64Array;
  /** Of all questions since the caller last set it to 0. */
  iterations: number;
}

/** Places in `result`: the distance (GJK) or the depth (EPA), and a lower bound of the distance. */
export const RESULT_DISTANCE = 0;
export const RESULT_BOUND = 1;

export function createConvexPair(): ConvexPair {
  return {
    transform: new Float64Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
    shift: new Float64Array(3),
    reach: new Float64Array([Number.POSITIVE_INFINITY]),
    simplex: createSimplex(),
    direction: new Float64Array(3),
    toolDirection: new Float64Array(3),
    result: new Float64Array(2),
    normal: new Float64Array(3),
    onTool: new Float64Array(3),
    onEnvironment: new Float64Array(3),
    iterations: 0,
  };
}

/** Below this many vertices looking at each is quicker than climbing along the edges. */
const CLIMB_FROM = 12;

/** The vertex of a piece that lies furthest along `direction`, as an index into the piece's own vertices. */
function supportVertex(pieces: ConvexPieces, node: number, direction: Float64Array, start: number): number {
  const { vertices, vertexStart, neighbourStart, neighbours } = pieces;
  const first = vertexStart[node];
  const count = vertexStart[node + 1] - first;
  const x = direction[0];
  const y = direction[1];
  const z = direction[2];
  if (count < CLIMB_FROM || neighbourStart[first + count] === neighbourStart[first]) {
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let n = 0; n < count; n += 1) {
      const at = 3 * (first + n);
      const along = x * vertices[at] + y * vertices[at + 1] + z * vertices[at + 2];
      if (along > most) {
        most = along;
        best = n;
      }
    }
    return best;
  }
  let best = start < count ? start : 0;
  let at = 3 * (first + best);
  let most = x * vertices[at] + y * vertices[at + 1] + z * vertices[at + 2];
  // On a convex body a vertex without a better neighbour is the best of all. Every step climbs, so that it ends.
  for (let from = -1; from !== best; ) {
    from = best;
    const end = neighbourStart[first + from + 1];
    for (let edge = neighbourStart[first + from]; edge < end; edge += 1) {
      at = 3 * (first + neighbours[edge]);
      const along = x * vertices[at] + y * vertices[at + 1] + z * vertices[at + 2];
      if (along > most) {
        most = along;
        best = neighbours[edge];
      }
    }
  }
  return best;
}

/** Puts the point of the difference that belongs to a vertex of the tool and one of the environment at place `slot`. */
export function placeVertexPair(
  pair: ConvexPair,
  tool: ConvexPieces,
  toolNode: number,
  environment: ConvexPieces,
  environmentNode: number,
  slot: number,
): void {
  const { transform: m, shift, simplex } = pair;
  const t = 3 * (tool.vertexStart[toolNode] + simplex.toolVertex[slot]);
  const e = 3 * (environment.vertexStart[environmentNode] + simplex.environmentVertex[slot]);
  const x = tool.vertices[t];
  const y = tool.vertices[t + 1];
  const z = tool.vertices[t + 2];
  const px = m[0] * x + m[1] * y + m[2] * z + m[9];
  const py = m[3] * x + m[4] * y + m[5] * z + m[10];
  const pz = m[6] * x + m[7] * y + m[8] * z + m[11];
  const o = 3 * slot;
  simplex.toolPoint[o] = px;
  simplex.toolPoint[o + 1] = py;
  simplex.toolPoint[o + 2] = pz;
  simplex.point[o] = px + shift[0] - environment.vertices[e];
  simplex.point[o + 1] = py + shift[1] - environment.vertices[e + 1];
  simplex.point[o + 2] = pz + shift[2] - environment.vertices[e + 2];
}

/** Support point of tool − environment along `pair.direction`, put at place `slot` of the simplex. */
export function minkowskiSupport(
  pair: ConvexPair,
  tool: ConvexPieces,
  toolNode: number,
  environment: ConvexPieces,
  environmentNode: number,
  slot: number,
): void {
  const { transform: m, direction: d, toolDirection, simplex } = pair;
  const from = slot > 0 ? slot - 1 : 0;
  applyTransposed(toolDirection, 0, m, d, 0);
  simplex.toolVertex[slot] = supportVertex(tool, toolNode, toolDirection, simplex.toolVertex[from]);
  toolDirection[0] = -d[0];
  toolDirection[1] = -d[1];
  toolDirection[2] = -d[2];
  simplex.environmentVertex[slot] = supportVertex(
    environment,
    environmentNode,
    toolDirection,
    simplex.environmentVertex[from],
  );
  placeVertexPair(pair, tool, toolNode, environment, environmentNode, slot);
}
