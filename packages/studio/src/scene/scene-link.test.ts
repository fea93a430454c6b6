import { describe, expect, it } from 'vitest';
import { decodeScene, encodeScene } from './scene-link.js';

describe('a scene as a link', () => {
  it('comes back as it was, with signs of any kind', () => {
    const value = { palpable: 1, name: 'Prüfstück — 10 µm ÿ?>', bodies: { a: { mesh: { box: [1, 2, 3] } } } };
    const text = encodeScene(value);
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(decodeScene(text)).toEqual(value);
  });

  it.each(['', '%%%', 'abc', encodeScene({ palpable: 1 }).slice(0, -4)])('refuses %j', (text) => {
    expect(() => decodeScene(text)).toThrow(/not hold a complete scene/);
  });
});
