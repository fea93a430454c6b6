import { PalpableError } from '../base/errors.js';
import { TextScanner } from '../mesh/text-scanner.js';
import { BinaryNumbers, type NumberSource, TextNumbers } from './number-source.js';
import { type RawTetrahedra, TetrahedraCollector } from './raw-tetrahedra.js';

const TETRAHEDRON = 10;
const QUADRATIC_TETRAHEDRON = 24;

/** Bytes of VTK's types; 0 for bits, which come packed. */
const BYTES_OF_TYPE: Readonly<Record<string, number>> = {
  bit: 0, unsigned_char: 1, char: 1, unsigned_short: 2, short: 2, unsigned_int: 4, int: 4, float: 4,
  unsigned_long: 8, long: 8, double: 8, vtktypeint64: 8, vtkidtype: 8,
}; // biome-ignore format: a table

export function isVtk(bytes: Uint8Array): boolean {
  const scanner = new TextScanner(bytes.subarray(0, 256));
  return scanner.nextToken() && scanner.tokenIs('#') && scanner.nextTokenOfLine() && scanner.tokenIs('vtk');
}

/** Reads VTK's legacy format, text and binary: an unstructured grid, of which only tetrahedra are taken. */
export function readVtk(bytes: Uint8Array): RawTetrahedra {
  return new VtkFile(bytes).read();
}

class VtkFile {
  private readonly scanner: TextScanner;
  private source: NumberSource;
  private readonly collector: TetrahedraCollector;
  /** Nodes of all cells in a row, where each cell starts, and their types. */
  private connectivity = new Float64Array(0);
  private starts = new Float64Array(0);
  private types = new Uint8Array(0);
  private hasPoints = false;

  constructor(bytes: Uint8Array) {
    this.scanner = new TextScanner(bytes);
    this.source = new TextNumbers(this.scanner);
    this.collector = new TetrahedraCollector((cell) => `Cell ${cell + 1}`);
  }

  read(): RawTetrahedra {
    this.readHeader();
    const { scanner } = this;
    while (scanner.nextToken()) {
      if (scanner.tokenIs('points')) this.readPoints();
      else if (scanner.tokenIs('cells')) this.readCells();
      else if (scanner.tokenIs('cell_types')) this.readTypes();
      else if (scanner.tokenIs('field')) this.skipFields();
      else if (scanner.tokenIs('metadata')) this.skipMetadata();
      else if (scanner.tokenIs('point_data') || scanner.tokenIs('cell_data')) break;
      else scanner.failHere(`holds "${scanner.tokenText()}" where POINTS, CELLS or CELL_TYPES was expected`);
    }
    this.collectCells();
    return this.collector.finish();
  }

  private readHeader(): void {
    const { scanner } = this;
    scanner.skipLine();
    scanner.skipLine();
    const isBinary = this.word('ASCII or BINARY') && scanner.tokenIs('binary');
    if (!isBinary && !scanner.tokenIs('ascii')) scanner.failHere('does not say ASCII or BINARY');
    this.word('DATASET');
    if (!scanner.tokenIs('dataset')) scanner.failHere(`holds "${scanner.tokenText()}" where DATASET was expected`);
    this.word('UNSTRUCTURED_GRID');
    if (!scanner.tokenIs('unstructured_grid')) {
      throw new PalpableError(
        'format-unsupported',
        `The VTK file holds a ${scanner.tokenText(40)}; only UNSTRUCTURED_GRID is supported: save it as one.`,
      );
    }
    if (isBinary) this.source = new BinaryNumbers(scanner, false);
  }

  private readPoints(): void {
    const { scanner, source } = this;
    if (this.hasPoints) scanner.failHere('gives POINTS a second time');
    this.hasPoints = true;
    const count = scanner.nextInteger();
    const bytes = this.wideType('gives points');
    scanner.skipLine();
    source.require(3 * count, bytes, `A list of ${count} points`);
    for (let point = 0; point < count; point++) {
      const x = source.real(bytes);
      const y = source.real(bytes);
      this.collector.addNode(point, x, y, source.real(bytes), 0);
    }
  }

  private readCells(): void {
    const { scanner, source } = this;
    const cells = scanner.nextInteger();
    const size = scanner.nextInteger();
    scanner.skipLine();
    source.require(size, 4, `A list of ${cells} cells`);
    const start = scanner.offset;
    if (scanner.nextToken() && scanner.tokenIs('offsets')) {
      // From version 5 on: first where each cell starts, one more than there are cells, then all nodes.
      this.starts = this.readIntegers(cells);
      this.word('CONNECTIVITY');
      if (!scanner.tokenIs('connectivity'))
        scanner.failHere(`holds "${scanner.tokenText()}" where CONNECTIVITY was expected`);
      this.connectivity = this.readIntegers(size);
    } else {
      scanner.offset = start;
      this.readSizedCells(cells, size);
    }
  }

