import type { Job } from '../base/parallel.js';
import type { TriangleTree } from '../field/triangle-tree.js';
import { simplifyMesh } from '../mesh/simplify.js';
import { type TriangleMesh, triangleCount } from '../mesh/triangle-mesh.js';
import { weldMesh } from '../mesh/weld.js';
import { convexHull } from './convex-hull.js';
import { cornersOf, makePatch, type Patch, type PatchLimits } from './convex-patches.js';
import { enclosingSphere } from './enclosing-sphere.js';
import { distanceFromHull, facesOf, reachOfHull } from './hull-fit.js';
import { normalCone, unitNormals } from './patch-normals.js';
import { type Solid, solidOf } from './solid.js';

/** Joining two patches into one: the pieces of building a hierarchy that run on workers. */

export interface JoinContext {
  /** The finest surface, and the tree over it. */
  readonly mesh: TriangleMesh;
  readonly tree: TriangleTree;
  /** As `wholeTriangles` gives it. */
  readonly whole: Uint8Array;
  readonly limits: PatchLimits;
}

/** A patch as far as joining looks at it. */
export interface JoinPart {
  readonly patch: Pick<Patch, 'triangles' | 'vertices' | 'seen' | 'deviation'>;
  /** The surface at its level of detail. */
  readonly surface: TriangleMesh;
}

export interface JoinedPatch {
  readonly patch: Patch;
  /** Centre and radius. */
  readonly sphere: Float64Array;
  readonly surface: TriangleMesh;
}

export type JoinPiece = readonly (readonly [JoinPart, JoinPart])[];

export const joinJob: Job<JoinContext, JoinPiece, JoinedPatch[]> = {
  name: 'join patches',
  open({ mesh, tree, whole, limits }) {
    const joiner = new PatchJoiner(mesh, solidOf(tree, whole), limits);
    return (piece) => piece.map(([a, b]) => joiner.join(a, b));
  },
  // Small beside the work: not worth the risk of one buffer listed twice.
  transfer: () => [],
};

/** Above so many triangles a joined surface is simplified to half as many. */
const MAX_SURFACE = 192;
/** A hull leaves out vertices that stick out by this part of the deviation that its children have already. */
const HULL_SHARE = 0.25;
/** What the search for a hull's furthest reach out of the solid may miss, as a part of what is known already. */
const PRECISION = 0.1;
/** … and at least this part of the leaves' tolerance. */
const LEAST_PRECISION = 0.5;
/** Places at which that search looks. */
const LOOKS = 600;

class PatchJoiner {
  private readonly mesh: TriangleMesh;
  private readonly solid: Solid;
  private readonly limits: PatchLimits;
  private readonly normals: Float64Array;

  constructor(mesh: TriangleMesh, solid: Solid, limits: PatchLimits) {
    this.mesh = mesh;
    this.solid = solid;
    this.limits = limits;
    this.normals = unitNormals(mesh);
  }

  join(a: JoinPart, b: JoinPart): JoinedPatch {
    const { mesh, limits } = this;
    const triangles = new Int32Array(a.patch.triangles.length + b.patch.triangles.length);
    triangles.set(a.patch.triangles);
    triangles.set(b.patch.triangles, a.patch.triangles.length);
    const surface = joinSurfaces(a.surface, b.surface);
    const known = Math.max(a.patch.deviation, b.patch.deviation);
    const { maxVertices } = limits;
    const hull = convexHull(surface.positions, { maxVertices, tolerance: HULL_SHARE * known });
    const faces = facesOf(surface.positions, hull);
    const distance = distanceFromHull(mesh, triangles, faces, Number.POSITIVE_INFINITY);
    // Begins with what was seen, not with the bounds: what could not be excluded would add up from level to level.
    const atLeast = Math.max(a.patch.seen, b.patch.seen, distance);
    const precision = Math.max(PRECISION * atLeast, LEAST_PRECISION * limits.tolerance);
    const search = { atLeast, precision, limit: Number.POSITIVE_INFINITY, looks: LOOKS };
    const { seen, bound } = reachOfHull(this.solid, faces, search);
    const cone = normalCone(mesh, this.normals, triangles);
    const patch = makePatch(triangles, surface.positions, hull, { seen, bound: Math.max(known, bound) }, cone);
    const sphere = new Float64Array(4);
    enclosingSphere(sphere, [patch.vertices, a.patch.vertices, b.patch.vertices, cornersOf(mesh, triangles)]);
    return { patch, sphere, surface };
  }
}

/** Both surfaces as one, sewn together where their borders coincide, and simplified if it has become too fine. */
function joinSurfaces(a: TriangleMesh, b: TriangleMesh): TriangleMesh {
  const positions = new Float64Array(a.positions.length + b.positions.length);
  positions.set(a.positions);
  positions.set(b.positions, a.positions.length);
  const triangles = new Uint32Array(a.triangles.length + b.triangles.length);
  triangles.set(a.triangles);
  triangles.set(
    b.triangles.map((vertex) => vertex + a.positions.length / 3),
    a.triangles.length,
  );
  const joined = { positions, triangles };
  if (triangleCount(joined) <= MAX_SURFACE) return joined;
  // Borders were kept to the bit, so what belongs together coincides.
  return simplifyMesh(weldMesh(joined), { triangles: MAX_SURFACE / 2 });
}
