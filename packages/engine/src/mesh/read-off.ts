import { PalpableError } from '../base/errors.js';
import { GrowableUint32 } from './growable.js';
import { fannedWarning, PolygonTriangulator } from './polygon.js';
import { checkTriangleLimit, type RawMesh, truncated } from './raw-mesh.js';
import { TextScanner } from './text-scanner.js';
import { checkIndices } from './triangle-mesh.js';

/** The keyword with its prefixes: texture, colour, normal, four coordinates, any number of coordinates. */
const KEYWORD = /^(ST)?C?N?(4)?(n)?OFF$/;

/** Whether the first token is the keyword of an OFF file. */
export function isOff(bytes: Uint8Array): boolean {
  const scanner = new TextScanner(bytes.subarray(0, 4096), { hashComments: true });
  return scanner.nextToken() && KEYWORD.test(scanner.tokenText());
}

/** Reads text OFF, also COFF, NOFF and STOFF: colours, normals and texture coordinates follow the position in its line. */
export function readOff(bytes: Uint8Array): RawMesh {
  const scanner = new TextScanner(bytes, { hashComments: true });
  const vertexCount = readHeader(scanner);
  const faceCount = scanner.nextInteger();
  // The number of edges is there but nobody keeps it up to date, and some files leave it out.
  scanner.skipLine();
  // A vertex takes six bytes ("0 0 0" and an end of line), a face two: a lie is found before memory is taken.
  const needed = vertexCount * 6 + faceCount * 2 - 1;
  if (needed > scanner.remaining) {
    throw truncated(`An OFF of ${vertexCount} vertices and ${faceCount} faces`, needed, scanner.remaining);
  }
  const positions = readVertices(scanner, vertexCount);
  return readFaces(scanner, faceCount, positions);
}

/** Goes behind the keyword, which may be absent or share its line with the counts, and the number of vertices. */
function readHeader(scanner: TextScanner): number {
  if (!scanner.nextToken()) scanner.fail('The file holds nothing but comments; export it again.');
  const keyword = KEYWORD.exec(scanner.tokenText());
  if (keyword === null) {
    scanner.offset = scanner.tokenStart;
    return scanner.nextInteger();
  }
  if (keyword[2] !== undefined || keyword[3] !== undefined) {
    throw new PalpableError('format-unsupported', 'OFF with four or n coordinates is not supported; export plain OFF.');
  }
  if (scanner.nextToken() && scanner.tokenIs('binary')) {
    throw new PalpableError('format-unsupported', 'Binary OFF is not supported; export it as text or as PLY.');
  }
  scanner.offset = scanner.tokenStart;
  return scanner.nextInteger();
}

function readVertices(scanner: TextScanner, count: number): Float64Array {
  const positions = new Float64Array(count * 3);
  for (let vertex = 0; vertex < count; vertex++) {
    positions[vertex * 3] = scanner.nextNumber();
    positions[vertex * 3 + 1] = scanner.nextNumber();
    positions[vertex * 3 + 2] = scanner.nextNumber();
    scanner.skipLine();
  }
  return positions;
}

function readFaces(scanner: TextScanner, count: number, positions: Float64Array): RawMesh {
  const corners = new GrowableUint32();
  const triangles = new GrowableUint32();
  const triangulator = new PolygonTriangulator(positions, triangles);
  let incomplete = 0;
  for (let face = 0; face < count; face++) {
    const sides = scanner.nextInteger();
    if (sides * 2 > scanner.remaining) throw truncated(`A face of ${sides} corners`, sides * 2, scanner.remaining);
    corners.length = 0;
    for (let i = 0; i < sides; i++) corners.push(Math.min(scanner.nextInteger(), 0xffffffff));
    scanner.skipLine();
    checkIndices(corners.data.subarray(0, sides), positions.length / 3);
    if (sides < 3) incomplete++;
    else triangulator.add(corners.data, 0, sides);
  }
  checkTriangleLimit(triangles.length / 3);
  const warnings = fannedWarning(triangulator);
  if (incomplete > 0) warnings.push(`${incomplete} faces with fewer than three corners were ignored.`);
  return { positions, triangles: triangles.take(), warnings };
}
