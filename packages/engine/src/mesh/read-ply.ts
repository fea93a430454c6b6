import { PalpableError } from '../base/errors.js';
import { GrowableUint32 } from './growable.js';
import { PLY_BYTES, type PlyElement, type PlyHeader, type PlyScalar, readPlyHeader } from './ply-header.js';
import { fannedWarning, PolygonTriangulator } from './polygon.js';
import { checkTriangleLimit, type RawMesh, truncated } from './raw-mesh.js';
import { TextScanner } from './text-scanner.js';

/** Where values come from, so that text and both byte orders share everything else. */
interface PlySource {
  /** Fails unless `count` values of at least this type's size can still be there. */
  require(count: number, type: PlyScalar, what: string): void;
  next(type: PlyScalar): number;
  skip(count: number, type: PlyScalar): void;
}

/** Lists of vertex indices as the file has them: polygons, or strips with −1 between them. */
interface IndexLists {
  readonly corners: GrowableUint32;
  readonly starts: GrowableUint32;
}

/** The mark between the strips of one list, as it looks after conversion to an unsigned number. */
const STRIP_END = 0xffffffff;

/** Reads PLY in all three encodings, with properties of any type in any order; unknown elements are skipped. */
export function readPly(bytes: Uint8Array): RawMesh {
  const header = readPlyHeader(bytes);
  const source = createSource(bytes, header);
  let positions: Float64Array | undefined;
  const polygons = emptyLists();
  const strips = emptyLists();
  for (const element of header.elements) {
    if (element.name === 'vertex') positions = readVertices(source, element);
    else if (element.name === 'face') readLists(source, element, polygons);
    else if (element.name === 'tristrips') readLists(source, element, strips);
    else skipElement(source, element);
  }
  if (positions === undefined)
    throw new PalpableError('format-invalid', 'The PLY has no element "vertex"; export it again.');
  return assemble(positions, polygons, strips);
}

function emptyLists(): IndexLists {
  return { corners: new GrowableUint32(), starts: new GrowableUint32() };
}

function createSource(bytes: Uint8Array, header: PlyHeader): PlySource {
  if (header.encoding === 'ascii') return new TextSource(bytes, header.dataOffset);
  return new BinarySource(bytes, header.dataOffset, header.encoding === 'binary_little_endian');
}

class TextSource implements PlySource {
  private readonly scanner: TextScanner;

  constructor(bytes: Uint8Array, offset: number) {
    this.scanner = new TextScanner(bytes, { offset });
  }

  require(count: number, _type: PlyScalar, what: string): void {
    // A digit and a separator each; the last value needs no separator.
    const needed = count * 2 - 1;
    if (needed > this.scanner.remaining) throw truncated(what, needed, this.scanner.remaining);
  }

  next(): number {
    return this.scanner.nextNumber();
  }

  skip(count: number): void {
    for (let i = 0; i < count; i++) this.scanner.nextToken();
  }
}

class BinarySource implements PlySource {
  private readonly view: DataView;
  private readonly littleEndian: boolean;
  private offset: number;

  constructor(bytes: Uint8Array, offset: number, littleEndian: boolean) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.offset = offset;
    this.littleEndian = littleEndian;
  }

  require(count: number, type: PlyScalar, what: string): void {
    const needed = count * PLY_BYTES[type];
    const present = this.view.byteLength - this.offset;
    if (needed > present) throw truncated(what, needed, present);
  }

  next(type: PlyScalar): number {
    const at = this.offset;
    if (at + PLY_BYTES[type] > this.view.byteLength)
      throw truncated('The next value', PLY_BYTES[type], this.view.byteLength - at);
    this.offset = at + PLY_BYTES[type];
    switch (type) {
      case 'int8':
        return this.view.getInt8(at);
      case 'uint8':
        return this.view.getUint8(at);
      case 'int16':
        return this.view.getInt16(at, this.littleEndian);
      case 'uint16':
        return this.view.getUint16(at, this.littleEndian);
      case 'int32':
        return this.view.getInt32(at, this.littleEndian);
      case 'uint32':
        return this.view.getUint32(at, this.littleEndian);
      case 'float32':
        return this.view.getFloat32(at, this.littleEndian);
      case 'float64':
        return this.view.getFloat64(at, this.littleEndian);
    }
  }

  skip(count: number, type: PlyScalar): void {
    this.offset += count * PLY_BYTES[type];
  }
}

/** Every element takes at least its single values and the lengths of its lists. */
function requireElements(source: PlySource, element: PlyElement): void {
  const { name, count, properties } = element;
  const what = `${count} elements "${name}"`;
  for (const property of properties) source.require(count, property.lengthType ?? property.type, what);
}

