import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64, decodeUtf8 } from './text-coding.js';

describe('text coding', () => {
  it('decodes UTF-8 like the host (seed 2)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        const bytes = new TextEncoder().encode(text);
        expect(decodeUtf8(bytes)).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
      }),
      { seed: 2, numRuns: 500 },
    );
    const long = 'ä€😀'.repeat(10_000);
    expect(decodeUtf8(new TextEncoder().encode(long))).toBe(long);
  });

  it('replaces malformed UTF-8 and ends', () => {
    expect(decodeUtf8(Uint8Array.of(0x41, 0xff, 0xc3, 0x42, 0xe2, 0x82))).toMatch(/^A\uFFFD+B\uFFFD+$/);
  });

  it('decodes base64 (seed 3)', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64');
        expect(Array.from(decodeBase64(`x,${text}`, 2))).toEqual(Array.from(bytes));
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});
