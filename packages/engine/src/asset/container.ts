import { PalpableError } from '../base/errors.js';
import { checksum } from './checksum.js';
import { type NumberArray, packArray, unpackArray } from './pack-array.js';

/**
 * A file of named number arrays and some JSON, the same for the command line, the cache and the browser.
 *
 *     bytes 0…7    "PALPABLE"
 *           8…11   version of this layout
 *          12…15   length of the JSON text
 *          16…19   checksum of the JSON text
 *          20…23   0
 *          24…     JSON text in ASCII: what `pack` was given, and of each array its name, type, place and checksum
 *                  the arrays, packed (`pack-array.ts`), each at a multiple of 8; in version 1 as they are
 *
 * Little-endian, as all machines are that run JavaScript today. Nothing is believed before its checksum was found right,
 * so that a truncated or altered file is an error and never a strange force.
 */

const MAGIC = 'PALPABLE';
const VERSION = 2;
/** Still read. */
const UNPACKED_VERSION = 1;
const HEADER_START = 24;
const MAX_HEADER = 1 << 24;
/** Of all arrays together. A few packed bytes may claim to be any number of them. */
const MAX_BYTES = 2 ** 31;

const ARRAY_TYPES = {
  f64: Float64Array,
  f32: Float32Array,
  i32: Int32Array,
  u32: Uint32Array,
} as const;
type ArrayType = keyof typeof ARRAY_TYPES;

interface ArrayEntry {
  readonly name: string;
  readonly type: ArrayType;
  /** From the start of the file, bytes. */
  readonly offset: number;
  readonly length: number;
  /** Packed, bytes; absent where it is not. */
  readonly packed?: number;
  /** Of the bytes in the file. */
  readonly checksum: number;
}

interface Header {
  readonly content: unknown;
  readonly arrays: readonly ArrayEntry[];
  readonly bytes: number;
}

/** What a container holds once it has been read. */
export interface Container {
  readonly content: unknown;
  readonly arrays: ReadonlyMap<string, NumberArray>;
}

export function packContainer(content: unknown, arrays: ReadonlyMap<string, NumberArray>): Uint8Array {
  // The header's length depends on the offsets in it, so these are laid out after a header of generous, fixed length.
  const packed = new Map([...arrays].map(([name, array]) => [name, packArray(array)]));
  const entries = [...arrays].map(([name, array]) => ({
    name,
    type: typeOf(array),
    offset: 0,
    length: array.length,
    packed: packed.get(name)!.length,
    checksum: checksum(packed.get(name)!),
  }));
  const roomForHeader = toAscii({ content, arrays: entries, bytes: 0 }).length + 24 * (entries.length + 1);
  let end = align(HEADER_START + roomForHeader);
  const placed = entries.map((entry) => {
    const offset = end;
    end = align(offset + entry.packed);
    return { ...entry, offset };
  });
  const text = toAscii({ content, arrays: placed, bytes: end });
  const bytes = new Uint8Array(end);
  const view = new DataView(bytes.buffer);
  writeAscii(bytes, 0, MAGIC);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, text.length, true);
  writeAscii(bytes, HEADER_START, text);
  view.setUint32(16, checksum(bytes.subarray(HEADER_START, HEADER_START + text.length)), true);
  for (const { name, offset } of placed) bytes.set(packed.get(name)!, offset);
  return bytes;
}

/** Reads a container; throws a `PalpableError` of code `asset-invalid` if anything in it is not as it was written. */
export function unpackContainer(bytes: Uint8Array): Container {
  const { header, end } = readHeader(bytes);
  if (bytes.length !== header.bytes) {
    throw invalid(`it has ${bytes.length} bytes instead of ${header.bytes}`);
  }
  const arrays = new Map<string, NumberArray>();
  if (header.arrays.reduce((sum, { type, length }) => sum + sizeOf(type, length), 0) > MAX_BYTES) {
    throw invalid('it claims to hold more than 2 GB');
  }
  let gap = end;
  for (const entry of header.arrays) {
    checkGap(bytes, gap, entry.offset);
    arrays.set(entry.name, readArray(bytes, entry));
    gap = entry.offset + storedSize(entry);
  }
  checkGap(bytes, gap, bytes.length);
  return { content: header.content, arrays };
}

/** What no checksum covers is zero, so that an altered bit is noticed wherever it is. */
function checkGap(bytes: Uint8Array, from: number, to: number): void {
  if (bytes.subarray(from, to).some((byte) => byte !== 0)) throw invalid('it was altered between its parts');
}

/** The header, and where it ends. */
function readHeader(bytes: Uint8Array): { header: Header; end: number } {
  if (bytes.length < HEADER_START || readAscii(bytes, 0, MAGIC.length) !== MAGIC) {
    throw invalid('it does not begin as one');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (version !== VERSION && version !== UNPACKED_VERSION) {
    throw invalid(`its version is ${version}, and this program reads versions up to ${VERSION}`);
  }
  const length = view.getUint32(12, true);
  if (length > MAX_HEADER || HEADER_START + length > bytes.length) throw invalid('its header is cut off');
  const end = HEADER_START + length;
  if (checksum(bytes.subarray(HEADER_START, end)) !== view.getUint32(16, true) || view.getUint32(20, true) !== 0) {
    throw invalid('its header was altered');
  }
  return { header: JSON.parse(readAscii(bytes, HEADER_START, length)) as Header, end };
}

function readArray(bytes: Uint8Array, entry: ArrayEntry): NumberArray {
  const Type = ARRAY_TYPES[entry.type];
  const size = storedSize(entry);
  const content = bytes.subarray(entry.offset, entry.offset + size);
  if (content.length !== size || checksum(content) !== entry.checksum) {
    throw invalid(`its part "${entry.name}" was altered`);
  }
  if (entry.packed !== undefined) {
    const array = new Type(entry.length);
    if (!unpackArray(array, content)) throw invalid(`its part "${entry.name}" does not unpack`);
    return array;
  }
  // A view needs an aligned start; a file read into the middle of some buffer has none, and is copied.
  const aligned = content.byteOffset % 8 === 0 ? content : content.slice();
  return new Type(aligned.buffer as ArrayBuffer, aligned.byteOffset, entry.length);
}

function invalid(why: string): PalpableError {
  return new PalpableError(
    'asset-invalid',
    `This is not a valid Palpable asset: ${why}. Prepare it again with "palpable prepare".`,
  );
}

function sizeOf(type: ArrayType, length: number): number {
  return length * ARRAY_TYPES[type].BYTES_PER_ELEMENT;
}

/** In the file, bytes. */
function storedSize({ type, length, packed }: ArrayEntry): number {
  return packed ?? sizeOf(type, length);
}

function typeOf(array: NumberArray): ArrayType {
  const found = (Object.keys(ARRAY_TYPES) as ArrayType[]).find((type) => array instanceof ARRAY_TYPES[type]);
  return found!;
}

function align(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}

function toAscii(value: unknown): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[^ -~]/g, escapeUnit);
}

function writeAscii(bytes: Uint8Array, at: number, text: string): void {
  for (let n = 0; n < text.length; n += 1) bytes[at + n] = text.charCodeAt(n);
}

function readAscii(bytes: Uint8Array, at: number, length: number): string {
  let text = '';
  for (let n = 0; n < length; n += 1) text += String.fromCharCode(bytes[at + n]);
  return text;
}
