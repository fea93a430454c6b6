import type { TriangleMesh } from '@palpable/engine';
import { Box3, BufferAttribute, BufferGeometry, DoubleSide, Plane, Ray, type Sphere, Triangle, Vector3 } from 'three';
import { ExtendedTriangle, MeshBVH } from 'three-mesh-bvh';

/*
 * A closed mesh as three-mesh-bvh knows it: nothing here is the engine's. Distances are to the triangles themselves; inside
 * is where a ray leaves the mesh more often than it enters it, so that shells that overlap count as one solid.
 */

export interface Solid {
  /** In the frame of the mesh, m. */
  readonly corners: readonly (readonly [Vector3, Vector3, Vector3])[];
  readonly bvh: MeshBVH;
  /** Knows the tree. */
  readonly geometry: BufferGeometry;
  readonly bounds: Box3;
  /** Of each triangle: what is flat and convex around it; often just itself. */
  readonly facets: readonly Facet[];
}

export interface Facet {
  readonly triangles: readonly Triangle[];
  /** Its normal points out of the solid. */
  readonly plane: Plane;
}

/** Nothing is parallel to it by design. */
const RAY_DIRECTION = new Vector3(0.5377, 0.7201, 0.4387).normalize();

export function createSolid({ positions, triangles }: TriangleMesh): Solid {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float64Array.from(positions), 3));
  // The tree sorts its own copy.
  geometry.setIndex(new BufferAttribute(triangles.slice(), 1));
  const bvh = new MeshBVH(geometry);
  geometry.boundsTree = bvh;
  const index = geometry.index!.array;
  const vertex = (n: number) => new Vector3().fromArray(positions as unknown as number[], 3 * n);
  const corners = Array.from({ length: index.length / 3 }, (_, t) => {
    return [vertex(index[3 * t]!), vertex(index[3 * t + 1]!), vertex(index[3 * t + 2]!)] as const;
  });
  return { corners, bvh, geometry, bounds: bvh.getBoundingBox(new Box3()), facets: convexFacets(corners, index) };
}

const ray = new Ray();

export function isInside({ bvh, bounds }: Solid, point: Vector3): boolean {
  if (!bounds.containsPoint(point)) return false;
  ray.set(point, RAY_DIRECTION);
  let leaves = 0;
  for (const { face } of bvh.raycast(ray, DoubleSide)) leaves += face!.normal.dot(RAY_DIRECTION) > 0 ? 1 : -1;
  return leaves > 0;
}

const hit = { point: new Vector3(), distance: 0, faceIndex: 0 };

/** Distance to the surface, m, and the triangle that is closest. */
export function closestTriangle(
  { bvh }: Solid,
  point: Vector3,
): { readonly distance: number; readonly faceIndex: number } {
  return bvh.closestPointToPoint(point, hit)!;
}

const onFacet = new Vector3();

export function distanceToFacet({ triangles }: Facet, point: Vector3): number {
  let least = Number.POSITIVE_INFINITY;
  for (const triangle of triangles) {
    least = Math.min(least, triangle.closestPointToPoint(point, onFacet).distanceToSquared(point));
  }
  return Math.sqrt(least);
}

const probe = new ExtendedTriangle();

/** Whether a triangle touches the surface. */
export function crossesSurface({ bvh }: Solid, a: Vector3, b: Vector3, c: Vector3): boolean {
  probe.a.copy(a);
  probe.b.copy(b);
  probe.c.copy(c);
  probe.needsUpdate = true;
  return bvh.shapecast({
    intersectsBounds: (box) => probe.intersectsBox(box),
    intersectsTriangle: (triangle) => triangle.intersectsTriangle(probe),
  });
}

/** More of them in one ball bound nothing. */
const MOST_FACETS = 12;
const nearest = new Vector3();

/** All facets that reach into a ball, and how they meet. */
interface Surroundings {
  readonly facets: readonly Facet[];
  /** Each is behind the planes of all others: the solid is where all of the planes have it. */
  readonly isConvex: boolean;
  /** Each is before them: outside is where none of the planes has the solid. */
  readonly isHollow: boolean;
}

