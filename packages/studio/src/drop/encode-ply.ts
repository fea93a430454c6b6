/** A mesh as the bytes of a PLY file, which lose nothing: binary, coordinates with all their digits. */
import type { TriangleMesh } from '@palpable/engine';

const BYTES_OF_VERTEX = 24;
/** How many corners follow, in a byte, and the corners. */
const BYTES_OF_TRIANGLE = 13;

export function encodePly({ positions, triangles }: TriangleMesh): Uint8Array<ArrayBuffer> {
  const header = new TextEncoder().encode(headerOf(positions.length / 3, triangles.length / 3));
  const faces = header.length + (positions.length / 3) * BYTES_OF_VERTEX;
  const bytes = new Uint8Array(faces + (triangles.length / 3) * BYTES_OF_TRIANGLE);
  bytes.set(header);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < positions.length; i += 1) view.setFloat64(header.length + 8 * i, positions[i]!, true);
  for (let i = 0, at = faces; i < triangles.length; i += 3, at += BYTES_OF_TRIANGLE) {
    view.setUint8(at, 3);
    for (let corner = 0; corner < 3; corner += 1) view.setUint32(at + 1 + 4 * corner, triangles[i + corner]!, true);
  }
  return bytes;
}

function headerOf(vertices: number, faces: number): string {
  return `ply
format binary_little_endian 1.0
element vertex ${vertices}
property double x
property double y
property double z
element face ${faces}
property list uchar uint vertex_indices
end_header
`;
}
