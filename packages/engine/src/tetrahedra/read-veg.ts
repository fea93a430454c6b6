import { PalpableError } from '../base/errors.js';
import { TextScanner } from '../mesh/text-scanner.js';
import {
  type MaterialHint,
  type RawTetrahedra,
  readLabelledElement,
  requireRows,
  TetrahedraCollector,
} from './raw-tetrahedra.js';

const COMMA = 44;
const SPACE = 32;
const STAR = 42;

/** Whether the bytes before the first line that says something are comments, and that line is a keyword of Vega's. */
export function isVeg(bytes: Uint8Array): boolean {
  const scanner = new TextScanner(bytes.subarray(0, 65536), { hashComments: true });
  return scanner.nextToken() && ['*vertices', '*include', '*elements'].some((word) => scanner.tokenIs(word));
}

/**
 * Reads the text format of Vega FEM: `*VERTICES`, `*ELEMENTS` of tetrahedra, and the first `ENU` material as a hint.
 * Regions, sets and other materials are passed over.
 */
export function readVeg(source: Uint8Array): RawTetrahedra {
  // Values may be separated by commas as well.
  const bytes = source.map((byte) => (byte === COMMA ? SPACE : byte));
  const scanner = new TextScanner(bytes, { hashComments: true });
  const collector = new TetrahedraCollector((offset) => `Line ${scanner.lineOf(offset)}`);
  let material: MaterialHint | undefined;
  while (scanner.nextToken()) {
    if (scanner.tokenIs('*vertices')) readVertices(scanner, collector);
    else if (scanner.tokenIs('*elements')) readElements(scanner, collector);
    else if (scanner.tokenIs('*include')) refuseInclude(scanner);
    else if (scanner.tokenIs('*material')) material ??= readMaterial(scanner);
    else scanner.skipLine();
  }
  return { ...collector.finish(), ...(material && { material }) };
}

function readVertices(scanner: TextScanner, collector: TetrahedraCollector): void {
  const count = scanner.nextInteger();
  const dimension = scanner.nextInteger();
  if (dimension !== 3) scanner.failHere(`gives vertices of ${dimension} coordinates where 3 were expected`);
  scanner.skipLine();
  requireRows(scanner, count, 8, 'vertices');
  for (let i = 0; i < count; i++) {
    const label = scanner.nextInteger();
    const offset = scanner.offset;
    const x = scanner.nextNumber();
    const y = scanner.nextNumber();
    collector.addNode(label, x, y, scanner.nextNumber(), offset);
    scanner.skipLine();
  }
}

function readElements(scanner: TextScanner, collector: TetrahedraCollector): void {
  if (!scanner.nextToken()) scanner.fail('The file ends after *ELEMENTS; it is cut short: export it again.');
  if (!scanner.tokenIs('tet') && !scanner.tokenIs('tets')) {
    throw new PalpableError(
      'format-unsupported',
      `Line ${scanner.lineOf(scanner.tokenStart)} gives elements of the kind "${scanner.tokenText()}"; only TET is supported: split them into tetrahedra.`,
    );
  }
  const count = scanner.nextInteger();
  const corners = scanner.nextInteger();
  if (corners !== 4) scanner.failHere(`gives elements of ${corners} nodes where 4 were expected`);
  scanner.skipLine();
  requireRows(scanner, count, 10, 'elements');
  for (let i = 0; i < count; i++) {
    readLabelledElement(scanner, collector);
    scanner.skipLine();
  }
}

function refuseInclude(scanner: TextScanner): never {
  const line = scanner.lineOf(scanner.tokenStart);
  const name = scanner.nextTokenOfLine() ? ` ("${scanner.tokenText(60)}")` : '';
  throw new PalpableError(
    'format-unsupported',
    `Line ${line} includes another file${name}, which is not supported; put all sections into one .veg file.`,
  );
}

/** `ENU, density, E, ν`; undefined for other kinds. */
function readMaterial(scanner: TextScanner): MaterialHint | undefined {
  scanner.skipLine();
  if (!scanner.nextToken() || !scanner.tokenIs('enu')) {
    // The token may be the keyword of the next section.
    if (scanner.bytes[scanner.tokenStart] === STAR) scanner.offset = scanner.tokenStart;
    return undefined;
  }
  const density = scanner.nextNumber();
  const young = scanner.nextNumber();
  return { density, young, poisson: scanner.nextNumber() };
}
