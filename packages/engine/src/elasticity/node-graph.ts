import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';

/**
 * Which nodes act on which: the pattern of every matrix of a body. Only free nodes count; Dirichlet nodes, and nodes
 * that no tetrahedron uses, are left out. Matrices are symmetric and hold their lower half, column by column.
 */
export interface NodeGraph {
  /** Free nodes. */
  readonly count: number;
  /** Node of the mesh by free node. */
  readonly nodeOf: Uint32Array;
  /** Free node by node of the mesh, −1 where there is none. */
  readonly freeOf: Int32Array;
  /** Entries of column j are start[j] … start[j + 1] − 1, rows ascending; the first is the diagonal. */
  readonly start: Uint32Array;
  readonly rows: Uint32Array;
}

export function createNodeGraph(mesh: TetrahedralMesh, fixed: Uint32Array): NodeGraph {
  const nodeCount = mesh.positions.length / 3;
  const freeOf = new Int32Array(nodeCount).fill(-1);
  for (const node of mesh.tetrahedra) freeOf[node] = 0;
  for (const node of fixed) freeOf[node] = -1;
  const nodeOf = new Uint32Array(freeOf.reduce((count, free) => count + (free === 0 ? 1 : 0), 0));
  let count = 0;
  for (let node = 0; node < nodeCount; node += 1) {
    if (freeOf[node] < 0) continue;
    nodeOf[count] = node;
    freeOf[node] = count;
    count += 1;
  }
  return { count, nodeOf, freeOf, ...lowerPattern(mesh, freeOf, nodeOf) };
}

function lowerPattern(mesh: TetrahedralMesh, freeOf: Int32Array, nodeOf: Uint32Array) {
  const { tetrahedra } = mesh;
  const around = tetrahedraAround(mesh);
  const count = nodeOf.length;
  const start = new Uint32Array(count + 1);
  const seenFrom = new Int32Array(count).fill(-1);
  const columns: Uint32Array[] = [];
  for (let column = 0; column < count; column += 1) {
    const rows: number[] = [];
    for (let at = around.start[nodeOf[column]]; at < around.start[nodeOf[column] + 1]; at += 1) {
      for (let corner = 0; corner < 4; corner += 1) {
        const row = freeOf[tetrahedra[4 * around.tetrahedra[at] + corner]];
        if (row < column || seenFrom[row] === column) continue;
        seenFrom[row] = column;
        rows.push(row);
      }
    }
    columns.push(Uint32Array.from(rows).sort());
    start[column + 1] = start[column] + rows.length;
  }
  const rows = new Uint32Array(start[count]);
  columns.forEach((column, j) => {
    rows.set(column, start[j]);
  });
  return { start, rows };
}

function tetrahedraAround({ positions, tetrahedra }: TetrahedralMesh) {
  const start = new Uint32Array(positions.length / 3 + 1);
  for (const node of tetrahedra) start[node + 1] += 1;
  for (let node = 1; node < start.length; node += 1) start[node] += start[node - 1];
  const next = start.slice();
  const list = new Uint32Array(tetrahedra.length);
  for (let corner = 0; corner < tetrahedra.length; corner += 1) list[next[tetrahedra[corner]]++] = corner >> 2;
  return { start, tetrahedra: list };
}

/** Where the graph holds the entry of two free nodes, `row` ≥ `column`. */
export function findEntry({ start, rows }: NodeGraph, row: number, column: number): number {
  let low = start[column];
  let high = start[column + 1] - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Both halves of a graph: per node all its neighbours without itself, and the entry that holds the pair. */
export interface Neighbourhood {
  readonly start: Uint32Array;
  readonly nodes: Uint32Array;
  readonly entries: Uint32Array;
}

export function createNeighbourhood(graph: NodeGraph): Neighbourhood {
  const start = new Uint32Array(graph.count + 1);
  forEachPair(graph, (row, column) => {
    start[row + 1] += 1;
    start[column + 1] += 1;
  });
  for (let node = 0; node < graph.count; node += 1) start[node + 1] += start[node];
  const next = start.slice();
  const nodes = new Uint32Array(start[graph.count]);
  const entries = new Uint32Array(nodes.length);
  forEachPair(graph, (row, column, entry) => {
    nodes[next[row]] = column;
    entries[next[row]++] = entry;
    nodes[next[column]] = row;
    entries[next[column]++] = entry;
  });
  return { start, nodes, entries };
}

function forEachPair({ count, start, rows }: NodeGraph, visit: (row: number, column: number, entry: number) => void) {
  for (let column = 0; column < count; column += 1) {
    for (let entry = start[column] + 1; entry < start[column + 1]; entry += 1) visit(rows[entry], column, entry);
  }
}
