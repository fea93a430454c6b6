import { PalpableError } from '../base/errors.js';
import { cube, cubeRootOf } from '../math/portable.js';
import { meshMoments } from '../mesh/mass-properties.js';
import { meshBounds, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { type BccLattice, checkElementSize, layOutLattice } from './bcc-lattice.js';

/** Most nodes that are made unless told otherwise. */
export const MAX_NODES = 500_000;
/** Most lattice nodes in the box around the solid: about 12 bytes each. */
const MAX_LATTICE_NODES = 24_000_000;

/**
 * Fails if elements of this size in a closed mesh would be too many: to be asked before its field is built, which may
 * take long. Sheets and open meshes, whose volume is not known, pass as far as their box allows.
 */
export function checkTetrahedraSize(mesh: TriangleMesh, elementSize: number, maxNodes = MAX_NODES): void {
  checkElementSize(elementSize);
  const { min, max } = meshBounds(mesh);
  checkLatticeSize(layOutLattice(min, max, elementSize));
  // A lattice has two nodes per cube.
  checkNodeCount((2 * Math.max(0, meshMoments(mesh).volume)) / cube(elementSize), maxNodes, elementSize);
}

export function checkLatticeSize({ nodeCount, side }: BccLattice): void {
  checkCount('lattice nodes', nodeCount, MAX_LATTICE_NODES, side);
}

export function checkNodeCount(count: number, limit: number, elementSize: number): void {
  checkCount('nodes', count, limit, elementSize);
}

function checkCount(what: string, count: number, limit: number, elementSize: number): void {
  if (count <= limit) return;
  // A little more for the border, of which larger elements spare less than of the inside.
  const fits = roundedUp(1.03 * elementSize * cubeRootOf(count / limit));
  throw new PalpableError(
    'too-large',
    `An element size of ${elementSize} m makes about ${Math.round(count).toLocaleString('en')} ${what}, more than the limit of ${limit.toLocaleString('en')}; ${fits} m fits.`,
  );
}

/** To two digits. */
function roundedUp(value: number): number {
  const [, exponent] = value.toExponential().split('e');
  const digit = Number(`1e${Number(exponent) - 1}`);
  return Number((Math.ceil(value / digit) * digit).toPrecision(2));
}
