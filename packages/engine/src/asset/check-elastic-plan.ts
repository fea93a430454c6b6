import { PalpableError } from '../base/errors.js';
import { checkElasticInput, checkPoisson } from '../elasticity/check-elastic.js';
import { DEFAULT_MAX_BYTES } from '../elasticity/plan-elastic.js';
import { triangleArea } from '../mesh/triangle-geometry.js';
import { pointBounds, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { auditTetrahedra } from '../tetrahedra/audit-tetrahedra.js';
import { tetrahedraProblems } from '../tetrahedra/describe-tetrahedra.js';
import { checkTetrahedraSize } from '../tetrahedra/tetrahedra-size.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import {
  type BodyRegion,
  defaultElementSize,
  describeBounds,
  heldNodes,
  type PreparedElasticOptions,
} from './prepare-elastic.js';

/** Of the compliance, for each surface node and each touchable one. */
const BYTES_PER_PAIR = 36;
/** Surface nodes that the mesher makes per area of an element's side: 2 on wide faces, more at edges. */
const NODES_PER_SIDE = 2;
/** Points of a triangle at which it is asked whether it can be touched: so many rows of them. */
const SAMPLES = 8;

/**
 * What can be told of an elastic body before its field is built and it is filled, which may take minutes: a material that
 * cannot be, boxes that miss the body, elements that are flat, and more memory than there is. The rest is found when the
 * tetrahedra are there.
 */
export function checkElasticPlan(
  mesh: TriangleMesh,
  tetrahedra: TetrahedralMesh | null,
  options: PreparedElasticOptions,
  maxBytes = DEFAULT_MAX_BYTES,
): void {
  const { fixed = [], grip, touchable } = options;
  checkPoisson(options.poisson);
  if (fixed.length === 0 && !grip) throw unheld();
  fixed.forEach((box, index) => {
    checkMeets(mesh, box, `fixed[${index}]`, 'is to be held');
  });
  if (touchable) checkMeets(mesh, touchable, 'touchable', 'can be touched');
  if (tetrahedra) {
    checkShapes(tetrahedra);
    checkElasticInput(tetrahedra, options.poisson, heldNodes(tetrahedra, options));
    return;
  }
  const size = options.elementSize ?? defaultElementSize(mesh.positions);
  checkTetrahedraSize(mesh, size);
  checkMemory(mesh, size, touchable, maxBytes);
}

function unheld(): PalpableError {
  return new PalpableError(
    'option-invalid',
    'Nothing holds the body (no Dirichlet nodes), so it has no shape at rest under a load; name the part ' +
      'that is held as a box in `fixed`, or a grip.',
    'fixed',
  );
}

/** A box that does not even touch the box around the body holds none of its nodes. */
function checkMeets({ positions }: TriangleMesh, { min, max }: BodyRegion, path: string, what: string): void {
  const body = pointBounds(positions);
  const misses = [0, 1, 2].some((axis) => !(min[axis] <= body.max[axis] && max[axis] >= body.min[axis]));
  if (!misses) return;
  throw new PalpableError(
    'option-invalid',
    `The box [${min.join(', ')}] to [${max.join(', ')}] of what ${what} (${path}) misses the body, which reaches from ` +
      `${describeBounds(positions)} in its own frame, in metres; move or widen the box.`,
    path,
  );
}

/** The elements that are wrong, by their numbers. */
function checkShapes(tetrahedra: TetrahedralMesh): void {
  const { inverted, flat } = auditTetrahedra(tetrahedra);
  const wrong = Number(inverted.count > 0) + Number(flat.count > 0);
  if (wrong === 0) return;
  throw new PalpableError('mesh-invalid', tetrahedraProblems(tetrahedra).slice(0, wrong).join(' '));
}

function checkMemory(mesh: TriangleMesh, size: number, touchable: BodyRegion | undefined, maxBytes: number): void {
  const [all, touched] = areas(mesh, touchable);
  const perArea = NODES_PER_SIDE / (size * size);
  const bytes = BYTES_PER_PAIR * perArea * all * perArea * touched;
  if (!(bytes > maxBytes)) return;
  const mega = (value: number) => `${Math.round(value / 1e6).toLocaleString('en')} MB`;
  const fits = Number((size * Math.sqrt(Math.sqrt(bytes / maxBytes)) * 1.1).toPrecision(2));
  throw new PalpableError(
    'too-large',
    `Elements of ${size} m give the body about ${Math.round(perArea * all).toLocaleString('en')} nodes on its surface, ` +
      `${Math.round(perArea * touched).toLocaleString('en')} of them touchable, which takes about ${mega(bytes)} of memory ` +
      `for their compliance, above the ${mega(maxBytes)} at hand; take elements of ${fits} m or more, or name a smaller ` +
      'touchable part.',
    'elementSize',
  );
}

/** m², of all of the surface and of what of it can be touched. */
function areas(mesh: TriangleMesh, touchable: BodyRegion | undefined): [number, number] {
  const { positions, triangles } = mesh;
  const scratch = new Float64Array(3);
  let [all, touched] = [0, 0];
  for (let t = 0; t < triangles.length / 3; t += 1) {
    const corners = [0, 1, 2].map((k) => positions.subarray(3 * triangles[3 * t + k], 3 * triangles[3 * t + k] + 3));
    const area = triangleArea(mesh, t, scratch);
    all += area;
    touched += area * (touchable ? shareInside(corners, touchable) : 1);
  }
  return [all, touched];
}

function shareInside([a, b, c]: readonly Float64Array[], { min, max }: BodyRegion): number {
  let [inside, count] = [0, 0];
  for (let i = 0; i < SAMPLES; i += 1) {
    for (let j = 0; j < SAMPLES - i; j += 1) {
      const [u, v] = [(i + 1 / 3) / SAMPLES, (j + 1 / 3) / SAMPLES];
      const isIn = [0, 1, 2].every((axis) => {
        const at = a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]);
        return at >= min[axis] && at <= max[axis];
      });
      count += 1;
      if (isIn) inside += 1;
    }
  }
  return inside / count;
}
