/// <reference lib="dom" />
// The built studio in a real browser: for the browser tests and for the screenshots.
import { chromium } from 'playwright-core';
import { findChromium } from '../../scripts/lib/chromium.mjs';

/** Brings `window.palpable` with it. @typedef {import('../../packages/studio/src/app/test-hook.js').StudioHook} StudioHook */

const disabledFeatures = [
  // A page of the address bar, in a process of its own beside every window: a fifth of the work of opening a studio.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  // This switch replaces Playwright's own. Of those, what could reach a page: a first picture that is held back, another
  // scheme or storage, requests of the browser.
  ...['PaintHolding', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'ThirdPartyStoragePartitioning'],
  ...['MediaRouter', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
  ...['DestroyProfileOnBrowserClose', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
];

/** Drawing by software, so that every machine draws the same; and no request that we did not make. */
const chromiumArguments = [
  `--disable-features=${disabledFeatures.join()}`,
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  // What WebGL has drawn is put on the page without it: three times as fast where there is no graphics card.
  '--disable-gpu-compositing',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  '--metrics-recording-only',
];

export function chromiumOptions() {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium was found; set PALPABLE_CHROMIUM to the path of one.');
  return { executablePath, args: chromiumArguments };
}

export function launchChromium() {
  return chromium.launch(chromiumOptions());
}

/**
 * A page of its own with everything noted that must not happen in it.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function openPage(browser, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    ...options,
  });
  const page = await context.newPage();
  await page.addInitScript(complainOfReadPixels);
  /** @type {string[]} */
  const complaints = [];
  /** @type {string[]} */
  const foreignRequests = [];
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning';
    if (isComplaint && !COMPOSITING.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.hostname !== '127.0.0.1') foreignRequests.push(request.url());
  });
  return { page, complaints, foreignRequests };
}

/** Of Chromium itself, which reads what WebGL has drawn to put it on the page. The page must not: see below. */
const COMPOSITING = /GPU stall due to ReadPixels/;

/** Runs in the page. */
function complainOfReadPixels() {
  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
    const { readPixels } = prototype;
    prototype.readPixels = /** @param {any[]} args */ function (...args) {
      console.warn('The page waits for pixels to be read.');
      Reflect.apply(readPixels, this, args);
    };
  }
}

/**
 * Waits until the tool can touch and the stage has come to rest.
 *
 * @param {import('playwright-core').Page} page
 */
export async function waitUntilReady(page) {
  await page.waitForFunction(() => window.palpable !== undefined);
  await page.evaluate(() => window.palpable?.ready);
  await settle(page);
}

/** More than a busy machine ever took. */
const LONGEST_SETTLE_MS = 90_000;

/**
 * Waits until the loop has followed the device, every pose is answered and no picture is drawn any more.
 *
 * @param {import('playwright-core').Page} page
 */
export async function settle(page) {
  const latest = Date.now() + LONGEST_SETTLE_MS;
  // Asked again and again from here: a promise that `waitForFunction` gets counts as true, whatever comes of it.
  while (!(await page.evaluate(restsForAWhile))) {
    if (Date.now() > latest) throw new Error('The studio does not come to rest.');
  }
}

/** Runs in the page. */
async function restsForAWhile() {
  const before = window.palpable?.state();
  await new Promise((resolve) => setTimeout(resolve, 250));
  const after = window.palpable?.state();
  if (!before || !after) return false;
  const followed = after.loop?.devicePose ?? after.devicePose;
  const isFollowed = after.devicePose.every((part, k) => Math.abs(part - (followed[k] ?? 0)) < 1e-5);
  const isAnswered = after.posesAnswered === after.posesSent;
  return isFollowed && isAnswered && after.picturesDrawn === before.picturesDrawn;
}
