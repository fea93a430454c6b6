import { PalpableError } from '../base/errors.js';

/** Characters turned into a string at once; more would overflow the stack of some engines. */
const CHUNK = 8192;

/**
 * Text of UTF-8 bytes. Written out here because the decoder of browsers and Node is no part of the language, and the
 * engine relies on nothing else. Malformed sequences become the replacement character.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  const parts: string[] = [];
  const units: number[] = [];
  for (let i = 0; i < bytes.length; ) {
    const [point, length] = decodePoint(bytes, i);
    i += length;
    if (point > 0xffff) units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
    else units.push(point);
    if (units.length >= CHUNK) parts.push(String.fromCharCode(...units.splice(0)));
  }
  parts.push(String.fromCharCode(...units));
  return parts.join('');
}

function decodePoint(bytes: Uint8Array, i: number): readonly [point: number, length: number] {
  const lead = bytes[i];
  if (lead < 0x80) return [lead, 1];
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || i + length > bytes.length) return [0xfffd, 1];
  let point = lead & (0x7f >> length);
  for (let k = 1; k < length; k++) {
    const next = bytes[i + k];
    if ((next & 0xc0) !== 0x80) return [0xfffd, k];
    point = (point << 6) | (next & 0x3f);
  }
  return [point > 0x10ffff ? 0xfffd : point, length];
}

/** Bytes of base64 text, from `start` on; line breaks and padding are skipped. */
export function decodeBase64(text: string, start = 0): Uint8Array {
  const bytes = new Uint8Array(Math.floor(((text.length - start) * 3) / 4));
  let length = 0;
  let bits = 0;
  let held = 0;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const value = base64Value(code);
    if (value < 0) {
      if (code === 61 || code <= 32) continue;
      throw new PalpableError(
        'format-invalid',
        'A data: URI holds a character that is not base64; export the file again.',
      );
    }
    bits = ((bits << 6) | value) & 0xffffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[length++] = (bits >> held) & 0xff;
    }
  }
  return bytes.slice(0, length);
}

/** The six bits of a character, −1 if it is none of the alphabet; the variant for URLs is accepted too. */
function base64Value(code: number): number {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 43 || code === 45) return 62;
  if (code === 47 || code === 95) return 63;
  return -1;
}
