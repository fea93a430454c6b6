import { PalpableError } from '../base/errors.js';
import { GrowableFloat64, GrowableUint32 } from './growable.js';
import { fannedWarning, PolygonTriangulator } from './polygon.js';
import { checkTriangleLimit, type RawMesh } from './raw-mesh.js';
import { TextScanner } from './text-scanner.js';
import { checkIndices } from './triangle-mesh.js';

const SLASH = 47;

/**
 * Reads the geometry of a Wavefront OBJ: `v` and `f`. Texture coordinates, normals, groups and materials do not matter
 * to the touch; lines, points and curves are ignored and said.
 */
export function readObj(bytes: Uint8Array): RawMesh {
  const scanner = new TextScanner(bytes, { hashComments: true, joinsLines: true });
  const positions = new GrowableFloat64();
  const faces = new Faces();
  let ignored = 0;
  let known = 0;
  for (; !scanner.atEnd; scanner.skipLine()) {
    if (!scanner.nextTokenOfLine()) continue;
    if (scanner.tokenIs('v')) {
      const x = scanner.nextNumberOfLine();
      const y = scanner.nextNumberOfLine();
      positions.push3(x, y, scanner.nextNumberOfLine());
    } else if (scanner.tokenIs('f') || scanner.tokenIs('fo')) faces.read(scanner, positions.length / 3);
    else if (scanner.tokenIs('l') || scanner.tokenIs('p') || scanner.tokenIs('curv') || scanner.tokenIs('surf'))
      ignored++;
    else if (!isOtherStatement(scanner)) continue;
    known++;
  }
  if (known === 0) {
    throw new PalpableError('format-invalid', 'The file has no OBJ lines; check that it is an OBJ file.');
  }
  const mesh = faces.triangulate(positions.take());
  if (ignored > 0) mesh.warnings.push(`${ignored} lines, points, curves or free-form surfaces were ignored.`);
  return mesh;
}

/** Statements that are part of the format but say nothing about the shape; what is not even that is skipped silently. */
function isOtherStatement(scanner: TextScanner): boolean {
  return ['vn', 'vt', 'vp', 'g', 'o', 's', 'usemtl', 'mtllib'].some((word) => scanner.tokenIs(word));
}

/** Faces as the file has them: they may use vertices that come later, so they are cut only at the end. */
class Faces {
  private readonly corners = new GrowableUint32();
  private readonly starts = new GrowableUint32();
  private incomplete = 0;

  read(scanner: TextScanner, verticesSoFar: number): void {
    const first = this.corners.length;
    while (scanner.nextTokenOfLine()) this.corners.push(cornerIndex(scanner, verticesSoFar));
    if (this.corners.length - first >= 3) this.starts.push(first);
    else {
      this.corners.length = first;
      this.incomplete++;
    }
  }

  triangulate(positions: Float64Array): RawMesh {
    const corners = this.corners.take();
    checkIndices(corners, positions.length / 3);
    const triangles = new GrowableUint32();
    const triangulator = new PolygonTriangulator(positions, triangles);
    for (let face = 0; face < this.starts.length; face++) {
      const first = this.starts.data[face];
      const end = face + 1 < this.starts.length ? this.starts.data[face + 1] : corners.length;
      triangulator.add(corners, first, end - first);
    }
    checkTriangleLimit(triangles.length / 3);
    const warnings = fannedWarning(triangulator);
    if (this.incomplete > 0) warnings.push(`${this.incomplete} faces with fewer than three corners were ignored.`);
    return { positions, triangles: triangles.take(), warnings };
  }
}

/** The vertex of a corner `v`, `v/vt`, `v//vn` or `v/vt/vn`: counted from 1, or backwards from the latest if negative. */
function cornerIndex(scanner: TextScanner, verticesSoFar: number): number {
  const { bytes, tokenEnd } = scanner;
  let i = scanner.tokenStart;
  const negative = bytes[i] === 45;
  if (negative) i++;
  const firstDigit = i;
  let value = 0;
  for (; i < tokenEnd && bytes[i] !== SLASH; i++) {
    const digit = bytes[i] - 48;
    if (digit < 0 || digit > 9) scanner.failHere(`has the face corner "${scanner.tokenText()}", which is no index`);
    value = Math.min(value * 10 + digit, 0xffffffff);
  }
  if (i === firstDigit || value === 0) {
    scanner.failHere(`has the face corner "${scanner.tokenText()}", but vertices are counted from 1`);
  }
  if (!negative) return value - 1;
  if (value > verticesSoFar) {
    scanner.failHere(`has the face corner "${scanner.tokenText()}", but only ${verticesSoFar} vertices come before it`);
  }
  return verticesSoFar - value;
}
