/** The modular method in the page: a contact thread of its own, levels of detail, and changing to it while touching. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { changedShare } from './pixels.js';
import { launchChromium, openPage, serveStudio, settle, waitUntilReady } from './studio-page.mjs';

let browser: Browser;
let server: Awaited<ReturnType<typeof serveStudio>>;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  server = await serveStudio();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(async () => {
  ({ page, complaints } = await openPage(browser));
});

afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

const readLoop = () => page.evaluate(() => window.palpable!.state().loop!);
const shownRate = () => page.locator('[data-reading="contact-rate"]');
/** Two cores draw, feel and look for contacts at once. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

/** Moves the device down by so much, in steps, until there is a force. */
async function press(depth: number): Promise<void> {
  await page.evaluate(async (way) => {
    const pose = [...window.palpable!.state().devicePose];
    for (let step = 0; step < 30; step += 1) {
      pose[2]! -= way / 30;
      window.palpable!.setToolPose(pose);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }, depth);
  await eventually(async () => (await readLoop()).force).toBeGreaterThan(0.05);
}

it('finds contacts in a thread of its own, and shows their levels of detail', async () => {
  await page.goto(`${server.url}?scene=jaws`);
  await waitUntilReady(page);
  await press(0.022);
  await eventually(async () => (await readLoop()).contactRate).toBeGreaterThan(0);
  expect(await shownRate().textContent()).toContain('Contact thread');
  await eventually(async () =>
    Number((await shownRate().locator('.figures').textContent())?.replace(',', '')),
  ).toBeGreaterThan(0);
  expect(await page.getByRole('switch', { name: 'Clusters' }).isChecked()).toBe(true);
  const levels = page.getByRole('switch', { name: 'Levels of detail' });
  expect(await levels.isChecked()).toBe(true);
  // Held, so that only the levels change.
  await page.keyboard.press('d');
  await settle(page);
  const middle = { x: 200, y: 150, width: 500, height: 400 };
  const changed = await changedShare(page, middle, async () => {
    await page.keyboard.press('v');
    await settle(page);
  });
  expect(await levels.isChecked()).toBe(false);
  expect(changed).toBeGreaterThan(0.001);
});

it('takes over from another method while the tool touches, and gives back', async () => {
  await page.goto(server.url);
  await waitUntilReady(page);
  await press(0.06);
  expect(await shownRate().count()).toBe(0);
  const method = page.getByRole('combobox', { name: 'Method', exact: true });
  await method.selectOption('modular');
  await eventually(async () => (await readLoop()).method).toBe('modular');
  await eventually(async () => (await readLoop()).contactRate).toBeGreaterThan(0);
  await eventually(async () => (await readLoop()).force).toBeGreaterThan(0.05);
  expect(await shownRate().textContent()).toContain('Contact search');
  await method.selectOption('static-friction');
  await eventually(async () => (await readLoop()).contactRate).toBe(0);
  await eventually(async () => (await readLoop()).force).toBeGreaterThan(0.05);
  expect(await page.evaluate(() => window.palpable!.state().trouble)).toBeUndefined();
});
