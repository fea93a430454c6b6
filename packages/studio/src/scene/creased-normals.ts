/**
 * Normals for drawing: smooth across a surface, sharp at its edges. By the vertices that triangles share, in time that
 * grows with their number whatever the size of the part; a grid of places, as three.js lays it, puts all of a part of
 * ten millimetres into one cell and compares every corner with every other.
 */
import type { TriangleMesh } from '@palpable/engine';

export interface Triangles {
  /** m, three numbers per vertex. */
  readonly positions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
}

/** A mesh with the normals that it is drawn with. */
export interface ShadedMesh extends TriangleMesh {
  /** Three numbers for each corner of each triangle, unit length. */
  readonly cornerNormals: Float32Array;
}

const CREASE_ANGLE = 0.7;
/** Around the tip of a cone of more triangles each keeps its own normal: there every one would ask every other. */
const MOST_AROUND = 200;

/** Edges sharper than `crease`, radians, stay sharp. */
export function shadeMesh(mesh: TriangleMesh, crease = CREASE_ANGLE): ShadedMesh {
  const cornerNormals = creasedNormals(mesh, Math.cos(crease));
  return { positions: mesh.positions, triangles: mesh.triangles, cornerNormals };
}

export function isShaded(mesh: TriangleMesh): mesh is ShadedMesh {
  return 'cornerNormals' in mesh;
}

/** Each corner takes the mean, by area, of the triangles around its vertex that lie flatter than the crease to its own. */
function creasedNormals(mesh: TriangleMesh, creaseCosine: number): Float32Array {
  const { triangles } = mesh;
  const areas = areaVectors(mesh);
  const { starts, corners } = cornersOfVertices(mesh);
  const out = new Float32Array(triangles.length * 3);
  for (let corner = 0; corner < triangles.length; corner += 1) {
    const vertex = triangles[corner]!;
    const isCrowded = starts[vertex + 1]! - starts[vertex]! > MOST_AROUND;
    const from = isCrowded ? 0 : starts[vertex]!;
    const to = isCrowded ? 0 : starts[vertex + 1]!;
    sumAround(out, corner, areas, corners, from, to, creaseCosine);
  }
  return out;
}

function sumAround(
  out: Float32Array,
  corner: number,
  areas: Float64Array,
  corners: Uint32Array,
  from: number,
  to: number,
  creaseCosine: number,
): void {
  const own = 4 * Math.floor(corner / 3);
  const [ownX, ownY, ownZ, ownLength] = [areas[own]!, areas[own + 1]!, areas[own + 2]!, areas[own + 3]!];
  let [x, y, z] = [0, 0, 0];
  for (let i = from; i < to; i += 1) {
    const other = 4 * Math.floor(corners[i]! / 3);
    const dot = ownX * areas[other]! + ownY * areas[other + 1]! + ownZ * areas[other + 2]!;
    if (dot < creaseCosine * ownLength * areas[other + 3]!) continue;
    x += areas[other]!;
    y += areas[other + 1]!;
    z += areas[other + 2]!;
  }
  const length = Math.sqrt(x * x + y * y + z * z);
  const isOwn = !(length > 0);
  const scale = 1 / ((isOwn ? ownLength : length) || 1);
  out[3 * corner] = scale * (isOwn ? ownX : x);
  out[3 * corner + 1] = scale * (isOwn ? ownY : y);
  out[3 * corner + 2] = scale * (isOwn ? ownZ : z);
}

/** For each triangle the vector of twice its area along its normal, and the length of it. */
export function areaVectors({ positions: p, triangles }: Triangles): Float64Array {
  const areas = new Float64Array((4 * triangles.length) / 3);
  for (let i = 0, at = 0; i < triangles.length; i += 3, at += 4) {
    const [a, b, c] = [3 * triangles[i]!, 3 * triangles[i + 1]!, 3 * triangles[i + 2]!];
    const [ux, uy, uz] = [p[b]! - p[a]!, p[b + 1]! - p[a + 1]!, p[b + 2]! - p[a + 2]!];
    const [vx, vy, vz] = [p[c]! - p[a]!, p[c + 1]! - p[a + 1]!, p[c + 2]! - p[a + 2]!];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    areas[at] = x;
    areas[at + 1] = y;
    areas[at + 2] = z;
    areas[at + 3] = Math.sqrt(x * x + y * y + z * z);
  }
  return areas;
}

/** Corners by vertex: those of vertex v are `corners[starts[v]]` up to `corners[starts[v + 1]]`. */
function cornersOfVertices({ positions, triangles }: TriangleMesh): { starts: Uint32Array; corners: Uint32Array } {
  const starts = new Uint32Array(positions.length / 3 + 1);
  for (const vertex of triangles) starts[vertex + 1]! += 1;
  for (let vertex = 1; vertex < starts.length; vertex += 1) starts[vertex]! += starts[vertex - 1]!;
  const next = starts.slice();
  const corners = new Uint32Array(triangles.length);
  for (let corner = 0; corner < triangles.length; corner += 1) {
    const vertex = triangles[corner]!;
    corners[next[vertex]!] = corner;
    next[vertex]! += 1;
  }
  return { starts, corners };
}
