import { acosOf, cube } from '../math/portable.js';
import { FACE_CORNERS, type TetrahedralMesh, volume6 } from './tetrahedral-mesh.js';

/** Elements with the same flaw, numbered from 0. */
export interface ElementList {
  readonly count: number;
  /** The first of them, at most 20. */
  readonly first: readonly number[];
}

const MOST_LISTED = 20;
/** Least volume of an element that is not flat, in parts of the cube of its longest edge (a regular one has 0.118). */
const FLAT_VOLUME = 1e-9;
const HISTOGRAM_BINS = 18;

/** Sums up the shapes of all elements: sizes, angles, and which are inverted or flat. */
export class ElementShapes {
  private readonly mesh: TetrahedralMesh;
  private readonly inverted = { count: 0, first: [] as number[] };
  private readonly flat = { count: 0, first: [] as number[] };
  private smallestEdge = Number.POSITIVE_INFINITY;
  private largestEdge = 0;
  private smallestDihedral = Number.POSITIVE_INFINITY;
  private largestDihedral = 0;
  private readonly histogram = new Array<number>(HISTOGRAM_BINS).fill(0);
  private volume = 0;
  private readonly min = [Infinity, Infinity, Infinity];
  private readonly max = [-Infinity, -Infinity, -Infinity];
  /** Unit normals of the four faces of the element at hand, outward. */
  private readonly normals = new Float64Array(12);

  constructor(mesh: TetrahedralMesh) {
    this.mesh = mesh;
    for (let element = 0; element < mesh.tetrahedra.length / 4; element++) this.add(element);
  }

  result() {
    const isAnySound = this.largestDihedral > 0;
    const isEmpty = this.mesh.tetrahedra.length === 0;
    const size: [number, number, number] = isEmpty
      ? [0, 0, 0]
      : [this.max[0] - this.min[0], this.max[1] - this.min[1], this.max[2] - this.min[2]];
    return {
      inverted: this.inverted as ElementList,
      flat: this.flat as ElementList,
      smallestDihedral: isAnySound ? this.smallestDihedral : 0,
      largestDihedral: this.largestDihedral,
      dihedralHistogram: this.histogram as readonly number[],
      smallestEdge: isEmpty ? 0 : this.smallestEdge,
      largestEdge: this.largestEdge,
      volume: this.volume,
      size,
    };
  }

  private add(element: number): void {
    const sixfold = volume6(this.mesh, element);
    this.volume += sixfold / 6;
    const longest = this.addEdges(element);
    if (Math.abs(sixfold) <= 6 * FLAT_VOLUME * cube(longest)) list(this.flat, element);
    else if (sixfold < 0) list(this.inverted, element);
    else this.addDihedrals(element);
  }

  private addEdges(element: number): number {
    const { positions, tetrahedra } = this.mesh;
    let longest = 0;
    for (let i = 0; i < 4; i++) {
      const a = 3 * tetrahedra[4 * element + i];
      for (let axis = 0; axis < 3; axis++) {
        this.min[axis] = Math.min(this.min[axis], positions[a + axis]);
        this.max[axis] = Math.max(this.max[axis], positions[a + axis]);
      }
      for (let j = i + 1; j < 4; j++) {
        const b = 3 * tetrahedra[4 * element + j];
        const x = positions[a] - positions[b];
        const y = positions[a + 1] - positions[b + 1];
        const z = positions[a + 2] - positions[b + 2];
        const length = Math.sqrt(x * x + y * y + z * z);
        longest = Math.max(longest, length);
        this.smallestEdge = Math.min(this.smallestEdge, length);
      }
    }
    this.largestEdge = Math.max(this.largestEdge, longest);
    return longest;
  }

  private addDihedrals(element: number): void {
    const { normals } = this;
    for (let face = 0; face < 4; face++) this.setNormal(element, face);
    for (let i = 0; i < 12; i += 3) {
      for (let j = i + 3; j < 12; j += 3) {
        const cosine = -(normals[i] * normals[j] + normals[i + 1] * normals[j + 1] + normals[i + 2] * normals[j + 2]);
        const angle = acosOf(Math.max(-1, Math.min(1, cosine)));
        this.smallestDihedral = Math.min(this.smallestDihedral, angle);
        this.largestDihedral = Math.max(this.largestDihedral, angle);
        this.histogram[Math.min(HISTOGRAM_BINS - 1, Math.floor((angle / Math.PI) * HISTOGRAM_BINS))]++;
      }
    }
  }

  private setNormal(element: number, face: number): void {
    const { positions, tetrahedra } = this.mesh;
    const [i, j, k] = FACE_CORNERS[face];
    const a = 3 * tetrahedra[4 * element + i];
    const b = 3 * tetrahedra[4 * element + j];
    const c = 3 * tetrahedra[4 * element + k];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    this.normals[3 * face] = nx / length;
    this.normals[3 * face + 1] = ny / length;
    this.normals[3 * face + 2] = nz / length;
  }
}

function list(into: { count: number; first: number[] }, element: number): void {
  into.count++;
  if (into.first.length < MOST_LISTED) into.first.push(element);
}
