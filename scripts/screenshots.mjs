// Pictures of every view of the studio into test-output/screenshots, and the README's moving picture and the one of
// docs/studio.md into docs/images: `node scripts/screenshots.mjs [folder of the built page] [view…]`. To be run after
// `node scripts/build.mjs`; without names of views all are made.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { launchChromium, openPage, settle, waitUntilReady } from '../test/browser/studio-page.mjs';
import { animatePng } from './lib/animated-png.mjs';
import { repositoryRoot } from './lib/run.mjs';
import { serveStudio } from './lib/serve-studio.mjs';
import { createSite, prepareSceneAssets } from './lib/studio-site.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').BrowserContextOptions} Options */

const folder = join(repositoryRoot, 'test-output', 'screenshots');
const readmePicture = join(repositoryRoot, 'docs', 'images', 'studio.png');
const movingPicture = join(repositoryRoot, 'docs', 'images', 'studio-moving.png');
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

mkdirSync(folder, { recursive: true });
mkdirSync(join(readmePicture, '..'), { recursive: true });
console.log('Preparing the scene …');
const [built, ...wanted] = process.argv.slice(2);
const site = await createSite(await prepareSceneAssets(360));
if (built) await layOver(resolve(built));
const server = await serveStudio(site.folder);
const browser = await launchChromium();

await picture('ready', {}, async () => {});
await picture('contact', {}, touch);
await picture('contact-close', {}, async (page) => {
  await touch(page);
  await page.mouse.move(450, 380);
  for (let notch = 0; notch < 9; notch++) await page.mouse.wheel(0, -120);
  await settle(page);
});
await picture('shell-only', {}, async (page) => {
  await touch(page);
  await press(page, 't', 'e');
});
for (const axis of ['x', 'y', 'z']) {
  await picture(`slice-${axis}`, {}, async (page) => {
    await touch(page);
    await press(page, 'l');
    await page.getByRole('radio', { name: axis, exact: true }).check({ force: true });
    await settle(page);
  });
}
await picture('slice-uncut', {}, async (page) => {
  await touch(page);
  await press(page, 'l', 'u');
  await page.getByRole('slider', { name: 'Position' }).fill('130');
  await settle(page);
});
const sheets = {
  help: (/** @type {Page} */ page) => page.getByRole('button', { name: 'Help' }).click(),
  gallery: (/** @type {Page} */ page) => page.keyboard.press('g'),
  share: (/** @type {Page} */ page) => page.keyboard.press('a'),
  drop: (/** @type {Page} */ page) => bring(page, 'gear.obj'),
  'drop-refused': (/** @type {Page} */ page) => bring(page, '../schema.json'),
  plots: async (/** @type {Page} */ page) => {
    await page.getByTitle('Show plots of the loop').click();
    await touch(page);
  },
  takes: recordTake,
  replay: async (/** @type {Page} */ page) => {
    await recordTake(page);
    await page.getByRole('button', { name: 'Replay' }).first().click();
    await page.waitForTimeout(300);
  },
  compare: compareTake,
};
for (const [name, show] of Object.entries(sheets)) {
  await picture(name, {}, show);
  await picture(`dark-${name}`, { colorScheme: 'dark' }, show);
  await picture(`phone-${name}`, phone, show);
}
for (const [name, options] of /** @type {[string, Options][]} */ ([
  ['bending', {}],
  ['dark-bending', { colorScheme: 'dark' }],
  ['phone-bending', phone],
])) {
  await picture(name, options, bend, undefined, 'scene=table-floor&drawing=fine');
}
await picture('plain', {}, touch, undefined, 'drawing=plain');
await picture('dark', { colorScheme: 'dark' }, touch);
await picture('dark-slice', { colorScheme: 'dark' }, async (page) => {
  await touch(page);
  await press(page, 'l');
});
await picture('wide', { viewport: { width: 1920, height: 1080 } }, touch);
await picture('phone', phone, touch);
await picture('phone-sheet', phone, async (page) => {
  await page.getByRole('button', { name: 'Unfold the panel' }).click();
  await page.waitForTimeout(600);
});
const troubles = {
  preparing: async (/** @type {Page} */ page) => {
    await page.getByRole('heading', { name: 'Preparing the scene' }).waitFor();
    await page.waitForTimeout(700);
  },
  cancelled: async (/** @type {Page} */ page) => {
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Preparation cancelled' }).waitFor();
  },
  'mesh-missing': (/** @type {Page} */ page) =>
    page.getByRole('heading', { name: 'The scene could not be loaded' }).waitFor(),
  'loop-stopped': async (/** @type {Page} */ page) => {
    await page.getByRole('heading', { name: 'The loop has stopped' }).waitFor();
    await page.waitForTimeout(500);
  },
  'no-webgl': (/** @type {Page} */ page) =>
    page.getByRole('heading', { name: 'This browser cannot draw in 3D' }).waitFor(),
};
for (const [kind, wait] of Object.entries(troubles)) {
  await trouble(kind, kind, {}, wait);
  await trouble(`dark-${kind}`, kind, { colorScheme: 'dark' }, wait);
  await trouble(`phone-${kind}`, kind, phone, wait);
}
await picture(
  'readme',
  {},
  async (page) => {
    await touch(page);
    await press(page, 'l', 'u');
    await page.getByRole('slider', { name: 'Position' }).fill('130');
    await page.getByRole('slider', { name: 'Position' }).blur();
    await page.locator('.panel').evaluate((panel) => panel.scrollTo(0, 0));
    await settle(page);
  },
  readmePicture,
);

