import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildFaceTable } from './tetrahedra-faces.js';
import { FACE_CORNERS, type TetrahedralMesh } from './tetrahedral-mesh.js';

/** The boundary of a tetrahedral mesh. */
export interface TetrahedraSurface {
  readonly mesh: TriangleMesh;
  /** The node of every vertex, rising. */
  readonly nodes: Uint32Array;
}

/**
 * The faces that belong to one element only, facing outward, in the order of their elements; vertices are numbered in
 * the order of their nodes.
 */
export function surfaceOf(mesh: TetrahedralMesh, faces = buildFaceTable(mesh)): TetrahedraSurface {
  const { positions, tetrahedra } = mesh;
  const isBoundary = new Uint8Array(tetrahedra.length);
  for (let face = 0; face < faces.count; face++) {
    if (faces.starts[face + 1] - faces.starts[face] === 1) isBoundary[faces.sides[faces.starts[face]]] = 1;
  }
  const corners: number[] = [];
  const vertexOf = new Uint32Array(positions.length / 3);
  for (let side = 0; side < tetrahedra.length; side++) {
    if (isBoundary[side] === 0) continue;
    for (const corner of FACE_CORNERS[side & 3]) {
      const node = tetrahedra[(side & ~3) + corner];
      vertexOf[node] = 1;
      corners.push(node);
    }
  }
  const nodes: number[] = [];
  for (let node = 0; node < vertexOf.length; node++) {
    if (vertexOf[node] === 0) continue;
    vertexOf[node] = nodes.length;
    nodes.push(node);
  }
  const points = new Float64Array(3 * nodes.length);
  for (let vertex = 0; vertex < nodes.length; vertex++) {
    points.set(positions.subarray(3 * nodes[vertex], 3 * nodes[vertex] + 3), 3 * vertex);
  }
  const triangles = Uint32Array.from(corners, (node) => vertexOf[node]);
  return { mesh: { positions: points, triangles }, nodes: Uint32Array.from(nodes) };
}
