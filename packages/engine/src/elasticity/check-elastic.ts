import { PalpableError } from '../base/errors.js';
import { UnionFind } from '../base/union-find.js';
import { cube, lengthOf, square } from '../math/portable.js';
import { type TetrahedralMesh, volume6 } from '../tetrahedra/tetrahedral-mesh.js';

/** Of the cube of the longest edge: below it a tetrahedron is flat to the eye of the arithmetic. */
const FLAT_SHARE = 1e-9;
/** Of the largest distance: closer to their line than this, fixed nodes do not hold a body against turning about it. */
const LINE_SHARE = 1e-6;

/** What of material, supports and elements would make the stiffness worthless, said before any of it is computed. */
export function checkElasticInput(mesh: TetrahedralMesh, poisson: number, fixed: Uint32Array): void {
  checkPoisson(poisson);
  checkNodes(mesh, fixed, 'fixed');
  checkElements(mesh);
  checkSupports(mesh, fixed);
}

export function checkPoisson(poisson: number): void {
  if (poisson > -1 && poisson < 0.5) return;
  throw new PalpableError(
    'option-invalid',
    `Poisson's ratio is ${poisson}, but must be above −1 and below 0.5, and 0 to 0.49 for common materials: at 0.5 the material keeps its volume exactly, which takes infinite stiffness; give 0.35 for plastics, 0.3 for steel, 0.49 for rubber.`,
    'poisson',
  );
}

export function checkNodes({ positions }: TetrahedralMesh, nodes: Uint32Array, option: 'fixed' | 'touchable'): void {
  const count = positions.length / 3;
  const wrong = nodes.find((node) => node >= count);
  if (wrong === undefined) return;
  throw new PalpableError(
    'option-invalid',
    `The list of ${option} nodes names node ${wrong}, but the mesh has the nodes 0 to ${count - 1}; select the nodes again on this mesh.`,
    option,
  );
}

function checkElements(mesh: TetrahedralMesh): void {
  let flat = 0;
  let inverted = 0;
  let first = -1;
  for (let element = 0; element < mesh.tetrahedra.length / 4; element += 1) {
    const volume = volume6(mesh, element);
    if (volume > FLAT_SHARE * cube(longestEdge(mesh, element))) continue;
    if (first < 0) first = element;
    if (volume < 0) inverted += 1;
    else flat += 1;
  }
  if (first < 0) return;
  throw new PalpableError(
    'mesh-invalid',
    `Of ${mesh.tetrahedra.length / 4} tetrahedra ${inverted} are inverted and ${flat} are flat, the first at ${placeOf(mesh, mesh.tetrahedra[4 * first])}; they have no stiffness: mesh the body again, or repair its mesh.`,
  );
}

function longestEdge({ positions, tetrahedra }: TetrahedralMesh, element: number): number {
  let longest = 0;
  for (let a = 0; a < 3; a += 1) {
    for (let b = a + 1; b < 4; b += 1) {
      const from = 3 * tetrahedra[4 * element + a];
      const to = 3 * tetrahedra[4 * element + b];
      let sum = 0;
      for (let i = 0; i < 3; i += 1) sum += square(positions[to + i] - positions[from + i]);
      if (sum > longest) longest = sum;
    }
  }
  return Math.sqrt(longest);
}

/** Every connected part must be held by nodes that are not on one line. */
function checkSupports(mesh: TetrahedralMesh, fixed: Uint32Array): void {
  if (fixed.length === 0) {
    throw new PalpableError(
      'option-invalid',
      'No Dirichlet nodes are given, so nothing holds the body and it has no shape at rest under a load; fix at least three nodes that are not on a line.',
      'fixed',
    );
  }
  const parts = partsOf(mesh);
  const isFixed = new Uint8Array(mesh.positions.length / 3);
  for (const node of fixed) isFixed[node] = 1;
  for (const nodes of parts) {
    const held = nodes.filter((node) => isFixed[node] === 1);
    if (spansPlane(mesh.positions, held)) continue;
    const which =
      parts.length === 1
        ? 'the body'
        : `one of the ${parts.length} unconnected parts, of ${nodes.length} nodes around ${placeOf(mesh, nodes[0])},`;
    const by =
      held.length === 0
        ? 'no Dirichlet nodes'
        : `only ${held.length} Dirichlet ${held.length === 1 ? 'node' : 'nodes on a line'}`;
    throw new PalpableError(
      'option-invalid',
      `There are ${by} to hold ${which} so that it can move without a force; fix at least three nodes of it that are not on a line${parts.length === 1 ? '' : ', or join the parts, or leave this one out'}.`,
      'fixed',
    );
  }
}

function partsOf({ positions, tetrahedra }: TetrahedralMesh): number[][] {
  const sets = new UnionFind(positions.length / 3);
  for (let corner = 0; corner < tetrahedra.length; corner += 1) sets.join(tetrahedra[corner & ~3], tetrahedra[corner]);
  const parts = new Map<number, number[]>();
  for (const node of new Set(tetrahedra)) {
    const part = parts.get(sets.find(node));
    if (part) part.push(node);
    else parts.set(sets.find(node), [node]);
  }
  return [...parts.values()];
}

function spansPlane(positions: Float64Array, nodes: readonly number[]): boolean {
  if (nodes.length < 3) return false;
  const away = (node: number) =>
    Array.from({ length: 3 }, (_, i) => positions[3 * node + i] - positions[3 * nodes[0] + i]);
  const farthest = nodes.map(away).reduce((best, v) => (lengthOf(v) > lengthOf(best) ? v : best));
  const [x, y, z] = farthest;
  const length = lengthOf(farthest);
  return nodes.some((node) => {
    const [u, v, w] = away(node);
    return lengthOf([y * w - z * v, z * u - x * w, x * v - y * u]) > LINE_SHARE * length * length;
  });
}

/** A node's position in words. */
export function placeOf({ positions }: TetrahedralMesh, node: number): string {
  const at = Array.from(positions.subarray(3 * node, 3 * node + 3), (value) => value.toPrecision(4));
  return `node ${node} at (${at.join(', ')}) m`;
}
