import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNumber, TextScanner } from './text-scanner.js';

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const parse = (text: string) => parseNumber(bytesOf(text), 0, text.length);

describe('numbers in text', () => {
  it('reads every double as it was written (seed 1)', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 1, max: 21 }),
        (value, digits) => {
          for (const text of [String(value), value.toPrecision(digits), value.toExponential(digits - 1)]) {
            expect(parse(text)).toBe(Number(text));
          }
        },
      ),
      { seed: 1, numRuns: 2000 },
    );
  });

  it.each(['0', '-0', '+3', '.5', '5.', '1e5', '1E-5', '000123', '123456789012345678', '1e400', '4.9e-324'])(
    'reads %s like the language does',
    (text) => expect(parse(text)).toBe(Number(text)),
  );

  it.each(['', '-', '.', 'e5', '1e', '1e+', '1.2.3', '1,5', '0x10', 'nan', 'inf', '1 2', `1${'0'.repeat(500)}`])(
    'takes "%s" for no number',
    (text) => expect(parse(text)).toBeNaN(),
  );
});

describe('tokens', () => {
  it('counts lines, skips comments and joins lines that end in a backslash', () => {
    const scanner = new TextScanner(bytesOf('a # b\r\n\r\nc\\\r\n d\\e\n# f\nlast'), {
      hashComments: true,
      joinsLines: true,
    });
    const tokens: [string, number][] = [];
    while (scanner.nextToken()) tokens.push([scanner.tokenText(), scanner.lineOf(scanner.tokenStart)]);
    expect(tokens).toEqual([['a', 1], ['c', 3], ['d\\e', 4], ['last', 6]]); // biome-ignore format: a table
  });

  it('names the line and shows the token, without unprintable bytes', () => {
    const scanner = new TextScanner(bytesOf('1\n2\nb\u007fd 3'));
    scanner.nextNumber();
    scanner.nextNumber();
    expect(() => scanner.nextNumber()).toThrow('Line 3 holds "b?d" where a finite number was expected');
  });
});
