import { type ErrorCode, PalpableError } from '../base/errors.js';

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const HASH = 35;
const BACKSLASH = 92;

/** Powers of ten that a double holds exactly; a product or quotient with one of them is rounded only once. */
const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Longest token that is taken for a number; longer ones are noise. */
const LONGEST_NUMBER = 400;

/**
 * Reads tokens straight from bytes, in one pass and without making strings, so that a file of any size costs linear time
 * and no memory. Line numbers are counted only when an error needs one.
 */
export class TextScanner {
  readonly bytes: Uint8Array;
  /** The next byte to look at. */
  offset = 0;
  /** The last token: bytes from `tokenStart` up to `tokenEnd`, empty when none was left. */
  tokenStart = 0;
  tokenEnd = 0;
  /** What skips to the end of the line, or 0: `#` in OBJ and OFF. */
  private readonly comment: number;
  /** Whether a backslash before the end of a line joins it with the next one. */
  private readonly joinsLines: boolean;

  constructor(bytes: Uint8Array, options: { hashComments?: boolean; joinsLines?: boolean; offset?: number } = {}) {
    this.bytes = bytes;
    this.comment = options.hashComments ? HASH : 0;
    this.joinsLines = options.joinsLines ?? false;
    this.offset = options.offset ?? (hasByteOrderMark(bytes) ? 3 : 0);
  }

  get atEnd(): boolean {
    return this.offset >= this.bytes.length;
  }

  get remaining(): number {
    return this.bytes.length - this.offset;
  }

  /** The next token of the file, over ends of lines; false when none is left. */
  nextToken(): boolean {
    while (!this.nextTokenOfLine()) {
      if (this.atEnd) return false;
      this.skipLine();
    }
    return true;
  }

  /** The next token of this line; false at its end. */
  nextTokenOfLine(): boolean {
    const { bytes } = this;
    const end = bytes.length;
    let i = this.offset;
    for (; i < end; i++) {
      const byte = bytes[i];
      if (byte === NEWLINE || (byte === this.comment && byte !== 0)) break;
      if (byte === BACKSLASH && this.joinsLines) {
        const after = this.afterJoin(i);
        if (after > 0) {
          i = after - 1;
          continue;
        }
      }
      if (byte > SPACE) break;
    }
    this.tokenStart = i;
    if (i >= end || bytes[i] === NEWLINE || (bytes[i] === this.comment && this.comment !== 0)) {
      this.offset = i;
      this.tokenEnd = i;
      return false;
    }
    while (i < end && bytes[i] > SPACE && !(bytes[i] === BACKSLASH && this.joinsLines && this.afterJoin(i) > 0)) i++;
    this.offset = i;
    this.tokenEnd = i;
    return true;
  }

  /** Moves behind the end of this line. */
  skipLine(): void {
    const { bytes } = this;
    let i = this.offset;
    while (i < bytes.length && bytes[i] !== NEWLINE) {
      const joined = bytes[i] === BACKSLASH && this.joinsLines ? this.afterJoin(i) : 0;
      i = joined > 0 ? joined : i + 1;
    }
    this.offset = Math.min(i + 1, bytes.length);
  }

  /** Whether the token is `word`, given in lower case; the token's own case does not matter. */
  tokenIs(word: string): boolean {
    if (this.tokenEnd - this.tokenStart !== word.length) return false;
    for (let i = 0; i < word.length; i++) {
      if (lowerCase(this.bytes[this.tokenStart + i]) !== word.charCodeAt(i)) return false;
    }
    return true;
  }

  /** The token as text for messages and keywords; long tokens are cut. */
  tokenText(longest = 24): string {
    return printable(this.bytes, this.tokenStart, Math.min(this.tokenEnd, this.tokenStart + longest));
  }

  /** The token as a number; an error with the line when it is none or not finite. */
  tokenNumber(): number {
    const value = parseNumber(this.bytes, this.tokenStart, this.tokenEnd);
    if (!Number.isFinite(value)) this.failHere(`holds "${this.tokenText()}" where a finite number was expected`);
    return value;
  }

