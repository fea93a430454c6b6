import { describe, expect, it } from 'vitest';
import { addressOf, readAddress } from './address.js';

const nothing = { sceneId: undefined, sceneText: undefined, ignoreAssets: false, resolution: undefined };

describe('readAddress', () => {
  it('takes prepared assets unless told otherwise', () => {
    expect(readAddress('', '')).toEqual(nothing);
    expect(readAddress('?prepare=1', '')).toEqual({ ...nothing, ignoreAssets: true });
  });

  it('builds with the resolution asked for', () => {
    expect(readAddress('?resolution=64', '')).toEqual({ ...nothing, ignoreAssets: true, resolution: 64 });
  });

  it.each(['?resolution=', '?resolution=1e9', '?resolution=-5', '?resolution=12.5', '?resolution=abc', '?scene='])(
    'leaves out %s',
    (search) => {
      expect(readAddress(search, '#other')).toEqual(nothing);
    },
  );

  it('finds the scene by name and by text', () => {
    expect(readAddress('?scene=peg-hole', '')).toEqual({ ...nothing, sceneId: 'peg-hole' });
    expect(readAddress('', '#scene=abc-_')).toEqual({ ...nothing, sceneText: 'abc-_' });
  });
});

describe('addressOf', () => {
  it('changes the scene and leaves the rest', () => {
    expect(addressOf('?prepare=1', 'peg-hole')).toBe('?prepare=1&scene=peg-hole');
    expect(addressOf('?scene=peg-hole&prepare=1', undefined)).toBe('?prepare=1');
    expect(addressOf('?scene=peg-hole', undefined)).toBe('');
  });
});
