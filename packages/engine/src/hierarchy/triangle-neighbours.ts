import { buildEdgeTable } from '../mesh/edge-table.js';
import { type TriangleMesh, triangleCount, vertexCount } from '../mesh/triangle-mesh.js';

/** The dual graph: which triangles share an edge, all of them also where more than two meet. */
export interface TriangleNeighbours {
  readonly start: Int32Array;
  readonly others: Int32Array;
}

/** Where more triangles than this meet in one edge, only so many are taken for neighbours of each. */
const MAX_AT_EDGE = 8;

export function triangleNeighbours(mesh: TriangleMesh): TriangleNeighbours {
  const { count, halfEdges, starts } = buildEdgeTable(mesh.triangles, vertexCount(mesh));
  const lists: number[][] = Array.from({ length: triangleCount(mesh) }, () => []);
  for (let edge = 0; edge < count; edge++) {
    const end = Math.min(starts[edge + 1], starts[edge] + MAX_AT_EDGE);
    for (let i = starts[edge]; i < end; i++) {
      for (let j = starts[edge]; j < end; j++) {
        const [a, b] = [Math.floor(halfEdges[i] / 3), Math.floor(halfEdges[j] / 3)];
        if (a !== b) lists[a].push(b);
      }
    }
  }
  const start = new Int32Array(lists.length + 1);
  lists.forEach((list, t) => {
    start[t + 1] = start[t] + list.length;
  });
  return { start, others: Int32Array.from(lists.flat()) };
}
