import { PalpableError } from '../base/errors.js';
import { GrowableFloat64, GrowableUint32 } from './growable.js';
import { fannedWarning, PolygonTriangulator } from './polygon.js';
import { checkTriangleLimit, type RawMesh, truncated } from './raw-mesh.js';
import { TextScanner } from './text-scanner.js';

const HEADER_BYTES = 84;
const TRIANGLE_BYTES = 50;

/** How far into a file `facet` must come for it to be an ASCII STL; names of solids are shorter. */
const FACET_WITHIN = 4096;

/** Reads STL. Which of the two kinds it is follows from the size, since binary files may begin with "solid" as well. */
export function readStl(bytes: Uint8Array): RawMesh {
  if (isExactBinaryStl(bytes)) return readBinaryStl(bytes);
  if (isAsciiStl(bytes)) return readAsciiStl(bytes);
  if (isPlainText(bytes)) {
    throw new PalpableError(
      'format-invalid',
      'This is a text file but not an STL (no "solid" with "facet" in it); export the part as STL.',
    );
  }
  return readBinaryStl(bytes);
}

/** Whether the size is exactly that of a binary STL with the number of triangles that its header states. */
export function isExactBinaryStl(bytes: Uint8Array): boolean {
  return bytes.length >= HEADER_BYTES && bytes.length === HEADER_BYTES + TRIANGLE_BYTES * statedTriangles(bytes);
}

/** Whether the text begins as an ASCII STL does. */
export function isAsciiStl(bytes: Uint8Array): boolean {
  const scanner = new TextScanner(bytes.subarray(0, FACET_WITHIN));
  if (!scanner.nextToken() || !scanner.tokenIs('solid')) return false;
  while (scanner.nextToken()) if (scanner.tokenIs('facet') || scanner.tokenIs('endsolid')) return true;
  return false;
}

/** Whether the beginning holds no byte that text does not hold. */
export function isPlainText(bytes: Uint8Array): boolean {
  const end = Math.min(bytes.length, FACET_WITHIN);
  for (let i = 0; i < end; i++) {
    const byte = bytes[i];
    if (byte < 9 || (byte > 13 && byte < 32) || byte === 127) return false;
  }
  return true;
}

function statedTriangles(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(80, true);
}

function readBinaryStl(bytes: Uint8Array): RawMesh {
  if (bytes.length < HEADER_BYTES) throw truncated('The header of a binary STL', HEADER_BYTES, bytes.length);
  const count = statedTriangles(bytes);
  const needed = HEADER_BYTES + TRIANGLE_BYTES * count;
  if (needed > bytes.length) throw truncated(`A binary STL of ${count} triangles`, needed, bytes.length);
  checkTriangleLimit(count);
  const warnings =
    needed < bytes.length ? [`${bytes.length - needed} bytes after the last triangle were ignored.`] : [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const positions = new Float64Array(count * 9);
  for (let triangle = 0; triangle < count; triangle++) {
    const offset = HEADER_BYTES + TRIANGLE_BYTES * triangle + 12;
    for (let i = 0; i < 9; i++) positions[triangle * 9 + i] = view.getFloat32(offset + 4 * i, true);
  }
  return { positions, triangles: countingIndices(count * 3), warnings };
}

/** 0, 1, 2, …: every corner is a vertex of its own. */
function countingIndices(count: number): Uint32Array {
  const indices = new Uint32Array(count);
  for (let i = 0; i < count; i++) indices[i] = i;
  return indices;
}

function readAsciiStl(bytes: Uint8Array): RawMesh {
  const scanner = new TextScanner(bytes);
  const positions = new GrowableFloat64();
  const corners = new GrowableUint32();
  const loopStarts = new GrowableUint32();
  let open = false;
  while (scanner.nextToken()) {
    if (scanner.tokenIs('vertex')) {
      if (!open || loopStarts.length === 0) scanner.failHere('has a vertex outside of a facet');
      corners.push(positions.length / 3);
      positions.push3(scanner.nextNumber(), scanner.nextNumber(), scanner.nextNumber());
    } else if (scanner.tokenIs('outer')) loopStarts.push(corners.length);
    else if (scanner.tokenIs('solid')) {
      open = true;
      scanner.skipLine();
    } else if (scanner.tokenIs('endsolid')) {
      open = false;
      scanner.skipLine();
    } else if (scanner.tokenIs('facet')) skipNormal(scanner);
    else if (!scanner.tokenIs('loop') && !scanner.tokenIs('endloop') && !scanner.tokenIs('endfacet')) {
      scanner.failHere(`holds "${scanner.tokenText()}", which is no keyword of STL`);
    }
  }
  if (open) scanner.fail('The file ends before "endsolid"; it is cut short: export it again.');
  loopStarts.push(corners.length);
  return triangulateLoops(positions.take(), corners.take(), loopStarts.take());
}

/** The written normal is not used: the order of the corners says the same and is right more often. */
function skipNormal(scanner: TextScanner): void {
  for (let i = 0; i < 4; i++) scanner.nextTokenOfLine();
}

function triangulateLoops(positions: Float64Array, corners: Uint32Array, loopStarts: Uint32Array): RawMesh {
  const triangles = new GrowableUint32();
  const triangulator = new PolygonTriangulator(positions, triangles);
  let incomplete = 0;
  for (let loop = 0; loop + 1 < loopStarts.length; loop++) {
    const first = loopStarts[loop];
    const count = loopStarts[loop + 1] - first;
    if (count < 3) incomplete++;
    else triangulator.add(corners, first, count);
  }
  checkTriangleLimit(triangles.length / 3);
  const warnings = fannedWarning(triangulator);
  if (incomplete > 0) warnings.push(`${incomplete} facets with fewer than three vertices were ignored.`);
  return { positions, triangles: triangles.take(), warnings };
}
