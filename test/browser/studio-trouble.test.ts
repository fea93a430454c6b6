/** The studio where something is missing or breaks: it says what happened, and stays alive. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, openPage, serveStudio, settle, waitUntilReady } from './studio-page.mjs';
import { createSite, prepareSceneAssets } from './studio-site.mjs';

let browser: Browser;
let assets: Map<string, Uint8Array>;

beforeAll(async () => {
  assets = await prepareSceneAssets(48);
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

const readState = (page: Page) => page.evaluate(() => window.palpable!.state());

/** Touches: the bunny pushed 6 cm down presses onto the teapot's lid. */
async function expectContacts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const pose = [...window.palpable!.state().devicePose];
    pose[2]! -= 0.06;
    window.palpable!.setToolPose(pose);
  });
  await settle(page);
  expect((await readState(page)).contacts).toBeGreaterThan(2);
}

/** As a host would serve the page that does not send the two headers. */
async function withoutIsolation(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers() };
    delete headers['cross-origin-opener-policy'];
    delete headers['cross-origin-embedder-policy'];
    await route.fulfill({ response, headers });
  });
}

/** A page on a site of its own with the given assets. */
async function withSite(siteAssets: Map<string, Uint8Array>, use: (page: Page, url: string) => Promise<void>) {
  const site = await createSite(siteAssets);
  const server = await serveStudio(site.folder);
  const { page, complaints } = await openPage(browser);
  try {
    await use(page, server.url);
    // The browser itself notes files that the test took away on purpose.
    expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
  } finally {
    await page.context().close();
    await server.close();
    await site.remove();
  }
}

describe('without prepared assets', () => {
  it('prepares in the page with progress, and touches', async () => {
    await withSite(new Map(), async (page, url) => {
      await page.goto(`${url}?resolution=64`);
      await page.getByRole('heading', { name: 'Preparing the scene' }).waitFor();
      expect(await page.getByRole('progressbar').count()).toBe(2);
      await waitUntilReady(page);
      expect((await readState(page)).origin).toEqual({ tool: 'built', environment: 'built' });
      expect(await page.getByText('Prepared in this tab').isVisible()).toBe(true);
      await expectContacts(page);
    });
  });

  it('can be cancelled and started again', async () => {
    await withSite(assets, async (page, url) => {
      await page.goto(`${url}?prepare=1`);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('heading', { name: 'Preparation cancelled' }).waitFor();
      expect((await readState(page)).phase).toBe('cancelled');
      await page.getByRole('button', { name: 'Prepare again' }).click();
      await page.getByRole('heading', { name: 'Preparing the scene' }).waitFor();
      expect((await readState(page)).phase).toBe('loading');
    });
  });

  it.each([
    ['missing', undefined],
    ['truncated', 0.7],
  ])('builds what is %s and takes the rest', async (_what, share) => {
    const damaged = new Map(assets);
    const whole = assets.get('bunny')!;
    if (share === undefined) damaged.delete('bunny');
    else damaged.set('bunny', whole.subarray(0, Math.floor(share * whole.length)));
    await withSite(damaged, async (page, url) => {
      await page.goto(url);
      await waitUntilReady(page);
      expect((await readState(page)).origin).toEqual({ tool: 'built', environment: 'asset' });
      await expectContacts(page);
    });
  });

  it('says so when the mesh is missing as well, and tries again when asked', async () => {
    await withSite(assets, async (page, url) => {
      await page.route('**/*.obj', (route) => route.fulfill({ status: 404 }));
      await page.goto(`${url}?resolution=32`);
      await page.getByRole('heading', { name: 'The scene could not be loaded' }).waitFor();
      expect(await page.getByText(/(bunny|teapot)\.obj is missing on the host/).isVisible()).toBe(true);
      await page.unroute('**/*.obj');
      await page.getByRole('button', { name: 'Try again' }).click();
      await waitUntilReady(page);
      await expectContacts(page);
    });
  });
});

describe('in a browser that lacks something', () => {
  it('works through messages where the page is not isolated', async () => {
    await withSite(assets, async (page, url) => {
      await withoutIsolation(page);
      await page.goto(url);
      await waitUntilReady(page);
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
      expect((await readState(page)).transport).toBe('messages');
      expect(await page.getByText('No shared memory').isVisible()).toBe(true);
      expect(await page.getByText('no loop runs').isVisible()).toBe(true);
      expect(await page.getByRole('region', { name: 'Feel' }).count()).toBe(0);
      await expectContacts(page);
      const { loop, toolPose, devicePose } = await readState(page);
      expect(loop).toBeUndefined();
      expect(toolPose).toEqual(devicePose);
    });
  });

  it('says what to do where there is no WebGL, and keeps the panel alive', async () => {
    await withSite(assets, async (page, url) => {
      await page.addInitScript(() => {
        HTMLCanvasElement.prototype.getContext = () => null;
      });
      await page.goto(url);
      await page.getByRole('heading', { name: 'This browser cannot draw in 3D' }).waitFor();
      expect((await readState(page)).phase).toBe('failed');
      await page.getByRole('button', { name: 'Help' }).click();
      await page.getByRole('dialog', { name: 'Mouse, touch and keys' }).waitFor();
    });
  });

  it('offers to start the loop again when it dies; the bunny can be moved meanwhile', async () => {
    await withSite(assets, async (page, url) => {
      await page.route('**/servo-worker-*.js', (route) => route.abort());
      await page.goto(url);
      await page.getByRole('heading', { name: 'The loop has stopped' }).waitFor();
      await waitUntilReady(page);
      await expectContacts(page);
      const { toolPose, devicePose } = await readState(page);
      expect(toolPose).toEqual(devicePose);
      expect(await page.getByRole('button', { name: 'Pause' }).isDisabled()).toBe(true);

      await page.unroute('**/servo-worker-*.js');
      await page.getByRole('button', { name: 'Start it again' }).click();
      await expect.poll(async () => (await readState(page)).loop?.cycles ?? 0, { timeout: 30_000 }).toBeGreaterThan(0);
      expect((await readState(page)).trouble).toBeUndefined();
      await settle(page);
      // It begins where the scene puts the bunny, and stops at the lid.
      expect((await readState(page)).loop?.gap).toBeGreaterThan(0.001);
    });
  });

  it('offers to start the contact thread again when it dies', async () => {
    await withSite(assets, async (page, url) => {
      await withoutIsolation(page);
      await page.route('**/contact-worker-*.js', (route) => route.abort());
      await page.goto(url);
      await page.getByRole('heading', { name: 'The contacts have stopped' }).waitFor();
      await page.unroute('**/contact-worker-*.js');
      await page.getByRole('button', { name: 'Start it again' }).click();
      await waitUntilReady(page);
      expect((await readState(page)).trouble).toBeUndefined();
      await expectContacts(page);
    });
  });
});
