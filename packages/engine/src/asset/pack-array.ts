import { decodeBytes, encodeBytes } from './byte-coder.js';

/**
 * Number arrays in few bytes, without loss: first all lowest bytes, then all second ones and so on, since bytes of the
 * same weight are alike; whole numbers as differences from the one before where that is shorter.
 */

export type NumberArray = Float64Array | Float32Array | Int32Array | Uint32Array;

const PLAIN = 0;
const DIFFERENCES = 1;

/** The array in the form above. */
export function packArray(array: NumberArray): Uint8Array {
  const plain = code(PLAIN, array);
  if (!(array instanceof Int32Array || array instanceof Uint32Array)) return plain;
  const differences = code(DIFFERENCES, differencesOf(array));
  return differences.length < plain.length ? differences : plain;
}

/** Fills `array` with what `packArray` was given; false if `packed` is not of such an array. */
export function unpackArray(array: NumberArray, packed: Uint8Array): boolean {
  const size = array.BYTES_PER_ELEMENT;
  const bytes = bytesOf(array);
  const plane = new Uint8Array(array.length);
  let at = 1;
  for (let k = 0; k < size; k += 1) {
    at = decodeBytes(plane, packed, at);
    if (at < 0) return false;
    for (let n = 0; n < plane.length; n += 1) bytes[size * n + k] = plane[n];
  }
  if (packed[0] === DIFFERENCES) {
    let last = 0;
    for (let n = 0; n < array.length; n += 1) {
      // As an unsigned number an array of these takes it modulo 2³².
      last = (last + ((array[n] >>> 1) ^ -(array[n] & 1))) | 0;
      array[n] = last;
    }
  }
  return at === packed.length;
}

function code(form: number, array: NumberArray): Uint8Array {
  const size = array.BYTES_PER_ELEMENT;
  const bytes = bytesOf(array);
  const plane = new Uint8Array(array.length);
  const planes: Uint8Array[] = [Uint8Array.of(form)];
  for (let k = 0; k < size; k += 1) {
    for (let n = 0; n < plane.length; n += 1) plane[n] = bytes[size * n + k];
    planes.push(encodeBytes(plane));
  }
  const all = new Uint8Array(planes.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const each of planes) {
    all.set(each, at);
    at += each.length;
  }
  return all;
}

/** 0, −1, 1, −2, 2 … as 0, 1, 2, 3, 4 …, so that small ones of both signs have small bytes. */
function differencesOf(array: Int32Array | Uint32Array): Uint32Array {
  const differences = new Uint32Array(array.length);
  let last = 0;
  for (let n = 0; n < array.length; n += 1) {
    const step = (array[n] - last) | 0;
    differences[n] = (step << 1) ^ (step >> 31);
    last = array[n];
  }
  return differences;
}

function bytesOf(array: NumberArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
