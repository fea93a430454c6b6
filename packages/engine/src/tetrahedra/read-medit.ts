import { PalpableError } from '../base/errors.js';
import { parseNumber, TextScanner } from '../mesh/text-scanner.js';
import { type RawTetrahedra, requireRows, TetrahedraCollector } from './raw-tetrahedra.js';

/** Sections of other elements, which are counted as left out; all other sections are passed over in silence. */
const OTHER_ELEMENTS = ['edges', 'triangles', 'quadrilaterals', 'hexahedra', 'prisms', 'pyramids'];

export function isMedit(bytes: Uint8Array): boolean {
  const scanner = new TextScanner(bytes.subarray(0, 65536), { hashComments: true });
  return scanner.nextToken() && scanner.tokenIs('meshversionformatted');
}

/** Reads Medit's text format (`.mesh`): vertices, and of the elements the tetrahedra. Nodes are numbered from 1. */
export function readMedit(bytes: Uint8Array): RawTetrahedra {
  const scanner = new TextScanner(bytes, { hashComments: true });
  const collector = new TetrahedraCollector((offset) => `Line ${scanner.lineOf(offset)}`);
  let isHeaded = false;
  while (scanner.nextToken()) {
    if (scanner.tokenIs('meshversionformatted')) {
      scanner.nextInteger();
      isHeaded = true;
    } else if (!isHeaded) refuseHeader(scanner);
    else if (scanner.tokenIs('dimension')) readDimension(scanner);
    else if (scanner.tokenIs('vertices')) readVertices(scanner, collector);
    else if (scanner.tokenIs('tetrahedra')) readTetrahedraSection(scanner, collector);
    else if (scanner.tokenIs('end')) break;
    else skipSection(scanner, collector);
  }
  return collector.finish();
}

function refuseHeader(scanner: TextScanner): never {
  throw new PalpableError(
    'format-unknown',
    `Line ${scanner.lineOf(scanner.tokenStart)} holds "${scanner.tokenText()}" where MeshVersionFormatted was expected; give a .mesh file of Medit's text format.`,
  );
}

function readDimension(scanner: TextScanner): void {
  const dimension = scanner.nextInteger();
  if (dimension === 3) return;
  throw new PalpableError('format-unsupported', `The mesh has ${dimension} dimensions where 3 were expected.`);
}

function readVertices(scanner: TextScanner, collector: TetrahedraCollector): void {
  const count = countOf(scanner, 8, 'vertices');
  for (let vertex = 1; vertex <= count; vertex++) {
    const x = scanner.nextNumber();
    const offset = scanner.tokenStart;
    const y = scanner.nextNumber();
    collector.addNode(vertex, x, y, scanner.nextNumber(), offset);
    scanner.nextNumber();
  }
}

function readTetrahedraSection(scanner: TextScanner, collector: TetrahedraCollector): void {
  const count = countOf(scanner, 10, 'tetrahedra');
  for (let i = 0; i < count; i++) {
    const a = scanner.nextInteger();
    const offset = scanner.tokenStart;
    const b = scanner.nextInteger();
    const c = scanner.nextInteger();
    collector.addTetrahedron(a, b, c, scanner.nextInteger(), offset);
    scanner.nextNumber();
  }
}

function countOf(scanner: TextScanner, bytesEach: number, what: string): number {
  const count = scanner.nextInteger();
  requireRows(scanner, count, bytesEach, what);
  return count;
}

/** Goes to the next word that is no number. */
function skipSection(scanner: TextScanner, collector: TetrahedraCollector): void {
  const isElements = OTHER_ELEMENTS.some((word) => scanner.tokenIs(word));
  let isFirst = true;
  while (scanner.nextToken()) {
    const value = parseNumber(scanner.bytes, scanner.tokenStart, scanner.tokenEnd);
    if (Number.isNaN(value)) {
      scanner.offset = scanner.tokenStart;
      return;
    }
    if (isFirst && isElements) collector.skipped += value;
    isFirst = false;
  }
}
