/** Record, replay, compare and plot in the page, with the loop that really runs. */
import { readFileSync } from 'node:fs';
import { LIVE_COLUMNS } from '@palpable/engine';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, openPage, serveStudio, waitUntilReady } from './studio-page.mjs';
import { createSite, prepareSceneAssets } from './studio-site.mjs';

let browser: Browser;
let site: Awaited<ReturnType<typeof createSite>>;
let server: Awaited<ReturnType<typeof serveStudio>>;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  site = await createSite(await prepareSceneAssets(72));
  server = await serveStudio(site.folder);
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  await site?.remove();
});

beforeEach(async () => {
  ({ page, complaints } = await openPage(browser));
  await page.goto(server.url);
  await waitUntilReady(page);
});

afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

const readState = () => page.evaluate(() => window.palpable!.state());
const button = (name: string | RegExp) => page.getByRole('button', { name });
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

/** Lowers the device into the lid and lifts it again, while all of it is recorded. */
async function recordPush(): Promise<void> {
  const home = (await readState()).devicePose;
  const lower = (by: number) =>
    page.evaluate((pose) => window.palpable!.setToolPose(pose), [...home.slice(0, 2), home[2]! - by, ...home.slice(3)]);
  await button(/^Record/).click();
  await lower(0.06);
  await eventually(async () => (await readState()).loop!.force).toBeGreaterThan(0.5);
  await lower(0);
  await eventually(async () => (await readState()).loop!.force).toBeLessThan(1e-6);
  await button(/^End/).click();
}

describe('a take', () => {
  it('is recorded, listed, played back onto the stage, and left again', async () => {
    await recordPush();
    await eventually(() => button(/^Takes/).textContent()).toContain('1');
    await button(/^Takes/).click();
    await button(/^Play/).first().click();
    await eventually(() => page.getByRole('slider', { name: /^Time in/ }).count()).toBe(1);
    const slider = page.getByRole('slider', { name: /^Time in/ });
    const before = Number(await slider.inputValue());
    await eventually(async () => Number(await slider.inputValue())).toBeGreaterThan(before);
    await button('Live').click();
    await eventually(() => slider.count()).toBe(0);
  });

  it('is saved with every cycle', async () => {
    await recordPush();
    await button(/^Takes/).click();
    const saved = page.waitForEvent('download');
    await button(/as CSV$/).click();
    const lines = readFileSync((await (await saved).path())!, 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines[0]!.split(',')).toEqual(LIVE_COLUMNS);
    expect(lines.length).toBeGreaterThan(200);
    const force = LIVE_COLUMNS.indexOf('fz');
    const forces = lines.slice(1).map((line) => Math.abs(Number(line.split(',')[force])));
    expect(Math.max(...forces)).toBeGreaterThan(0.5);
  });

  it('is run through other methods, and their forces are set side by side', async () => {
    await recordPush();
    await button(/^Takes/).click();
    await button('Compare…').first().click();
    const dialog = page.getByRole('dialog', { name: /^Compare methods/ });
    for (const name of ['Penalty', 'Static friction', 'God object']) {
      const check = dialog.getByRole('checkbox', { name });
      if (!(await check.isChecked())) await check.check();
    }
    await dialog.getByRole('button', { name: /^Run \d+ variants?$/ }).click();
    const table = () => dialog.getByRole('table').first().textContent();
    for (const name of ['Penalty', 'Static friction', 'God object']) await eventually(table).toContain(name);
    await page.keyboard.press('Escape');
  });
});

describe('the plots', () => {
  it('show the pace of the loop always, and its force when they are unfolded', async () => {
    const rate = page.locator('[data-strip="rate"], .loop-strip dd').first();
    await eventually(async () => Number.parseFloat((await rate.textContent()) ?? '')).toBeGreaterThan(100);
    // An empty canvas of this size makes a much shorter picture.
    const pictureLength = () =>
      page.evaluate(() => document.querySelector<HTMLCanvasElement>('.plots-drawer canvas')?.toDataURL().length ?? 0);
    await button('Plots').click();
    await eventually(pictureLength).toBeGreaterThan(3000);
    await button('Plots').click();
    await eventually(() => page.locator('.plots-drawer canvas').count()).toBe(0);
  });
});
