import { PalpableError } from '../base/errors.js';
import { truncated } from '../mesh/raw-mesh.js';
import type { TextScanner } from '../mesh/text-scanner.js';

/** Where numbers come from, so that text and both byte orders share everything else. */
export interface NumberSource {
  /** Fails unless `count` numbers of `bytes` bytes each can still be there: asked before memory is taken for them. */
  require(count: number, bytes: number, what: string): void;
  /** A whole number, not below `least` (0 unless given). */
  integer(bytes: 1 | 4 | 8, least?: number): number;
  /** A finite number. */
  real(bytes: 4 | 8): number;
  /** Where the last number stands, in bytes. */
  lastOffset(): number;
  /** What to call an offset at the start of a sentence. */
  where(offset: number): string;
  /** Goes behind numbers that are not needed. */
  skip(count: number, bytes: number): void;
}

export class TextNumbers implements NumberSource {
  readonly scanner: TextScanner;

  constructor(scanner: TextScanner) {
    this.scanner = scanner;
  }

  require(count: number, _bytes: number, what: string): void {
    // A number takes a digit and a separator.
    const needed = 2 * count - 1;
    if (needed > this.scanner.remaining) throw truncated(what, needed, this.scanner.remaining);
  }

  integer(_bytes: 1 | 4 | 8, least = 0): number {
    return this.scanner.nextInteger(least);
  }

  real(): number {
    return this.scanner.nextNumber();
  }

  lastOffset(): number {
    return this.scanner.tokenStart;
  }

  where(offset: number): string {
    return `Line ${this.scanner.lineOf(offset)}`;
  }

  skip(count: number): void {
    for (let i = 0; i < count; i++) this.scanner.nextNumber();
  }
}

/** Binary numbers from where a scanner stands; the scanner moves with them, and can read the text between. */
export class BinaryNumbers implements NumberSource {
  private readonly scanner: TextScanner;
  private readonly view: DataView;
  private readonly littleEndian: boolean;
  private last = 0;

  constructor(scanner: TextScanner, littleEndian: boolean) {
    const { bytes } = scanner;
    this.scanner = scanner;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.littleEndian = littleEndian;
  }

  require(count: number, bytes: number, what: string): void {
    if (count * bytes > this.scanner.remaining) throw truncated(what, count * bytes, this.scanner.remaining);
  }

  integer(bytes: 1 | 4 | 8, least = 0): number {
    const at = this.advance(bytes);
    const value = this.integerAt(at, bytes);
    if (!Number.isSafeInteger(value) || value < least) {
      this.fail(at, `holds ${value} where a whole number of at least ${least} was expected`);
    }
    return value;
  }

  real(bytes: 4 | 8): number {
    const at = this.advance(bytes);
    const value =
      bytes === 4 ? this.view.getFloat32(at, this.littleEndian) : this.view.getFloat64(at, this.littleEndian);
    if (!Number.isFinite(value)) this.fail(at, `holds ${value} where a finite number was expected`);
    return value;
  }

  lastOffset(): number {
    return this.last;
  }

  where(offset: number): string {
    return `Byte ${offset}`;
  }

  skip(count: number, bytes: number): void {
    this.advance(count * bytes);
  }

  private integerAt(at: number, bytes: 1 | 4 | 8): number {
    if (bytes === 1) return this.view.getUint8(at);
    if (bytes === 4) return this.view.getInt32(at, this.littleEndian);
    return Number(this.view.getBigInt64(at, this.littleEndian));
  }

  private advance(bytes: number): number {
    const at = this.scanner.offset;
    if (bytes > this.scanner.remaining) throw truncated(`What follows byte ${at}`, bytes, this.scanner.remaining);
    this.scanner.offset = at + bytes;
    this.last = at;
    return at;
  }

  private fail(at: number, what: string): never {
    throw new PalpableError(
      'format-invalid',
      `${this.where(at)} ${what}; the file is damaged: repair it or export it again.`,
    );
  }
}
