/** What a person can do with the studio, done in Chromium. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { contrast } from './contrast.js';
import { type Box, changedShare, lightnessAt } from './pixels.js';
import { launchChromium, openPage, serveStudio, settle, waitUntilReady } from './studio-page.mjs';
import { createSite, prepareSceneAssets } from './studio-site.mjs';

let browser: Browser;
let site: Awaited<ReturnType<typeof createSite>>;
let server: Awaited<ReturnType<typeof serveStudio>>;

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

const readState = (page: Page) => page.evaluate(() => window.palpable!.state());
const reading = (page: Page, name: string) => page.locator(`[data-reading="${name}"] .figures`);

async function stageBox(page: Page): Promise<Box> {
  return (await page.locator('canvas').boundingBox())!;
}

/** A point on the bunny in the first view, found with the pointer as a person would. */
async function pointOnTool(page: Page): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await stageBox(page);
  for (const share of [0.36, 0.4, 0.32, 0.44]) {
    const point = { x: x + 0.48 * width, y: y + share * height };
    await page.mouse.move(point.x, point.y);
    if ((await page.locator('canvas').getAttribute('data-over')) === 'tool') return point;
  }
  throw new Error('The bunny was not found where the first view should show it.');
}

describe('the studio', () => {
  let page: Page;
  let complaints: string[];
  let foreignRequests: string[];

  beforeEach(async () => {
    ({ page, complaints, foreignRequests } = await openPage(browser));
    await page.goto(server.url);
    await waitUntilReady(page);
  });

  afterEach(async () => {
    await page.context().close();
    expect(complaints).toEqual([]);
    expect(foreignRequests).toEqual([]);
  });

  it('opens isolated, with prepared assets, and rests', async () => {
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    const state = await readState(page);
    expect(state).toMatchObject({
      phase: 'ready',
      trouble: undefined,
      transport: 'shared memory',
      origin: { tool: 'asset', environment: 'asset' },
      contacts: 0,
    });
    expect(state.shellPoints).toBeGreaterThan(5000);
    // On a busy machine the last sharp picture may come late; then nothing more is drawn.
    await vi.waitFor(
      async () => {
        const { picturesDrawn } = await readState(page);
        await page.waitForTimeout(1500);
        expect((await readState(page)).picturesDrawn).toBe(picturesDrawn);
      },
      { timeout: 30_000 },
    );
    expect(await reading(page, 'pictures').textContent()).toBe('at rest');
  });

  it.each([
    ['t', 'Bunny', 0.02],
    ['e', 'Teapot', 0.08],
    ['s', 'Shell', 0.005],
  ])('shows what key %s switches (%s)', async (key, name, share) => {
    const toggle = page.getByRole('switch', { name });
    expect(await toggle.isChecked()).toBe(true);
    // Shell points lie on the bunny and would stand in for it.
    if (name === 'Bunny') await page.keyboard.press('s');
    await settle(page);
    const changed = await changedShare(page, await stageBox(page), async () => {
      await page.keyboard.press(key);
      await settle(page);
    });
    expect(changed).toBeGreaterThan(share);
    expect(await toggle.isChecked()).toBe(false);
  });

  it('finds contacts when the bunny is dragged onto the teapot', async () => {
    const from = await pointOnTool(page);
    await page.mouse.down();
    for (let step = 1; step <= 12; step++) await page.mouse.move(from.x, from.y + 5 * step);
    await page.mouse.up();
    await settle(page);
    const { contacts, deepest } = await readState(page);
    expect(contacts).toBeGreaterThan(3);
    expect(deepest).toBeGreaterThan(0.0002);
    await expect.poll(() => reading(page, 'contacts').textContent()).toBe(contacts.toLocaleString('en'));
    expect(await reading(page, 'deepest').textContent()).toBe((1000 * deepest).toFixed(2));
    expect(await page.locator('.hint').getAttribute('data-done')).toBe('true');
    const changed = await changedShare(page, await stageBox(page), async () => {
      await page.getByRole('switch', { name: 'Contacts' }).click();
      await settle(page);
    });
    expect(changed).toBeGreaterThan(0.0003);
  });

  it('moves the bunny in depth with the wheel, turns it with Shift, leaves it alone elsewhere', async () => {
    const { devicePose: start } = await readState(page);
    const { x, y } = await pointOnTool(page);
    await page.mouse.down();
    await page.mouse.wheel(0, -300);
    await expect.poll(async () => (await readState(page)).toolPose[1]! - start[1]!).toBeGreaterThan(0.01);
    await page.keyboard.down('Shift');
    await page.mouse.move(x + 40, y, { steps: 4 });
    await page.keyboard.up('Shift');
    await page.mouse.up();
    const { devicePose: turned } = await readState(page);
    expect(Math.abs(turned[5]! - start[5]!) + Math.abs(turned[4]! - start[4]!)).toBeGreaterThan(0.05);

    const box = await stageBox(page);
    const changed = await changedShare(page, box, async () => {
      await page.mouse.move(box.x + 40, box.y + 40);
      await page.mouse.down();
      await page.mouse.move(box.x + 160, box.y + 60, { steps: 4 });
      await page.mouse.up();
      await page.mouse.wheel(0, 200);
      await settle(page);
    });
    expect(changed).toBeGreaterThan(0.1);
    expect((await readState(page)).devicePose).toEqual(turned);
  });

  it('shows a slice that moves with the slider and changes its axis', async () => {
    const box = await stageBox(page);
    const slider = page.getByRole('slider', { name: 'Position' });
    expect(await slider.isDisabled()).toBe(true);
    const shown = await changedShare(page, box, async () => {
      await page.getByRole('switch', { name: 'Slice' }).click();
      await settle(page);
    });
    expect(shown).toBeGreaterThan(0.1);
    expect(await page.getByText('Distance to the surface').isVisible()).toBe(true);
    const moved = await changedShare(page, box, async () => {
      await slider.fill('60');
      await settle(page);
    });
    expect(moved).toBeGreaterThan(0.02);
    expect(await slider.getAttribute('aria-valuetext')).toBe('y = 60 mm');
    const turned = await changedShare(page, box, async () => {
      await page.getByRole('radio', { name: 'z', exact: true }).check({ force: true });
      await settle(page);
    });
    expect(turned).toBeGreaterThan(0.05);
    const closed = await changedShare(page, box, async () => {
      await page.getByRole('switch', { name: 'Cut open' }).click();
      await settle(page);
    });
    expect(closed).toBeGreaterThan(0.02);
  });

  it('obeys the keyboard', async () => {
    const { devicePose: start } = await readState(page);
    await page.keyboard.press('ArrowRight');
    const { devicePose: moved } = await readState(page);
    expect(Math.hypot(moved[0]! - start[0]!, moved[1]! - start[1]!, moved[2]! - start[2]!)).toBeCloseTo(0.002, 9);
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('PageDown');
    expect((await readState(page)).devicePose[3]).not.toBe(start[3]);
    await page.keyboard.press('r');
    expect((await readState(page)).devicePose).toEqual(start);

    await page.keyboard.press(']');
    expect(await page.getByRole('switch', { name: 'Slice' }).isChecked()).toBe(true);
    const slider = page.getByRole('slider', { name: 'Position' });
    expect(await slider.getAttribute('aria-valuetext')).toBe('y = 5 mm');
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    expect(await slider.getAttribute('aria-valuetext')).toBe('y = 6 mm');
    expect((await readState(page)).devicePose).toEqual(start);

    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Mouse, touch and keys' });
    await help.waitFor();
    await page.keyboard.press('ArrowRight');
    expect((await readState(page)).devicePose).toEqual(start);
    await page.keyboard.press('Escape');
    await expect.poll(() => help.isVisible()).toBe(false);
  });

  it('can be walked through with the Tab key, every stop with a name', async () => {
    const names: string[] = [];
    for (let stop = 0; stop < 90; stop++) {
      await page.keyboard.press('Tab');
      names.push(
        await page.evaluate(() => {
          const element = document.activeElement as HTMLElement & { labels?: NodeListOf<HTMLLabelElement> };
          return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '';
        }),
      );
    }
    expect(names.filter((name) => name.trim() === '')).toEqual([]);
    for (const wanted of ['Bunny against teapot', 'Reset bunny', 'Help', 'Teapot', 'Contacts', 'Shell up to level']) {
      expect(names.some((name) => name.includes(wanted))).toBe(true);
    }
  });

  it('follows the system into the dark, and the user out of it', async () => {
    expect(await lightnessAt(page, 20, 20)).toBeGreaterThan(200);
    await page.emulateMedia({ colorScheme: 'dark' });
    await settle(page);
    expect(await lightnessAt(page, 20, 20)).toBeLessThan(60);
    await page.getByText('Light', { exact: true }).click();
    await settle(page);
    expect(await lightnessAt(page, 20, 20)).toBeGreaterThan(200);
    await page.reload();
    await waitUntilReady(page);
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
  });

  it.each(['light', 'dark'] as const)('is legible in the %s theme', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, colorScheme);
    const read = (name: string) =>
      page.evaluate((property) => getComputedStyle(document.documentElement).getPropertyValue(property), `--${name}`);
    const text = [
      'ink on panel',
      'ink on raised',
      'ink on stage-background',
      'accent-ink on accent',
      'stop-ink on stop',
    ];
    const softText = ['panel', 'raised', 'ground', 'stage-background'].map((ground) => `ink-soft on ${ground}`);
    const parts = ['accent on panel', 'accent on stage-background', 'line-strong on panel'];
    const tooWeak: string[] = [];
    for (const pair of [...text, ...softText, ...parts]) {
      const [front, back] = pair.split(' on ') as [string, string];
      const ratio = contrast(await read(front), await read(back));
      if (ratio < (parts.includes(pair) ? 3 : 4.5)) tooWeak.push(`${pair}: ${ratio.toFixed(2)}`);
    }
    expect(tooWeak).toEqual([]);
  });

  it('pauses while the graphics context is lost and goes on when it is back', async () => {
    await page.evaluate(() => {
      const context = document.querySelector('canvas')!.getContext('webgl2')!;
      const extension = context.getExtension('WEBGL_lose_context')!;
      extension.loseContext();
      setTimeout(() => extension.restoreContext(), 1000);
    });
    await page.getByRole('heading', { name: 'Drawing is paused' }).waitFor();
    await page.getByRole('heading', { name: 'Drawing is paused' }).waitFor({ state: 'detached' });
    await settle(page);
    const changed = await changedShare(page, await stageBox(page), async () => {
      await page.keyboard.press('e');
      await settle(page);
    });
    expect(changed).toBeGreaterThan(0.08);
  });
});

describe('the studio on a phone', () => {
  it('folds the panel into a sheet and is handled with fingers', async () => {
    const { page, complaints } = await openPage(browser, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await page.goto(server.url);
    await waitUntilReady(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await reading(page, 'contacts').isVisible()).toBe(true);
    expect(await page.getByRole('switch', { name: 'Slice' }).isVisible()).toBe(false);

    await page.getByRole('button', { name: 'Unfold the panel' }).click();
    await page.getByRole('switch', { name: 'Slice' }).click();
    expect(await page.getByRole('switch', { name: 'Slice' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Fold the panel away' }).click();
    await page.getByRole('switch', { name: 'Slice' }).waitFor({ state: 'hidden' });

    const { toolPose: start } = await readState(page);
    const { x, y } = await pointOnTool(page);
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints });
    await touch('touchStart', [{ x, y }]);
    for (let step = 1; step <= 4; step++) await touch('touchMove', [{ x, y: y + 10 * step }]);
    await touch('touchEnd', []);
    await expect.poll(async () => start[2]! - (await readState(page)).toolPose[2]!).toBeGreaterThan(0.03);
    await page.context().close();
    expect(complaints).toEqual([]);
  });
});
