import type { ConvexHierarchy } from '../../hierarchy/convex-hierarchy.js';
import { acosOf, lengthOf } from '../../math/portable.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';

/**
 * A hierarchy that is right by construction: every triangle is a leaf, every inner node the box around its triangles.
 * Its only levels of detail are the finest and none, so that it tests the query and not the builder.
 */
export function triangleHierarchy(mesh: TriangleMesh): ConvexHierarchy {
  const { positions, triangles } = mesh;
  const count = triangles.length / 3;
  const nodeCount = 2 * count - 1;
  const child = new Int32Array(2 * nodeCount).fill(-1);
  const deviation = new Float64Array(nodeCount);
  const sphere = new Float64Array(4 * nodeCount);
  const vertexStart = new Int32Array(nodeCount + 1);
  const vertices: number[] = [];
  const normal = new Float64Array(3 * nodeCount);
  const spread = new Float64Array(nodeCount);
  const triangleStart = new Int32Array(nodeCount + 1);
  const ordered: number[] = [];
  const level = new Int32Array(nodeCount);
  const corner = (t: number, c: number) => positions.subarray(3 * triangles[3 * t + c], 3 * triangles[3 * t + c] + 3);
  const faces = Array.from({ length: count }, (_, t) => {
    const [a, b, c] = [corner(t, 0), corner(t, 1), corner(t, 2)];
    const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  });
  let used = 0;

  const add = (list: number[]): number => {
    const node = used;
    used += 1;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (const t of list) {
      for (let n = 0; n < 9; n += 1) {
        const at = corner(t, Math.floor(n / 3))[n % 3];
        low[n % 3] = Math.min(low[n % 3], at);
        high[n % 3] = Math.max(high[n % 3], at);
      }
    }
    const size = high.map((x, axis) => x - low[axis]);
    sphere.set([...high.map((x, axis) => x - size[axis] / 2), lengthOf(size) / 2], 4 * node);
    vertexStart[node] = vertices.length / 3;
    triangleStart[node] = ordered.length / 3;
    setNormals(node, list);
    if (list.length === 1) {
      for (let c = 0; c < 3; c += 1) vertices.push(...corner(list[0], c));
      ordered.push(...triangles.subarray(3 * list[0], 3 * list[0] + 3));
      return node;
    }
    for (let n = 0; n < 8; n += 1) {
      for (let axis = 0; axis < 3; axis += 1) vertices.push((n >> axis) & 1 ? high[axis] : low[axis]);
    }
    deviation[node] = lengthOf(size);
    const axis = size.indexOf(Math.max(...size));
    const middle = (t: number) => corner(t, 0)[axis] + corner(t, 1)[axis] + corner(t, 2)[axis];
    const sorted = [...list].sort((s, t) => middle(s) - middle(t));
    child[2 * node] = add(sorted.slice(0, sorted.length >> 1));
    child[2 * node + 1] = add(sorted.slice(sorted.length >> 1));
    level[node] = 1 + Math.max(level[child[2 * node]], level[child[2 * node + 1]]);
    return node;
  };

  const setNormals = (node: number, list: number[]): void => {
    const sum = [0, 0, 0];
    for (const t of list) for (let axis = 0; axis < 3; axis += 1) sum[axis] += faces[t][axis];
    const length = lengthOf(sum) || 1;
    normal.set(
      sum.map((x) => x / length),
      3 * node,
    );
    for (const t of list) {
      const along = faces[t].reduce((dot, x, axis) => dot + (x * sum[axis]) / length, 0) / (lengthOf(faces[t]) || 1);
      spread[node] = Math.max(spread[node], acosOf(Math.min(1, Math.max(-1, along))));
    }
  };

  add(Array.from({ length: count }, (_, t) => t));
  vertexStart[nodeCount] = vertices.length / 3;
  triangleStart[nodeCount] = ordered.length / 3;
  return {
    nodeCount,
    child,
    deviation,
    sphere,
    vertexStart,
    vertices: Float64Array.from(vertices),
    neighbourStart: new Int32Array(vertices.length / 3 + 1),
    neighbours: new Int32Array(0),
    normal,
    spread,
    radius: sphere[3],
    triangleStart,
    triangles: Int32Array.from(ordered),
    points: positions,
    level,
  };
}
