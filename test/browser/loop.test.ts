/** The loop in the page: the bunny stays outside of the teapot, and what is felt can be changed while it is felt. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countReddish } from './pixels.js';
import { launchChromium, openPage, serveStudio, settle, waitUntilReady } from './studio-page.mjs';
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
const readLoop = async () => (await readState()).loop!;
const shown = async (name: string) => Number(await page.locator(`[data-reading="${name}"] .figures`).textContent());
/** A busy machine stalls the loop now and then, and the force comes back a third of a second later. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });
const choose = (method: string) =>
  page.getByRole('combobox', { name: 'Method', exact: true }).selectOption({ label: method });

/** Puts the device 6 cm below the start: inside the lid. */
async function press(): Promise<void> {
  await page.evaluate(() => {
    const pose = [...window.palpable!.state().devicePose];
    pose[2]! -= 0.06;
    window.palpable!.setToolPose(pose);
  });
  await settle(page);
}

describe('the loop', () => {
  it('runs on while nothing moves', async () => {
    const { cycles } = await readLoop();
    await page.waitForTimeout(1000);
    expect((await readLoop()).cycles - cycles).toBeGreaterThan(200);
    await eventually(() => shown('force')).toBe(0);
  });

  it.each([['Static friction'], ['God object']])(
    '%s keeps the bunny outside while the device goes in',
    async (method) => {
      await choose(method);
      const { toolPose: start } = await readState();
      await press();
      const { toolPose, devicePose, loop, deepest } = await readState();
      expect(loop!.gap).toBeGreaterThan(0.001);
      expect(toolPose[2]! - devicePose[2]!).toBeGreaterThan(0.001);
      expect(toolPose[2]).toBeLessThan(start[2]! - 0.02);
      // The device would be 2 cm deep.
      expect(deepest).toBeLessThan(0.005);
      await eventually(() => shown('gap')).toBeGreaterThan(1);
      await eventually(() => shown('force')).toBeGreaterThan(0.5);

      await page.keyboard.press('r');
      await settle(page);
      await eventually(async () => (await readLoop()).force).toBe(0);
      expect((await readLoop()).gap).toBeLessThan(1e-4);
    },
  );

  it('changes method and friction while they are felt', async () => {
    await press();
    expect((await readLoop()).method).toBe('static-friction');
    const outside = (await readLoop()).gap;
    await choose('Penalty');
    // The tool of the penalty method is where the device is.
    await eventually(async () => (await readLoop()).gap).toBeLessThan(1e-6);
    await settle(page);
    expect((await readState()).contacts).toBeGreaterThan(10);
    const field = page.getByRole('textbox', { name: 'Friction: coefficient' });
    // Its springs only push.
    expect(await field.count()).toBe(0);
    await choose('God object');
    await eventually(async () => (await readLoop()).method).toBe('god-object');
    await field.fill('0.2');
    await field.press('Enter');
    await eventually(async () => (await readLoop()).friction).toBe(0.2);
    // What was done can be undone.
    await page.getByRole('button', { name: /^Undo/ }).click();
    await eventually(async () => (await readLoop()).friction).toBe(0.5);

    await page.keyboard.press('r');
    await settle(page);
    await choose('Static friction');
    await press();
    expect((await readLoop()).gap).toBeGreaterThan(outside / 2);
    expect((await readState()).trouble).toBeUndefined();
  });

  it('pauses and goes on', async () => {
    await press();
    await eventually(async () => (await readLoop()).force).toBeGreaterThan(0.5);
    await page.getByRole('button', { name: 'Pause' }).click();
    await eventually(async () => (await readLoop()).force).toBe(0);
    await page.getByText('Paused: no force').waitFor();
    const { toolPose: rested } = await readState();
    await page.keyboard.press('r');
    await settle(page);
    expect((await readState()).toolPose).toEqual(rested);
    expect((await readLoop()).gap).toBeGreaterThan(0.02);

    await page.getByRole('button', { name: 'Resume' }).click();
    await eventually(async () => (await readLoop()).gap).toBeLessThan(1e-4);
  });

  it('shows the device where the bunny cannot follow', async () => {
    const box = (await page.locator('canvas').boundingBox())!;
    // Those of deep contacts are red as well.
    await page.getByRole('switch', { name: 'Contacts' }).click();
    await settle(page);
    expect(await countReddish(page, box)).toBe(0);
    await press();
    expect(await countReddish(page, box)).toBeGreaterThan(200);
    await page.keyboard.press('r');
    await settle(page);
    expect(await countReddish(page, box)).toBe(0);
  });
});
