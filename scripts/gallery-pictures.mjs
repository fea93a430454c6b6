// Makes the small pictures of the studio's gallery: `node scripts/gallery-pictures.mjs [folder of the built page]
// [scene…]`. To be run after `npm run build` when a scene or the look of the stage has changed; the pictures are kept with
// the sources.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium, openPage, settle, waitUntilReady } from '../test/browser/studio-page.mjs';
import { repositoryRoot } from './lib/run.mjs';
import { serveStudio } from './lib/serve-studio.mjs';

/** The stage alone. */
const BARE = `
  #studio { display: block !important; }
  .stage { height: 100vh; }
  .stage > :not(canvas), .panel { display: none !important; }`;

/** How far the view is turned from the usual one, in pixels of a drag, where the parts would hide each other. */
const TURNS = /** @type {Record<string, readonly [number, number]>} */ ({
  'door-window-motor': [60, 0],
});
/** Nearer than the studio begins, which leaves room to move, by notches of the wheel; tall parts would not fit. */
const USUAL_NOTCHES = 3;
const NOTCHES = /** @type {Record<string, number>} */ ({
  'nut-bolt': 1,
  'corner-cube': 0,
  'corner-god-object': 0,
  'cube-holds': 0,
  'peg-hole': 1,
  'peg-blind-hole': 1,
  'spoon-cup': 0,
  'clip-pipe': 4,
  'clip-soft-pipe': 4,
  'table-floor': 7,
});

/** How far bodies that bend are pressed together, so that it is seen, metres. */
const PRESSED = /** @type {Record<string, number>} */ ({
  'clip-pipe': 0.013,
  'clip-soft-pipe': 0.013,
  'table-floor': 0.027,
});

const pictures = join(repositoryRoot, 'packages', 'studio', 'public', 'gallery');
await mkdir(pictures, { recursive: true });
const [folder, ...wanted] = process.argv.slice(2);
const scenes = (await readdir(join(repositoryRoot, 'scenes')))
  .filter((name) => name.endsWith('.json') && name !== 'schema.json')
  .map((name) => name.replace(/\.json$/, ''))
  .filter((scene) => wanted.length === 0 || wanted.includes(scene));
const server = await serveStudio(folder);
const browser = await launchChromium();
try {
  for (const scene of scenes) {
    const { page } = await openPage(browser, { viewport: { width: 320, height: 200 }, deviceScaleFactor: 1.5 });
    await page.goto(`${server.url}?scene=${scene}&drawing=fine`);
    await page.addStyleTag({ content: BARE });
    await waitUntilReady(page);
    // Not every scene of the folder is in the gallery; another one is shown instead.
    const shown = await page.evaluate(() => window.palpable?.state().sceneId);
    if (shown === scene) await keepPicture(page, scene);
    await page.context().close();
  }
} finally {
  await browser.close();
  await server.close();
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} scene
 */
async function keepPicture(page, scene) {
  // Points and contacts would cover parts this small.
  for (const key of ['s', 'c', 'n']) await page.keyboard.press(key);
  if (PRESSED[scene] !== undefined) await press(page, PRESSED[scene]);
  const [right, down] = TURNS[scene] ?? [0, 0];
  await page.mouse.move(20, 20);
  await page.mouse.down();
  await page.mouse.move(20 + right, 20 + down, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(160, 100);
  const notches = NOTCHES[scene] ?? USUAL_NOTCHES;
  for (let notch = 0; notch < notches; notch += 1) await page.mouse.wheel(0, -100);
  await settle(page);
  const picture = await page.locator('.stage canvas').screenshot();
  await writeFile(join(pictures, `${scene}.png`), picture);
  console.log(`${scene}: ${Math.round(picture.length / 1000)} kB`);
}

/**
 * Lowers the device, and hides all but the bodies.
 *
 * @param {import('playwright-core').Page} page
 * @param {number} depth
 */
async function press(page, depth) {
  for (const key of ['w', 'd', 'x']) await page.keyboard.press(key);
  await page.evaluate(async (way) => {
    const [x, y, z, ...rotation] = window.palpable?.state().devicePose ?? [];
    for (let step = 1; step <= 40; step += 1) {
      window.palpable?.setToolPose([x ?? 0, y ?? 0, (z ?? 0) - (way * step) / 40, ...rotation]);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }, depth);
  await settle(page);
}
