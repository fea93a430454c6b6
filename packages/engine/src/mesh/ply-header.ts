import { PalpableError } from '../base/errors.js';
import { TextScanner } from './text-scanner.js';

export type PlyScalar = 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'float32' | 'float64';
export type PlyEncoding = 'ascii' | 'binary_little_endian' | 'binary_big_endian';

export interface PlyProperty {
  readonly name: string;
  readonly type: PlyScalar;
  /** Type of the length for lists; undefined for single values. */
  readonly lengthType: PlyScalar | undefined;
}

export interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: PlyProperty[];
}

export interface PlyHeader {
  readonly encoding: PlyEncoding;
  readonly elements: PlyElement[];
  /** Where the data starts. */
  readonly dataOffset: number;
}

export const PLY_BYTES: Readonly<Record<PlyScalar, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  float64: 8,
};

/** The two ways of naming types that are in use. */
const SCALARS: Readonly<Record<string, PlyScalar>> = {
  char: 'int8',
  uchar: 'uint8',
  short: 'int16',
  ushort: 'uint16',
  int: 'int32',
  uint: 'uint32',
  float: 'float32',
  double: 'float64',
  ...Object.fromEntries(Object.keys(PLY_BYTES).map((name) => [name, name as PlyScalar])),
};

/** Most elements and properties of one header; a real file has a handful. */
const MOST_DECLARATIONS = 1000;

export function isPly(bytes: Uint8Array): boolean {
  return bytes[0] === 112 && bytes[1] === 108 && bytes[2] === 121 && (bytes[3] === 10 || bytes[3] === 13);
}

export function readPlyHeader(bytes: Uint8Array): PlyHeader {
  const scanner: TextScanner = new TextScanner(bytes);
  if (!scanner.nextToken() || !scanner.tokenIs('ply'))
    scanner.fail('The file does not begin with "ply"; it is no PLY.');
  let encoding: PlyEncoding | undefined;
  const elements: PlyElement[] = [];
  for (let lines = 0; lines <= MOST_DECLARATIONS * 2; lines++) {
    scanner.skipLine();
    if (!scanner.nextTokenOfLine()) {
      if (scanner.atEnd) break;
      continue;
    }
    if (scanner.tokenIs('format')) encoding = readEncoding(scanner);
    else if (scanner.tokenIs('element')) elements.push(readElement(scanner));
    else if (scanner.tokenIs('property')) readProperty(scanner, elements.at(-1));
    else if (scanner.tokenIs('end_header')) {
      scanner.skipLine();
      if (encoding === undefined) break;
      return { encoding, elements, dataOffset: scanner.offset };
    } else if (!scanner.tokenIs('comment') && !scanner.tokenIs('obj_info')) {
      scanner.failHere(`of the PLY header holds "${scanner.tokenText()}"`);
    }
  }
  scanner.fail('The PLY header has no "format" or no "end_header"; the file is damaged: export it again.');
}

function readEncoding(scanner: TextScanner): PlyEncoding {
  const word = nextWord(scanner);
  if (word === 'ascii' || word === 'binary_little_endian' || word === 'binary_big_endian') return word;
  throw new PalpableError(
    'format-unsupported',
    `The PLY format "${word}" is not known; export ascii, binary_little_endian or binary_big_endian.`,
  );
}

function readElement(scanner: TextScanner): PlyElement {
  const name = nextWord(scanner);
  const count = scanner.nextNumberOfLine();
  if (!Number.isSafeInteger(count) || count < 0)
    scanner.failHere(`of the PLY header has the count ${scanner.tokenText()}`);
  return { name, count, properties: [] };
}

function readProperty(scanner: TextScanner, element: PlyElement | undefined): void {
  if (element === undefined) scanner.failHere('of the PLY header has a property before any element');
  if (element.properties.length >= MOST_DECLARATIONS) scanner.failHere('of the PLY header has one property too many');
  const first = nextWord(scanner);
  const lengthType = first === 'list' ? scalar(scanner, nextWord(scanner)) : undefined;
  const type = scalar(scanner, first === 'list' ? nextWord(scanner) : first);
  element.properties.push({ name: nextWord(scanner), type, lengthType });
}

function scalar(scanner: TextScanner, word: string): PlyScalar {
  if (!Object.hasOwn(SCALARS, word)) scanner.failHere(`of the PLY header has the unknown type "${word}"`);
  return SCALARS[word];
}

function nextWord(scanner: TextScanner): string {
  if (!scanner.nextTokenOfLine()) scanner.failHere('of the PLY header is incomplete');
  return scanner.tokenText(64);
}
