/**
 * XXH32 (Yann Collet's public specification): a checksum that notices a changed bit, fast enough for a field of a
 * gigabyte. Not a signature: it protects against accidents, not against forgers.
 */
const PRIME_1 = 0x9e3779b1 | 0;
const PRIME_2 = 0x85ebca77 | 0;
const PRIME_3 = 0xc2b2ae3d | 0;
const PRIME_4 = 0x27d4eb2f | 0;
const PRIME_5 = 0x165667b1 | 0;

export function checksum(bytes: Uint8Array): number {
  const length = bytes.length;
  let at = 0;
  let hash: number;
  if (length >= 16) {
    let a = (PRIME_1 + PRIME_2) | 0;
    let b = PRIME_2;
    let c = 0;
    let d = -PRIME_1 | 0;
    for (; at + 16 <= length; at += 16) {
      a = round(a, word(bytes, at));
      b = round(b, word(bytes, at + 4));
      c = round(c, word(bytes, at + 8));
      d = round(d, word(bytes, at + 12));
    }
    hash = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0;
  } else {
    hash = PRIME_5;
  }
  hash = (hash + length) | 0;
  for (; at + 4 <= length; at += 4) {
    hash = Math.imul(rotate((hash + Math.imul(word(bytes, at), PRIME_3)) | 0, 17), PRIME_4);
  }
  for (; at < length; at += 1) {
    hash = Math.imul(rotate((hash + Math.imul(bytes[at], PRIME_5)) | 0, 11), PRIME_1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), PRIME_2);
  hash = Math.imul(hash ^ (hash >>> 13), PRIME_3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function round(lane: number, input: number): number {
  return Math.imul(rotate((lane + Math.imul(input, PRIME_2)) | 0, 13), PRIME_1);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function word(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
}