function readVertices(source: PlySource, element: PlyElement): Float64Array {
  const axes = element.properties.map((property) =>
    property.lengthType ? -1 : ['x', 'y', 'z'].indexOf(property.name),
  );
  for (const axis of [0, 1, 2]) {
    if (!axes.includes(axis)) {
      throw new PalpableError(
        'format-invalid',
        `The PLY's vertices have no property "${'xyz'[axis]}"; export it again.`,
      );
    }
  }
  requireElements(source, element);
  const positions = new Float64Array(element.count * 3);
  for (let vertex = 0; vertex < element.count; vertex++) {
    element.properties.forEach((property, i) => {
      if (axes[i] >= 0) positions[vertex * 3 + axes[i]] = source.next(property.type);
      else skipProperty(source, property.type, property.lengthType);
    });
  }
  return positions;
}

function readLists(source: PlySource, element: PlyElement, lists: IndexLists): void {
  const wanted = element.properties.find(
    (property) => property.lengthType && (property.name === 'vertex_indices' || property.name === 'vertex_index'),
  );
  if (wanted === undefined) {
    throw new PalpableError(
      'format-invalid',
      `The PLY's element "${element.name}" has no list "vertex_indices"; export it again.`,
    );
  }
  requireElements(source, element);
  for (let i = 0; i < element.count; i++) {
    lists.starts.push(lists.corners.length);
    for (const property of element.properties) {
      if (property !== wanted) skipProperty(source, property.type, property.lengthType);
      else {
        const length = listLength(source, property.lengthType!, property.type);
        for (let corner = 0; corner < length; corner++) lists.corners.push(asIndex(source.next(property.type)));
      }
    }
  }
}

function skipElement(source: PlySource, element: PlyElement): void {
  if (element.properties.length === 0) return;
  requireElements(source, element);
  for (let i = 0; i < element.count; i++) {
    for (const property of element.properties) skipProperty(source, property.type, property.lengthType);
  }
}

function skipProperty(source: PlySource, type: PlyScalar, lengthType: PlyScalar | undefined): void {
  source.skip(lengthType ? listLength(source, lengthType, type) : 1, type);
}

function listLength(source: PlySource, lengthType: PlyScalar, type: PlyScalar): number {
  const length = source.next(lengthType);
  if (!Number.isSafeInteger(length) || length < 0) {
    throw new PalpableError('format-invalid', `A list has the length ${length}; the file is damaged: export it again.`);
  }
  source.require(length, type, `A list of ${length} values`);
  return length;
}

/** Anything that is no index becomes one that is out of range, so that the check at the end names it. */
function asIndex(value: number): number {
  return value >= 0 && value < STRIP_END && Number.isInteger(value) ? value : STRIP_END;
}

function assemble(positions: Float64Array, polygons: IndexLists, strips: IndexLists): RawMesh {
  const triangles = new GrowableUint32();
  const triangulator = new PolygonTriangulator(positions, triangles);
  let incomplete = 0;
  forEachList(polygons, (corners, first, count) => {
    checkCorners(corners, first, count, positions.length / 3);
    if (count < 3) incomplete++;
    else triangulator.add(corners, first, count);
  });
  forEachList(strips, (corners, first, count) => addStrips(corners, first, count, positions.length / 3, triangles));
  checkTriangleLimit(triangles.length / 3);
  const warnings = fannedWarning(triangulator);
  if (incomplete > 0) warnings.push(`${incomplete} faces with fewer than three corners were ignored.`);
  return { positions, triangles: triangles.take(), warnings };
}

function forEachList(lists: IndexLists, visit: (corners: Uint32Array, first: number, count: number) => void): void {
  for (let i = 0; i < lists.starts.length; i++) {
    const first = lists.starts.data[i];
    const end = i + 1 < lists.starts.length ? lists.starts.data[i + 1] : lists.corners.length;
    visit(lists.corners.data, first, end - first);
  }
}

function checkCorners(corners: Uint32Array, first: number, count: number, vertices: number): void {
  for (let i = first; i < first + count; i++) {
    if (corners[i] >= vertices) {
      throw new PalpableError(
        'mesh-invalid',
        `A face uses a vertex index outside the ${vertices} vertices; the file is damaged: export it again.`,
      );
    }
  }
}

function addStrips(corners: Uint32Array, first: number, count: number, vertices: number, out: GrowableUint32): void {
  let start = first;
  for (let i = first; i < first + count; i++) {
    if (corners[i] === STRIP_END) {
      start = i + 1;
      continue;
    }
    checkCorners(corners, i, 1, vertices);
    if (i - start < 2) continue;
    const flipped = (i - start) % 2 === 1;
    out.push3(corners[flipped ? i - 1 : i - 2], corners[flipped ? i - 2 : i - 1], corners[i]);
  }
}
