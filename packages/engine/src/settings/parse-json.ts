import { indexPath, keyPath } from './key-path.js';

/**
 * JSON with places: where every value stands, where the first mistake is, and which keys are given twice. The built-in
 * parser reports none of this in the same words on every engine, and takes the last of two equal keys without a word.
 */

/** Counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface ParsedJson {
  readonly value: unknown;
  /** By path; the empty path is the whole. */
  readonly places: ReadonlyMap<string, Place>;
  /** Paths of keys that stand twice in the same object. */
  readonly repeated: readonly string[];
}

export class JsonSyntaxError extends Error {
  readonly place: Place;

  constructor(message: string, place: Place) {
    super(message);
    this.place = place;
  }
}

export function parseJson(text: string): ParsedJson {
  return new JsonParser(text).parse();
}

/** Deeper than any scene; keeps the parser from running out of stack on hostile files. */
const MAX_DEPTH = 64;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}\p{N}_.+-]+/uy;
const SPACE = /[ \t\r\n]*/y;
const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

class JsonParser {
  private readonly text: string;
  private at = 0;
  private depth = 0;
  /** For counting lines: values come in the order of the text, so that no line is counted twice. */
  private lineStart = 0;
  private line = 1;
  private counted = 0;
  private readonly places = new Map<string, Place>();
  private readonly repeated: string[] = [];

  constructor(text: string) {
    this.text = text;
    if (text.startsWith('\uFEFF')) this.at = 1;
  }

  parse(): ParsedJson {
    const value = this.readValue('');
    this.skipSpace();
    if (this.at < this.text.length) this.fail('expected the end of the file');
    return { value, places: this.places, repeated: this.repeated };
  }

  private readValue(path: string): unknown {
    this.skipSpace();
    this.places.set(path, this.place());
    const character = this.text[this.at];
    if (character === '{' || character === '[') {
      this.depth += 1;
      if (this.depth > MAX_DEPTH) this.fail(`expected at most ${MAX_DEPTH} levels of brackets`);
      const value = character === '{' ? this.readObject(path) : this.readList(path);
      this.depth -= 1;
      return value;
    }
    return character === '"' ? this.readText() : this.readWord();
  }

  private readObject(path: string): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    this.at += 1;
    if (this.closes('}')) return {};
    do {
      this.skipSpace();
      if (this.text[this.at] === '}') this.fail('a comma stands before it; expected another key, or no comma');
      if (this.text[this.at] !== '"') this.fail('expected a key in double quotes');
      const place = this.place();
      const key = this.readText();
      const at = keyPath(path, key);
      if (entries.has(key)) this.repeated.push(at);
      this.skipSpace();
      if (this.text[this.at] !== ':') this.fail(`expected ":" after the key "${shorten(key)}"`);
      this.at += 1;
      entries.set(key, this.readValue(at));
      this.places.set(at, place);
    } while (this.continues('}'));
    // Not by assignment: a key such as "__proto__" has to be a key like any other.
    return Object.fromEntries(entries);
  }

  private readList(path: string): unknown[] {
    const values: unknown[] = [];
    this.at += 1;
    if (this.closes(']')) return values;
    do {
      this.skipSpace();
      if (this.text[this.at] === ']') this.fail('a comma stands before it; expected another value, or no comma');
      values.push(this.readValue(indexPath(path, values.length)));
    } while (this.continues(']'));
    return values;
  }

  /** Steps over the closing bracket if it comes at once. */
  private closes(bracket: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== bracket) return false;
    this.at += 1;
    return true;
  }

  /** After a value: true past a comma, false past the closing bracket. */
  private continues(bracket: string): boolean {
    this.skipSpace();
    const character = this.text[this.at];
    if (character !== ',' && character !== bracket) this.fail(`expected "," or "${bracket}"`);
    this.at += 1;
    return character === ',';
  }

  private readText(): string {
    const start = this.at;
    let end = start + 1;
    while (end < this.text.length && this.text[end] !== '"' && this.text[end] !== '\n') {
      end += this.text[end] === '\\' ? 2 : 1;
    }
    if (this.text[end] !== '"') this.fail('a text begins here; expected a closing quote on the same line');
    try {
      const text = JSON.parse(this.text.slice(start, end + 1)) as string;
      this.at = end + 1;
      return text;
    } catch {
      return this.fail('a text begins here; expected no control characters and only the escapes that JSON knows');
    }
  }

  private readWord(): unknown {
    const word = this.match(WORD);
    if (Object.hasOwn(WORDS, word)) {
      this.at += word.length;
      return WORDS[word];
    }
    const number = this.match(NUMBER);
    if (number === '' || number !== word) {
      this.fail('expected a value: a number such as 0.5, a text in double quotes, true, false, null, [ or {');
    }
    this.at += number.length;
    return Number(number);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0] ?? '';
  }

  private skipSpace(): void {
    this.at += this.match(SPACE).length;
  }

  private place(): Place {
    for (let end = this.text.indexOf('\n', this.counted); end >= 0 && end < this.at; ) {
      this.line += 1;
      this.lineStart = end + 1;
      this.counted = end + 1;
      end = this.text.indexOf('\n', this.counted);
    }
    return { line: this.line, column: this.at - this.lineStart + 1 };
  }

  private fail(expected: string): never {
    const place = this.place();
    const found =
      this.at >= this.text.length ? 'the end of the file' : `"${shorten(this.match(WORD)) || this.text[this.at]}"`;
    const comment = /^(\/[/*]|#)/.test(this.text.slice(this.at, this.at + 2)) ? ' (JSON has no comments)' : '';
    throw new JsonSyntaxError(`found ${found}${comment}, ${expected}`, place);
  }
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
