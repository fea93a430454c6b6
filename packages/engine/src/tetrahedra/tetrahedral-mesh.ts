import { PalpableError } from '../base/errors.js';
import { volumeOfCorners6 } from '../math/vectors.js';

/**
 * A solid cut into tetrahedra, metres, body frame. `createTetrahedralMesh` checks that the numbers can be used at all;
 * whether the elements are sound is for `auditTetrahedra` to say.
 */
export interface TetrahedralMesh {
  /** x, y, z of every node. */
  readonly positions: Float64Array;
  /** Four nodes a, b, c, d per element, turned so that (b − a) · ((c − a) × (d − a)) > 0. */
  readonly tetrahedra: Uint32Array;
}

/** Corners of the face opposite corner 0, 1, 2 and 3, counter-clockwise seen from outside the element. */
export const FACE_CORNERS: readonly (readonly [number, number, number])[] = [
  [1, 2, 3],
  [0, 3, 2],
  [0, 1, 3],
  [0, 2, 1],
];

/** Largest magnitude of a coordinate, metres, as for surfaces. */
const HUGE_COORDINATE = 1e6;

/** Checks whole quadruples, indices in range and finite coordinates. The arrays are kept, not copied. */
export function createTetrahedralMesh(positions: Float64Array, tetrahedra: Uint32Array): TetrahedralMesh {
  if (positions.length % 3 !== 0 || tetrahedra.length % 4 !== 0) {
    throw new PalpableError('mesh-invalid', 'Positions must come in threes and tetrahedra in fours; pass whole ones.');
  }
  if (tetrahedra.length === 0) {
    throw new PalpableError('mesh-empty', 'The mesh has no tetrahedra; export a volume mesh of tetrahedra.');
  }
  checkNodes(tetrahedra, positions.length / 3);
  for (let i = 0; i < positions.length; i++) {
    if (Math.abs(positions[i]) <= HUGE_COORDINATE) continue;
    const found = Number.isFinite(positions[i]) ? `${positions[i].toExponential(2)} m` : 'that is not a finite number';
    throw new PalpableError(
      'mesh-invalid',
      `Node ${Math.floor(i / 3) + 1} has a coordinate ${found}; coordinates go up to 1e6 m: repair the file, or set its unit or scale.`,
    );
  }
  return { positions, tetrahedra };
}

function checkNodes(tetrahedra: Uint32Array, nodes: number): void {
  for (let i = 0; i < tetrahedra.length; i++) {
    if (tetrahedra[i] < nodes) continue;
    throw new PalpableError(
      'mesh-invalid',
      `Tetrahedron ${Math.floor(i / 4) + 1} uses node ${tetrahedra[i] + 1} but there are only ${nodes} nodes; the file is damaged: export it again.`,
    );
  }
}

/** Six times the signed volume of an element, m³: positive when it is turned the right way round. */
export function volume6({ positions, tetrahedra }: TetrahedralMesh, element: number): number {
  const a = 3 * tetrahedra[4 * element];
  const b = 3 * tetrahedra[4 * element + 1];
  const c = 3 * tetrahedra[4 * element + 2];
  const d = 3 * tetrahedra[4 * element + 3];
  return volumeOfCorners6(positions, a, positions, b, c, d);
}

/** The volume of all elements together, m³; inverted ones count as negative. */
export function tetrahedraVolume(mesh: TetrahedralMesh): number {
  let sum = 0;
  for (let element = 0; element < mesh.tetrahedra.length / 4; element++) sum += volume6(mesh, element);
  return sum / 6;
}

/** The elements marked in `keep`, on the nodes that they use, in the same order. */
export function keepTetrahedra(mesh: TetrahedralMesh, keep: Uint8Array): TetrahedralMesh {
  const nodes = mesh.positions.length / 3;
  const used = new Uint8Array(nodes);
  const kept: number[] = [];
  for (let i = 0; i < mesh.tetrahedra.length; i++) {
    if (keep[i >> 2] === 0) continue;
    used[mesh.tetrahedra[i]] = 1;
    kept.push(mesh.tetrahedra[i]);
  }
  const renumbered = new Uint32Array(nodes);
  const positions = new Float64Array(3 * nodes);
  let count = 0;
  for (let node = 0; node < nodes; node++) {
    if (used[node] === 0) continue;
    for (let axis = 0; axis < 3; axis++) positions[3 * count + axis] = mesh.positions[3 * node + axis];
    renumbered[node] = count++;
  }
  return {
    positions: positions.slice(0, 3 * count),
    tetrahedra: Uint32Array.from(kept, (node) => renumbered[node]),
  };
}