/** Null where there are too many, or none. */
export function surroundings({ bvh, facets }: Solid, ball: Sphere): Surroundings | null {
  const found = new Set<Facet>();
  const isTooMany = bvh.shapecast({
    intersectsBounds: (box) => ball.intersectsBox(box),
    intersectsTriangle(triangle, t) {
      triangle.closestPointToPoint(ball.center, nearest);
      if (ball.containsPoint(nearest)) found.add(facets[t]!);
      return found.size > MOST_FACETS;
    },
  });
  if (isTooMany || found.size === 0) return null;
  const all = [...found];
  const isOnSide = (side: number) =>
    all.every(({ plane }) =>
      all.every(({ triangles }) =>
        triangles.every(({ a, b, c }) => [a, b, c].every((corner) => side * plane.distanceToPoint(corner) <= FLAT)),
      ),
    );
  return { facets: all, isConvex: isOnSide(1), isHollow: isOnSide(-1) };
}

/** Triangles whose normals differ by less lie in one plane; as a length, m, nothing. */
const FLAT = 1e-9;

/**
 * Flat neighbours together, where their outline is convex: as a fan of few triangles. The distance to one convex facet is a
 * convex function of the point, so that over a triangle it is largest at one of the corners.
 */
function convexFacets(corners: readonly (readonly [Vector3, Vector3, Vector3])[], index: ArrayLike<number>): Facet[] {
  const planes = corners.map(([a, b, c]) => new Triangle(a, b, c).getNormal(new Vector3()));
  const group = corners.map((_, t) => t);
  const rootOf = (t: number): number => {
    let root = t;
    while (group[root] !== root) root = group[root]!;
    group[t] = root;
    return root;
  };
  const edges = new Map<string, number>();
  corners.forEach((_, t) => {
    for (let side = 0; side < 3; side += 1) {
      const ends = [index[3 * t + side]!, index[3 * t + ((side + 1) % 3)]!];
      const key = `${Math.min(...ends)} ${Math.max(...ends)}`;
      const other = edges.get(key);
      if (other === undefined) edges.set(key, t);
      else if (planes[t]!.distanceToSquared(planes[other]!) < FLAT * FLAT) group[rootOf(t)] = rootOf(other);
    }
  });
  const members = new Map<number, number[]>();
  corners.forEach((_, t) => {
    const root = rootOf(t);
    members.set(root, [...(members.get(root) ?? []), t]);
  });
  const facets = new Array<Facet>(corners.length);
  for (const [root, all] of members) {
    const plane = new Plane().setFromNormalAndCoplanarPoint(planes[root]!, corners[root]![0]);
    const fan =
      all.length > 1
        ? fanOf(
            all.map((t) => corners[t]!),
            planes[root]!,
          )
        : null;
    const shared = fan && { triangles: fan, plane };
    for (const t of all) facets[t] = shared ?? { triangles: [new Triangle(...corners[t]!)], plane };
  }
  return facets;
}

/** The hull of some flat triangles; null if they do not fill it. */
function fanOf(triangles: readonly (readonly [Vector3, Vector3, Vector3])[], normal: Vector3): Triangle[] | null {
  const u = new Vector3().subVectors(triangles[0]![1], triangles[0]![0]).normalize();
  const v = new Vector3().crossVectors(normal, u);
  const points = triangles.flat().map((point) => ({ point, x: point.dot(u), y: point.dot(v) }));
  points.sort((a, b) => a.x - b.x || a.y - b.y);
  type Flat = (typeof points)[number];
  const turn = (a: Flat, b: Flat, c: Flat) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  const chain = (all: readonly Flat[]) => {
    const out: Flat[] = [];
    for (const each of all) {
      while (out.length > 1 && turn(out.at(-2)!, out.at(-1)!, each) <= 0) out.pop();
      out.push(each);
    }
    return out.slice(0, -1);
  };
  const hull = [...chain(points), ...chain(points.reverse())];
  const fan = hull.slice(2).map((_, n) => new Triangle(hull[0]!.point, hull[n + 1]!.point, hull[n + 2]!.point));
  const area = triangles.reduce((all, [a, b, c]) => all + new Triangle(a, b, c).getArea(), 0);
  const hullArea = fan.reduce((all, each) => all + each.getArea(), 0);
  return Math.abs(area - hullArea) < 1e-6 * hullArea ? fan : null;
}