if (isWanted('moving')) await animate();

await browser.close();
await server.close();
await site.remove();
console.log(`${folder}\n${readmePicture}\n${movingPicture}`);

/** @param {string} name */
function isWanted(name) {
  return wanted.length === 0 || wanted.includes(name);
}

/**
 * Another build of the page in place of the usual one, with the same prepared assets.
 *
 * @param {string} page
 */
async function layOver(page) {
  await cp(page, site.folder, { recursive: true, filter: (source) => source !== join(page, 'assets') });
}

/**
 * One view of the ready studio.
 *
 * @param {string} name
 * @param {Options} options
 * @param {(page: Page) => Promise<unknown>} prepare
 */
async function picture(name, options, prepare, path = join(folder, `${name}.png`), search = 'drawing=fine') {
  if (!isWanted(name)) return;
  const { page } = await openPage(browser, options);
  await page.goto(`${server.url}?${search}`);
  await waitUntilReady(page);
  await prepare(page);
  await page.waitForTimeout(300);
  await page.screenshot({ path });
  await page.context().close();
}

/**
 * One view of the studio where something is missing.
 *
 * @param {string} name
 * @param {string} kind
 * @param {Options} options
 * @param {(page: Page) => Promise<unknown>} wait
 */
async function trouble(name, kind, options, wait) {
  if (!isWanted(name)) return;
  const { page } = await openPage(browser, options);
  if (kind === 'mesh-missing') await page.route('**/*.obj', (route) => route.fulfill({ status: 404 }));
  if (kind === 'loop-stopped') await page.route('**/servo-worker-*.js', (route) => route.abort());
  if (kind === 'no-webgl') {
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
  }
  const isPrepared = kind === 'loop-stopped' || kind === 'no-webgl';
  await page.goto(server.url + (isPrepared ? '' : '?prepare=1'));
  await wait(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.context().close();
}

/**
 * The bunny lowered into the teapot's lid and turned a little, as a hand would.
 *
 * @param {Page} page
 */
async function touch(page) {
  await page.evaluate(() => {
    const turn = 0.12;
    const up = Math.SQRT1_2;
    const [s, c] = [Math.sin(turn / 2), Math.cos(turn / 2)];
    // A turn about the world's y after standing upright: (0, s, 0, c) · (up, 0, 0, up).
    window.palpable?.setToolPose([-0.06, -0.03, 0.344, c * up, s * up, -s * up, c * up]);
  });
  await settle(page);
}

/**
 * The table pressed to the floor, with the picture of how its contacts hang together.
 *
 * @param {Page} page
 */
async function bend(page) {
  await page.evaluate(async () => {
    const [x, y, z, ...rotation] = window.palpable?.state().devicePose ?? [];
    for (let step = 1; step <= 40; step += 1) {
      window.palpable?.setToolPose([x ?? 0, y ?? 0, (z ?? 0) - (0.027 * step) / 40, ...rotation]);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  await settle(page);
  await page.locator('.delassus').scrollIntoViewIfNeeded();
}

/**
 * A file chosen in the gallery, as a dropped one would be.
 *
 * @param {Page} page
 * @param {string} file in the folder of meshes
 */
async function bring(page, file) {
  await page.keyboard.press('g');
  await page.getByLabel('Mesh or scene files').setInputFiles([join(repositoryRoot, 'scenes', 'meshes', file)]);
  await page.locator('.drop-part, .drop-problem').first().waitFor();
}

/**
 * A push that is recorded.
 *
 * @param {Page} page
 */
async function recordTake(page) {
  await page.getByRole('button', { name: /^Record/ }).click();
  await touch(page);
  await page.getByRole('button', { name: /^End/ }).click();
  await page.getByRole('button', { name: /^Takes/ }).click();
}

/**
 * The push run through three methods.
 *
 * @param {Page} page
 */
async function compareTake(page) {
  await recordTake(page);
  await page
    .getByRole('button', { name: /^Compare/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Run/ }).click();
  await page.getByRole('table').waitFor();
  // The same button cancels until all is run.
  await page.getByRole('button', { name: /^Run/ }).waitFor({ timeout: 120_000 });
}

/** The bunny dips into the lid, slides along it and comes out again, over a cut through the field. */
async function animate() {
  const { page } = await openPage(browser, { deviceScaleFactor: 0.55 });
  await page.goto(`${server.url}?drawing=fine`);
  await waitUntilReady(page);
  await press(page, 'l', 'u');
  await page.getByRole('slider', { name: 'Position' }).fill('130');
  const pictures = 16;
  const frames = [];
  for (let n = 0; n < pictures; n++) {
    await page.evaluate(
      (angle) => {
        const up = Math.SQRT1_2;
        const [s, c] = [Math.sin(0.1 * Math.sin(angle)), Math.cos(0.1 * Math.sin(angle))];
        const [x, z] = [-0.05 - 0.09 * Math.sin(angle), 0.365 + 0.035 * Math.cos(angle)];
        window.palpable?.setToolPose([x, -0.03, z, c * up, s * up, -s * up, c * up]);
      },
      (2 * Math.PI * n) / pictures,
    );
    await settle(page);
    await page.waitForTimeout(200);
    frames.push(await page.screenshot({ clip: { x: 0, y: 0, width: 936, height: 714 } }));
  }
  writeFileSync(movingPicture, animatePng(frames, 120));
  await page.context().close();
}

/**
 * @param {Page} page
 * @param {...string} keys
 */
async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await page.waitForTimeout(300);
  await settle(page);
}