  /** The next token of the file as a finite number. */
  nextNumber(): number {
    if (!this.nextToken()) this.fail('The file ends where a number was expected; it is cut short: export it again.');
    return this.tokenNumber();
  }

  /** The next token of this line as a finite number. */
  nextNumberOfLine(): number {
    if (!this.nextTokenOfLine()) this.failHere('ends where a number was expected');
    return this.tokenNumber();
  }

  /** The next token of the file as a whole number of at least `least`. */
  nextInteger(least = 0): number {
    const value = this.nextNumber();
    if (!Number.isSafeInteger(value) || value < least) {
      this.failHere(`holds "${this.tokenText()}" where a whole number of at least ${least} was expected`);
    }
    return value;
  }

  /** Says what is wrong in the line of the last token. */
  failHere(what: string): never {
    this.fail(`Line ${this.lineOf(this.tokenStart)} ${what}; the file is damaged: repair it or export it again.`);
  }

  fail(message: string, code: ErrorCode = 'format-invalid'): never {
    throw new PalpableError(code, message);
  }

  lineOf(offset: number): number {
    let line = 1;
    for (let i = 0; i < offset; i++) if (this.bytes[i] === NEWLINE) line++;
    return line;
  }

  /** Where the next line starts if the backslash at `i` joins the lines, else 0. */
  private afterJoin(i: number): number {
    let next = i + 1;
    if (this.bytes[next] === CARRIAGE_RETURN) next++;
    return this.bytes[next] === NEWLINE ? next + 1 : 0;
  }
}

/**
 * The number written in the bytes, correctly rounded, or NaN. Up to 15 digits and a power of ten up to 22 are exact in
 * doubles (Clinger's fast path, nearly all numbers of mesh files); the rest goes through the language's own conversion.
 */
export function parseNumber(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  const negative = bytes[i] === 45;
  if (negative || bytes[i] === 43) i++;
  let mantissa = 0;
  let digits = 0;
  let seen = 0;
  let fraction = 0;
  let point = false;
  for (; i < end; i++) {
    const byte = bytes[i];
    if (byte >= 48 && byte <= 57) {
      seen++;
      if (digits > 0 || byte !== 48) digits++;
      if (digits <= 15) mantissa = mantissa * 10 + (byte - 48);
      if (point) fraction++;
    } else if (byte === 46 && !point) point = true;
    else break;
  }
  if (seen === 0) return Number.NaN;
  let exponent = 0;
  if (i < end) {
    if ((bytes[i] | 32) !== 101) return Number.NaN;
    exponent = parseExponent(bytes, i + 1, end);
    if (Number.isNaN(exponent)) return exponent;
  }
  const power = exponent - fraction;
  if (digits > 15 || power > 22 || power < -22) return parseSlowly(bytes, start, end);
  const magnitude = power < 0 ? mantissa / EXACT_POWERS[-power] : mantissa * EXACT_POWERS[power];
  return negative ? -magnitude : magnitude;
}

function parseExponent(bytes: Uint8Array, start: number, end: number): number {
  const negative = bytes[start] === 45;
  let i = negative || bytes[start] === 43 ? start + 1 : start;
  if (i >= end) return Number.NaN;
  let value = 0;
  for (; i < end; i++) {
    const digit = bytes[i] - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    if (value < 100_000) value = value * 10 + digit;
  }
  return negative ? -value : value;
}

/** Only called on what `parseNumber` has found to be well formed. */
function parseSlowly(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > LONGEST_NUMBER) return Number.NaN;
  return Number(printable(bytes, start, end));
}

/** The bytes as ASCII text, with a question mark for whatever cannot be printed. */
export function printable(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    text += byte >= SPACE && byte < 127 ? String.fromCharCode(byte) : '?';
  }
  return text;
}

function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function lowerCase(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte + 32 : byte;
}
