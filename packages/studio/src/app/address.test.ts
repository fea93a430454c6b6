import { describe, expect, it } from 'vitest';
import type { StudioScene } from '../scene/scene.js';
import { readAddress } from './address.js';

const scene = { name: 'Scene', environment: { label: 'teapot', field: { resolution: 360 } } } as unknown as StudioScene;

describe('readAddress', () => {
  it('takes prepared assets unless told otherwise', () => {
    expect(readAddress(scene, '')).toEqual({ scene, ignoreAssets: false });
    expect(readAddress(scene, '?prepare=1')).toEqual({ scene, ignoreAssets: true });
  });

  it('builds with the resolution asked for', () => {
    const wishes = readAddress(scene, '?resolution=64');
    expect(wishes.scene.environment.field).toEqual({ resolution: 64 });
    expect(wishes.ignoreAssets).toBe(true);
  });

  it.each(['?resolution=', '?resolution=1e9', '?resolution=-5', '?resolution=12.5', '?resolution=abc'])(
    'leaves out %s',
    (search) => {
      expect(readAddress(scene, search)).toEqual({ scene, ignoreAssets: false });
    },
  );
});
