import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBox, encodeAsset, prepareBody } from '@palpable/engine';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeFolder, writeAtomically } from '../files/write-file.js';
import { cacheKey, openAssetCache } from './asset-cache.js';

let asset: Uint8Array;
let folder: string;
beforeAll(async () => {
  asset = encodeAsset(await prepareBody(createBox(1, 1, 1), { field: null, shell: { count: 20 } }));
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palpable-cache-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('the cache of assets', () => {
  it('gives back what was put in, and nothing else', async () => {
    const cache = openAssetCache(join(folder, 'made', 'when', 'needed'));
    expect(await cache.get('box')).toBeUndefined();
    await cache.put('box', asset);
    expect(encodeAsset((await cache.get('box'))!)).toEqual(asset);
    expect(await cache.get('ball')).toBeUndefined();
    expect(readdirSync(cache.folder)).toEqual(['box.palpable']);
  });

  it('takes a file that is not sound for absent, and replaces it', async () => {
    const cache = openAssetCache(folder);
    const file = join(folder, 'box.palpable');
    await cache.put('box', asset);
    truncateSync(file, asset.length - 10);
    expect(await cache.get('box')).toBeUndefined();
    writeFileSync(file, asset.with(asset.length >> 1, asset[asset.length >> 1]! ^ 4));
    expect(await cache.get('box')).toBeUndefined();
    writeFileSync(file, '');
    expect(await cache.get('box')).toBeUndefined();
    await cache.put('box', asset);
    expect(await cache.get('box')).toBeDefined();
  });

  it('can be written by many at once', async () => {
    const cache = openAssetCache(folder);
    await Promise.all(Array.from({ length: 20 }, () => cache.put('box', asset)));
    expect(readdirSync(folder)).toEqual(['box.palpable']);
    expect(await cache.get('box')).toBeDefined();
  });

  it('warns once, and goes on, when its folder cannot be created or written', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const places = [file, join(file, 'below'), ...(existsSync('/proc/self') ? ['/proc/nothing', '/proc/a/b'] : [])];
    for (const place of places) {
      const warnings: string[] = [];
      const cache = openAssetCache(place, { warn: (sentence) => warnings.push(sentence) });
      await cache.put('box', asset);
      await cache.put('ball', asset);
      expect(warnings).toEqual([expect.stringContaining(`The cache ${place} cannot be written (E`)]);
      expect(warnings[0]).toContain('--cache');
      expect(await cache.get('box')).toBeUndefined();
    }
    // The folder is there, and the place of the file is taken by another folder.
    mkdirSync(join(folder, 'box.palpable', 'full'), { recursive: true });
    const warnings: string[] = [];
    await openAssetCache(folder, { warn: (sentence) => warnings.push(sentence) }).put('box', asset);
    expect(warnings).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['box.palpable', 'file']);
  });

  it('fails when its folder was asked for and cannot be made', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const place of [file, join(file, 'below')]) {
      await expect(openAssetCache(place, { required: true }).put('box', asset)).rejects.toMatchObject({
        code: 'file-unreadable',
        message: expect.stringMatching(/^The folder .* cannot be created .*; name another one with --cache\.$/),
      });
    }
    await expect(makeFolder(file, '--out')).rejects.toThrow('--out');
  });

  it('is where the environment says', () => {
    vi.stubEnv('PALPABLE_CACHE', '/a');
    vi.stubEnv('XDG_CACHE_HOME', '/b');
    expect(openAssetCache().folder).toBe('/a');
    vi.stubEnv('PALPABLE_CACHE', undefined);
    expect(openAssetCache().folder).toBe(join('/b', 'palpable'));
    vi.stubEnv('PALPABLE_CACHE', '');
    expect(openAssetCache().folder).toBe(join('/b', 'palpable'));
    for (const unset of [undefined, '']) {
      vi.stubEnv('XDG_CACHE_HOME', unset);
      expect(openAssetCache().folder).toMatch(/^\/.*\.cache.palpable$/);
    }
    vi.unstubAllEnvs();
  });
});

describe('the key of an asset', () => {
  const bytes = Uint8Array.of(1, 2, 3);

  it('follows from content and settings', () => {
    const key = cacheKey([bytes], { field: { resolution: 8 } });
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(cacheKey([bytes.slice()], { field: { resolution: 8 } })).toBe(key);
    expect(cacheKey([Uint8Array.of(1, 2), Uint8Array.of(4)], { field: { resolution: 8 } })).not.toBe(key);
    expect(cacheKey([bytes], { field: { resolution: 9 } })).not.toBe(key);
    expect(cacheKey([bytes], {})).not.toBe(key);
  });
});

describe('writing atomically', () => {
  it('replaces a file and leaves nothing else behind', async () => {
    const file = join(folder, 'a');
    writeFileSync(file, 'old');
    await writeAtomically(file, Buffer.from('new'));
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('leaves all as it was when it fails', async () => {
    const missing = join(folder, 'missing', 'a');
    await expect(writeAtomically(missing, Buffer.from('new'))).rejects.toMatchObject({
      code: 'file-unreadable',
      path: missing,
    });
    // The place of the file is taken by a folder that is not empty, so that the last step fails.
    await writeAtomically(join(folder, 'b'), Buffer.from('b'));
    await expect(writeAtomically(folder, Buffer.from('new'))).rejects.toMatchObject({ code: 'file-unreadable' });
    expect(readdirSync(folder)).toEqual(['b']);
  });
});