  private readIntegers(count: number): Float64Array<ArrayBuffer> {
    const { scanner, source } = this;
    const bytes = this.wideType('gives indices');
    scanner.skipLine();
    source.require(count, bytes, `A list of ${count} indices`);
    const values = new Float64Array(count);
    for (let i = 0; i < count; i++) values[i] = source.integer(bytes);
    return values;
  }

  /** Up to version 4: every cell is its number of nodes followed by these. */
  private readSizedCells(cells: number, size: number): void {
    const { source } = this;
    if (cells > size)
      this.scanner.fail(`The file gives ${cells} cells in ${size} numbers; it is damaged: export it again.`);
    this.starts = new Float64Array(cells + 1);
    this.connectivity = new Float64Array(size);
    let end = 0;
    for (let cell = 0; cell < cells; cell++) {
      const corners = source.integer(4);
      source.require(corners, 4, `A cell of ${corners} nodes`);
      if (end + corners > size) {
        this.scanner.fail(
          `Cell ${cell + 1} goes beyond the ${size} numbers of the list of cells; the file is damaged: export it again.`,
        );
      }
      for (let i = 0; i < corners; i++) this.connectivity[end++] = source.integer(4);
      this.starts[cell + 1] = end;
    }
  }

  private readTypes(): void {
    const { scanner, source } = this;
    const count = scanner.nextInteger();
    scanner.skipLine();
    source.require(count, 4, `A list of ${count} cell types`);
    this.types = new Uint8Array(count);
    for (let i = 0; i < count; i++) this.types[i] = Math.min(source.integer(4), 255);
  }

  private collectCells(): void {
    const cells = Math.max(0, this.starts.length - 1);
    if (this.types.length !== cells) {
      this.scanner.fail(
        `The file gives ${cells} cells but ${this.types.length} cell types; it is damaged: export it again.`,
      );
    }
    for (let cell = 0; cell < cells; cell++) {
      const type = this.types[cell];
      if (type !== TETRAHEDRON && type !== QUADRATIC_TETRAHEDRON) {
        this.collector.skipped++;
        continue;
      }
      const start = this.starts[cell];
      if (!(this.starts[cell + 1] - start >= 4) || start + 4 > this.connectivity.length) {
        this.scanner.fail(
          `Cell ${cell + 1} is a tetrahedron but has not four nodes; the file is damaged: export it again.`,
        );
      }
      const [a, b, c, d] = this.connectivity.subarray(start, start + 4);
      this.collector.addTetrahedron(a, b, c, d, cell);
      if (type === QUADRATIC_TETRAHEDRON) this.collector.curved++;
    }
  }

  /** `FIELD name arrays`, then for each `name components tuples type` and the values. */
  private skipFields(): void {
    const { scanner, source } = this;
    this.word('a name');
    const arrays = scanner.nextInteger();
    for (let i = 0; i < arrays; i++) {
      this.word('the name of an array');
      const count = scanner.nextInteger() * scanner.nextInteger();
      const bytes = this.typeBytes();
      scanner.skipLine();
      source.require(count, bytes, `A field of ${count} values`);
      if (source instanceof BinaryNumbers) source.skip(bytes === 0 ? Math.ceil(count / 8) : count, Math.max(bytes, 1));
      else for (let value = 0; value < count; value++) scanner.nextToken();
    }
  }

  /** Up to an empty line. */
  private skipMetadata(): void {
    const { scanner } = this;
    scanner.skipLine();
    while (scanner.nextTokenOfLine()) scanner.skipLine();
  }

  private typeBytes(): number {
    this.word('a type');
    const type = this.scanner.tokenText(40).toLowerCase();
    if (!Object.hasOwn(BYTES_OF_TYPE, type)) this.scanner.failHere(`names the type "${type}", which VTK does not have`);
    return BYTES_OF_TYPE[type];
  }

  private wideType(what: string): 4 | 8 {
    const bytes = this.typeBytes();
    if (bytes === 4 || bytes === 8) return bytes;
    return this.scanner.failHere(`${what} as ${this.scanner.tokenText()} where numbers of 4 or 8 bytes were expected`);
  }

  private word(expected: string): boolean {
    if (this.scanner.nextToken()) return true;
    return this.scanner.fail(`The file ends where ${expected} was expected; it is cut short: export it again.`);
  }
}
