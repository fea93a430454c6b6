/// <reference lib="dom" />
// The pinned cases in Chromium: the built engine as it is, without a server.
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { repositoryRoot } from '../../scripts/lib/run.mjs';
import { launchChromium } from '../browser/studio-page.mjs';

const ORIGIN = 'http://localhost';
const FOLDERS = { engine: 'packages/engine/dist', golden: 'test/golden', scenes: 'scenes' };
const TYPES = /** @type {Record<string, string>} */ ({ '.js': 'text/javascript', '.mjs': 'text/javascript' });

/** @typedef {{ golden: typeof import('./page.mjs').hook }} Hooked */

/** A page that plays the cases; `play` gives a summary, and `rowsOf` the rows of the case that was played last. */
export async function openGoldenPage() {
  const browser = await launchChromium();
  const page = await browser.newPage();
  await page.route(`${ORIGIN}/**`, async (route) => {
    const [folder, ...rest] = new URL(route.request().url()).pathname.slice(1).split('/');
    const root = FOLDERS[/** @type {keyof typeof FOLDERS} */ (folder)];
    const body = root
      ? await readFile(join(repositoryRoot, root, ...rest.map(decodeURIComponent)))
      : '<!doctype html><script type="module" src="/golden/page.mjs"></script>';
    await route.fulfill({
      body,
      contentType: root ? (TYPES[extname(rest.at(-1) ?? '')] ?? 'application/octet-stream') : 'text/html',
      headers: { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' },
    });
  });
  await page.goto(`${ORIGIN}/`);
  await page.waitForFunction(() => 'golden' in window);
  return {
    /** @param {import('./cases.mjs').GoldenCase} golden */
    play: (golden, kernels = true) =>
      page.evaluate(
        ([each, on]) => /** @type {Hooked} */ (/** @type {unknown} */ (window)).golden.play(each, on),
        /** @type {const} */ ([golden, kernels]),
      ),
    rowsOf: () => page.evaluate(() => /** @type {Hooked} */ (/** @type {unknown} */ (window)).golden.rows()),
    close: () => browser.close(),
  };
}
