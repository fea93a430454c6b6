import { createRandom } from '../base/random.js';
import { cosOf, sinOf, square } from '../math/portable.js';
import { createTetrahedralMesh, type TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { assembleMass, assembleStiffness } from './assemble.js';
import { dissect } from './dissection.js';
import { planFactor } from './factor-plan.js';
import { createNeighbourhood, createNodeGraph, type NodeGraph } from './node-graph.js';
import { freePositions } from './plan-elastic.js';
import { factoriseBody } from './prepare-elastic-body.js';

type Three = readonly [number, number, number];

/** The ways from one corner of a cube to the opposite one along its edges; odd ones turn the tetrahedron over. */
const WAYS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [1, 0, 2],
  [0, 2, 1],
  [2, 1, 0],
] as const;

/** A box from the origin on, cut into cells of six tetrahedra each. Nodes count along x first, then y, then z. */
export function boxMesh(cells: Three, size: Three): TetrahedralMesh {
  const [nx, ny, nz] = cells;
  const strides = [1, nx + 1, (nx + 1) * (ny + 1)];
  const positions: number[] = [];
  const tetrahedra: number[] = [];
  for (let k = 0; k <= nz; k += 1) {
    for (let j = 0; j <= ny; j += 1) {
      for (let i = 0; i <= nx; i += 1) {
        positions.push((i / nx) * size[0], (j / ny) * size[1], (k / nz) * size[2]);
        if (i === nx || j === ny || k === nz) continue;
        const corner = i + j * strides[1] + k * strides[2];
        WAYS.forEach((way, w) => {
          const nodes = [corner];
          for (const axis of way) nodes.push(nodes[nodes.length - 1] + strides[axis]);
          if (w > 2) [nodes[1], nodes[2]] = [nodes[2], nodes[1]];
          tetrahedra.push(...nodes);
        });
      }
    }
  }
  return createTetrahedralMesh(Float64Array.from(positions), Uint32Array.from(tetrahedra));
}

/** The same mesh with all nodes moved by up to `by`, metres, along each axis. */
export function jittered(mesh: TetrahedralMesh, by: number, seed: number): TetrahedralMesh {
  const random = createRandom(seed);
  const positions = mesh.positions.map((value) => value + by * (2 * random() - 1));
  return createTetrahedralMesh(positions, mesh.tetrahedra);
}

/** A box bent to an open ring of 290°, like a clip on a pipe: `radius` inside, `wall` thick, `depth` along z. */
export function clipMesh(cells: Three, radius: number, wall: number, depth: number): TetrahedralMesh {
  const box = boxMesh(cells, [(290 / 180) * Math.PI, wall, depth]);
  const positions = box.positions.slice();
  for (let node = 0; node < positions.length; node += 3) {
    const [angle, across] = [positions[node], positions[node + 1]];
    positions[node] = (radius + wall - across) * cosOf(angle);
    positions[node + 1] = (radius + wall - across) * sinOf(angle);
  }
  return createTetrahedralMesh(positions, box.tetrahedra);
}

/** Nodes of which the position passes. */
export function nodesWhere({ positions }: TetrahedralMesh, passes: (at: Three) => boolean): Uint32Array {
  const nodes: number[] = [];
  for (let node = 0; node < positions.length / 3; node += 1) {
    if (passes([positions[3 * node], positions[3 * node + 1], positions[3 * node + 2]])) nodes.push(node);
  }
  return Uint32Array.from(nodes);
}

/** A symmetric matrix on the graph written out in full; nine numbers per entry, or one for all three axes. */
export function denseMatrix(graph: NodeGraph, values: Float64Array): Float64Array {
  const size = 3 * graph.count;
  const dense = new Float64Array(size * size);
  for (let column = 0; column < graph.count; column += 1) {
    for (let entry = graph.start[column]; entry < graph.start[column + 1]; entry += 1) {
      for (let i = 0; i < 3; i += 1) {
        for (let j = 0; j < 3; j += 1) {
          const scalar = i === j ? values[entry] : 0;
          const value = values.length === graph.rows.length ? scalar : values[9 * entry + 3 * i + j];
          dense[(3 * graph.rows[entry] + i) * size + 3 * column + j] = value;
          dense[(3 * column + j) * size + 3 * graph.rows[entry] + i] = value;
        }
      }
    }
  }
  return dense;
}

/** ‖a − b‖ / ‖b‖ */
export function relativeError(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let difference = 0;
  let size = 0;
  for (let i = 0; i < b.length; i += 1) {
    difference += square(a[i] - b[i]);
    size += square(b[i]);
  }
  return Math.sqrt(difference / size);
}

/** Everything up to the factor, for tests that look inside. */
export function buildSystem(mesh: TetrahedralMesh, fixed: Uint32Array, poisson: number) {
  const graph = createNodeGraph(mesh, fixed);
  const neighbours = createNeighbourhood(graph);
  const plan = planFactor(dissect(freePositions(mesh, graph), neighbours), neighbours);
  const stiffness = assembleStiffness(graph, mesh, poisson);
  const mass = assembleMass(graph, mesh);
  const factor = factoriseBody(plan, graph, neighbours, stiffness, mesh);
  return { graph, stiffness, mass, factor };
}
