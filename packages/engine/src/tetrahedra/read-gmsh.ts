import { PalpableError } from '../base/errors.js';
import { TextScanner } from '../mesh/text-scanner.js';
import { BinaryNumbers, type NumberSource, TextNumbers } from './number-source.js';
import { type RawTetrahedra, TetrahedraCollector } from './raw-tetrahedra.js';

/** Nodes per element by Gmsh's number of its type; 0 for numbers that are not in use. */
const NODES_OF_TYPE = [
  0, 2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5, 6, 20, 35, 56,
]; // biome-ignore format: a table

const LINEAR_TETRAHEDRON = 4;
/** With 10, 20, 35 and 56 nodes; the first four are the corners. */
const CURVED_TETRAHEDRA = new Set([11, 29, 30, 31]);

/** Any number that fits the bytes: entities may have negative numbers. */
const ANY = -(2 ** 53 - 1);

/** Reads Gmsh's own format, versions 2 and 4.1, text and binary; of the elements only tetrahedra. */
export function readGmsh(bytes: Uint8Array): RawTetrahedra {
  return new GmshFile(bytes).read();
}

class GmshFile {
  private readonly scanner: TextScanner;
  private source: NumberSource;
  private isBinary = false;
  private version = 0;
  private readonly collector: TetrahedraCollector;

  constructor(bytes: Uint8Array) {
    this.scanner = new TextScanner(bytes);
    this.source = new TextNumbers(this.scanner);
    this.collector = new TetrahedraCollector((offset) => this.source.where(offset));
  }

  read(): RawTetrahedra {
    const { scanner } = this;
    while (scanner.nextToken()) {
      const section = scanner.tokenText(40);
      if (!section.startsWith('$')) scanner.failHere(`holds "${section}" where a section such as $Nodes was expected`);
      if (section === '$MeshFormat') this.readFormat();
      else if (this.version === 0) scanner.failHere(`starts ${section} before $MeshFormat`);
      else if (section === '$Nodes') this.readNodes();
      else if (section === '$Elements') this.readElements();
      else this.skipSection(section);
    }
    return this.collector.finish();
  }

  private readFormat(): void {
    const { scanner } = this;
    this.version = scanner.nextNumber();
    if (!(this.version >= 2 && this.version < 3) && this.version !== 4.1) {
      throw new PalpableError(
        'format-unsupported',
        `The file is in version ${this.version} of Gmsh's format; versions 2.2 and 4.1 are supported: export it as one of them.`,
      );
    }
    this.isBinary = scanner.nextInteger() === 1;
    const size = scanner.nextInteger();
    if (this.isBinary && size !== 8) {
      throw new PalpableError('format-unsupported', `The file has numbers of ${size} bytes; only 8 are supported.`);
    }
    if (this.isBinary) this.readByteOrder();
    this.endSection('$MeshFormat');
  }

  private readByteOrder(): void {
    this.scanner.skipLine();
    const { scanner } = this;
    const start = scanner.offset;
    const isLittle = scanner.remaining >= 4 && scanner.bytes[start] === 1;
    this.source = new BinaryNumbers(scanner, isLittle);
    if (this.source.integer(4, ANY) !== 1) {
      scanner.fail('The byte order of the binary Gmsh file cannot be told; export it again.');
    }
  }

  private readNodes(): void {
    const { source } = this;
    if (this.version < 3) {
      const count = this.countOf2();
      source.require(count, 28, `A list of ${count} nodes`);
      for (let i = 0; i < count; i++) this.addNode(source.integer(4));
    } else {
      const blocks = this.headOf4();
      for (let block = 0; block < blocks; block++) this.readNodeBlock();
    }
    this.endSection('$Nodes');
  }

  private readNodeBlock(): void {
    const { source } = this;
    const dimension = source.integer(4);
    source.integer(4, ANY);
    const parameters = source.integer(4) === 0 ? 0 : Math.min(dimension, 3);
    const count = source.integer(8);
    source.require(count, 8 + 8 * (3 + parameters), `A block of ${count} nodes`);
    const labels = new Float64Array(count);
    for (let i = 0; i < count; i++) labels[i] = source.integer(8);
    for (let i = 0; i < count; i++) {
      this.addNode(labels[i]);
      source.skip(parameters, 8);
    }
  }

  private addNode(label: number): void {
    const { source } = this;
    const x = source.real(8);
    const offset = source.lastOffset();
    const y = source.real(8);
    this.collector.addNode(label, x, y, source.real(8), offset);
  }

