import { PalpableError } from '../base/errors.js';
import { UnionFind } from '../base/union-find.js';
import { normalise } from '../math/vectors.js';
import { triangleCross } from '../mesh/triangle-geometry.js';
import { type TriangleMesh, triangleCount, vertexCount } from '../mesh/triangle-mesh.js';

/** What sampling needs to know of a mesh's triangles. */
export interface Surface {
  /** Unit normal of every triangle; zero for triangles without area. */
  readonly faceNormals: Float64Array;
  /** Area of every triangle, m². */
  readonly triangleAreas: Float64Array;
  /** Area of all triangles, m². */
  readonly area: number;
  /** The connected part (triangles joined by shared vertices) that each triangle belongs to. */
  readonly part: Uint32Array;
  /** Largest triangle of each part; only parts with an area are counted. */
  readonly partLargestTriangle: Uint32Array;
}

/** Throws `mesh-invalid` when there is no area to put points on. */
export function analyseSurface(mesh: TriangleMesh): Surface {
  const count = triangleCount(mesh);
  const faceNormals = new Float64Array(3 * count);
  const triangleAreas = new Float64Array(count);
  let area = 0;
  for (let triangle = 0; triangle < count; triangle++) {
    triangleAreas[triangle] = writeFaceNormal(mesh, triangle, faceNormals);
    area += triangleAreas[triangle];
  }
  if (!(area > 0 && Number.isFinite(area))) {
    throw new PalpableError(
      'mesh-invalid',
      `The ${count} triangles of the mesh have a total area of ${area} m²; points can only be spread over a surface ` +
        'of positive, finite area, so check the coordinates and the unit of the mesh.',
    );
  }
  return { faceNormals, triangleAreas, area, ...findParts(mesh, triangleAreas) };
}

/** Returns the area. */
function writeFaceNormal(mesh: TriangleMesh, triangle: number, out: Float64Array): number {
  const normal = out.subarray(3 * triangle, 3 * triangle + 3);
  triangleCross(normal, mesh, triangle);
  const length = normalise(normal, 0);
  if (!(length > 0)) normal.fill(0);
  return length / 2;
}

function findParts(
  mesh: TriangleMesh,
  triangleAreas: Float64Array,
): { part: Uint32Array; partLargestTriangle: Uint32Array } {
  const count = triangleCount(mesh);
  const sets = new UnionFind(vertexCount(mesh));
  for (let triangle = 0; triangle < count; triangle++) {
    const corner = mesh.triangles[3 * triangle];
    sets.join(corner, mesh.triangles[3 * triangle + 1]);
    sets.join(corner, mesh.triangles[3 * triangle + 2]);
  }
  const unnumbered = 0xffffffff;
  const numberOfSet = new Uint32Array(vertexCount(mesh)).fill(unnumbered);
  const part = new Uint32Array(count);
  const largest: number[] = [];
  for (let triangle = 0; triangle < count; triangle++) {
    const area = triangleAreas[triangle];
    if (area <= 0) continue; // never sampled: its part does not matter
    const set = sets.find(mesh.triangles[3 * triangle]);
    if (numberOfSet[set] === unnumbered) {
      numberOfSet[set] = largest.length;
      largest.push(triangle);
    }
    const itsPart = numberOfSet[set];
    part[triangle] = itsPart;
    if (area > triangleAreas[largest[itsPart]]) largest[itsPart] = triangle;
  }
  return { part, partLargestTriangle: Uint32Array.from(largest) };
}
