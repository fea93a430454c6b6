import type { TriangleMesh } from '@palpable/engine';

/** A mesh as binary STL, without normals: readers work them out themselves. */
export function binaryStl({ positions, triangles }: TriangleMesh, scale = 1): Uint8Array {
  const count = triangles.length / 3;
  const view = new DataView(new ArrayBuffer(84 + 50 * count));
  view.setUint32(80, count, true);
  for (const [k, corner] of triangles.entries()) {
    const at = 84 + 50 * Math.floor(k / 3) + 12 * (1 + (k % 3));
    for (let axis = 0; axis < 3; axis += 1) view.setFloat32(at + 4 * axis, scale * positions[3 * corner + axis], true);
  }
  return new Uint8Array(view.buffer);
}