  private readElements(): void {
    if (this.version > 3) {
      const blocks = this.headOf4();
      for (let block = 0; block < blocks; block++) this.readElementBlock();
    } else if (this.isBinary) this.readBinaryElements();
    else this.readTextElements();
    this.endSection('$Elements');
  }

  private readTextElements(): void {
    const { scanner } = this;
    const count = this.countOf2();
    for (let i = 0; i < count; i++) {
      scanner.nextInteger();
      const type = scanner.nextInteger();
      if (isTetrahedron(type)) {
        this.source.skip(scanner.nextInteger(), 4);
        this.addTetrahedron(type, 4);
      } else this.collector.skipped++;
      scanner.skipLine();
    }
  }

  private readBinaryElements(): void {
    const { source } = this;
    const count = this.countOf2();
    let read = 0;
    while (read < count) {
      const type = source.integer(4);
      const follow = source.integer(4, 1);
      const tags = source.integer(4);
      const nodes = this.nodesOf(type);
      source.require(follow, 4 * (1 + tags + nodes), `A block of ${follow} elements`);
      for (let i = 0; i < follow; i++) {
        source.skip(1 + tags, 4);
        if (isTetrahedron(type)) {
          this.addTetrahedron(type, 4);
          source.skip(nodes - 4, 4);
        } else {
          this.collector.skipped++;
          source.skip(nodes, 4);
        }
      }
      read += follow;
    }
  }

  private readElementBlock(): void {
    const { source, scanner } = this;
    source.integer(4);
    source.integer(4, ANY);
    const type = source.integer(4);
    const count = source.integer(8);
    // Text has one element per line, so that there nothing need be known of other types.
    const nodes = isTetrahedron(type) || this.isBinary ? this.nodesOf(type) : 0;
    source.require(count, 8 * (1 + nodes), `A block of ${count} elements`);
    for (let i = 0; i < count; i++) {
      source.integer(8);
      if (isTetrahedron(type)) {
        this.addTetrahedron(type, 8);
        source.skip(nodes - 4, 8);
      } else {
        this.collector.skipped++;
        if (this.isBinary) source.skip(nodes, 8);
        else scanner.skipLine();
      }
    }
  }

  private addTetrahedron(type: number, bytes: 4 | 8): void {
    const { source } = this;
    const a = source.integer(bytes);
    const offset = source.lastOffset();
    const b = source.integer(bytes);
    const c = source.integer(bytes);
    this.collector.addTetrahedron(a, b, c, source.integer(bytes), offset);
    if (type !== LINEAR_TETRAHEDRON) this.collector.curved++;
  }

  private nodesOf(type: number): number {
    const nodes = NODES_OF_TYPE[type] ?? 0;
    if (nodes > 0) return nodes;
    throw new PalpableError(
      'format-unsupported',
      `The file holds elements of Gmsh's type ${type}, whose size is not known; export tetrahedra only, or as text.`,
    );
  }

  /** The number of entries of a section of version 2, which stands as text in a line of its own, also in binary files. */
  private countOf2(): number {
    const count = this.scanner.nextInteger();
    this.scanner.skipLine();
    this.source.require(count, 1, `A section of ${count} entries`);
    return count;
  }

  /** The number of blocks of a section of version 4; the totals that follow are not needed. */
  private headOf4(): number {
    this.scanner.skipLine();
    const blocks = this.source.integer(8);
    this.source.skip(3, 8);
    return blocks;
  }

  private endSection(section: string): void {
    const { scanner } = this;
    const end = `$End${section.slice(1)}`;
    if (!scanner.nextToken()) scanner.fail(`The file ends before ${end}; it is cut short: export it again.`);
    if (scanner.tokenText(40) !== end) scanner.failHere(`holds "${scanner.tokenText()}" where ${end} was expected`);
  }

  private skipSection(section: string): void {
    const { scanner } = this;
    const end = `$End${section.slice(1)}`;
    for (let at = scanner.offset; at + end.length <= scanner.bytes.length; at++) {
      let length = 0;
      while (length < end.length && scanner.bytes[at + length] === end.charCodeAt(length)) length++;
      if (length < end.length) continue;
      scanner.offset = at + length;
      return;
    }
    scanner.fail(`The section ${section} has no end; the file is cut short: export it again.`);
  }
}

function isTetrahedron(type: number): boolean {
  return type === LINEAR_TETRAHEDRON || CURVED_TETRAHEDRA.has(type);
}
