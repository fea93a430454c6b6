import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as index from '@palpable/engine';
import * as advanced from '@palpable/engine/advanced';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/lib/run.mjs';
import { galleryNames, goldenCases } from './cases.mjs';
import { openGoldenPage } from './in-page.mjs';
import { compareSummaries, firstDifference, formatPinned, readPinned } from './pinned.mjs';
import { type GoldenCache, type Played, playGolden, summarise } from './play.mjs';

// Same scene, same motion, same bits: today, tomorrow, in Node and in Chromium. `npm run golden` renews the file after a
// change that is wanted; the commit then says why.

const pinnedFile = join(repositoryRoot, 'test/golden/pinned.txt');
const scenes = join(repositoryRoot, 'scenes');
const renews = process.env.PALPABLE_RENEW_GOLDEN === '1';
const playsAll = renews || process.env.PALPABLE_TEST_ALL !== undefined;
/** Rows that agreed with their pinned hash, of earlier runs here: with them a difference has its exact cycle. */
const kept = join(repositoryRoot, 'test-output/golden');

const engine = { ...index, ...advanced };
const pinned = readPinned(readFileSync(pinnedFile, 'utf8'));
const cache: GoldenCache = { assets: new Map() };
const renewed: ReturnType<typeof summarise>[] = [];
let page: Awaited<ReturnType<typeof openGoldenPage>>;

beforeAll(async () => {
  mkdirSync(kept, { recursive: true });
  page = await openGoldenPage();
});
afterAll(async () => {
  await page.close();
  if (renews) writeFileSync(pinnedFile, formatPinned(renewed));
});

it('covers every scene of the gallery', () => {
  const files = readdirSync(scenes).filter((name) => name.endsWith('.json') && name !== 'schema.json');
  expect(files.map((name) => name.replace(/\.json$/, '')).sort()).toEqual([...galleryNames].sort());
});

it('pins nothing that is gone', () => {
  const names = goldenCases().map(({ name }) => name);
  expect(renews ? [] : [...pinned.keys()].filter((name) => !names.includes(name))).toEqual([]);
});

describe('the bits of', { timeout: 300_000 }, () => {
  it.each(goldenCases())('$name', async (golden) => {
    const [inChromium, played] = await Promise.all([
      golden.isHeavy && !playsAll ? null : page.play(golden),
      playGolden(engine, golden, (path) => readFile(join(scenes, path)), cache),
    ]);
    const summary = summarise(played);
    // A motion without contact would pin nothing.
    expect(played.contacts).toBeGreaterThan(0);
    expect(played.rows.every(Number.isFinite)).toBe(true);
    if (inChromium && inChromium.hash !== summary.hash) {
      expect.fail(`${golden.name}: Node and Chromium part at ${firstDifference(played, await page.rowsOf())}`);
    }
    if (inChromium) expect(inChromium.bodies).toEqual(summary.bodies);
    if (renews) renewed.push(summary);
    else expect(explain(played, compareSummaries(summary, pinned.get(golden.name), played.columns))).toBe('');
    writeFileSync(rowsFile(summary.hash), played.rows);
  });
});

describe('without kernels the same bits of', { timeout: 300_000 }, () => {
  const names = ['scene corner-cube', 'scene spoon-cup', 'friction cone', 'friction pyramid', 'friction quadratic'];
  it.each(goldenCases().filter(({ name }) => names.includes(name)))('$name', async (golden) => {
    const play = (kernels: boolean) =>
      playGolden(engine, golden, (path) => readFile(join(scenes, path)), cache, kernels);
    const withKernels = await play(true);
    const without = await play(false);
    if (summarise(without).hash !== summarise(withKernels).hash) {
      expect.fail(`${golden.name}: with and without kernels part at ${firstDifference(withKernels, without.rows)}`);
    }
    expect(await page.play(golden, false)).toEqual(summarise(withKernels));
  });
});

function rowsFile(hash: string): string {
  return join(kept, `${hash}.rows`);
}

/** Adds the exact place to a difference, if the rows that were pinned are still here. */
function explain(played: Played, difference: string): string {
  if (difference === '') return '';
  try {
    const bytes = readFileSync(rowsFile(pinned.get(played.name)?.hash ?? ''));
    const before = new Float64Array(new Uint8Array(bytes).buffer);
    return `${difference}; now and before at ${firstDifference(played, before)}`;
  } catch {
    return difference;
  }
}
