/** What a person can do with the studio, done in Chromium. */
import { describe, expect, it } from 'vitest';
import { contrast } from './contrast.js';
import { changedShare, lightnessAt } from './pixels.js';
import {
  eventually,
  freshPage,
  open,
  page,
  pointOnTool,
  readState,
  ready,
  rest,
  stageBox,
  useStudio,
} from './studio.js';

useStudio();

const reading = (name: string) => page.locator(`[data-reading="${name}"] .figures`);

describe('the studio', () => {
  it('opens isolated, with prepared assets, rests, and shows what keys and switches change', async () => {
    await open();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    const state = await readState();
    expect(state).toMatchObject({
      phase: 'ready',
      trouble: undefined,
      transport: 'shared memory',
      origin: { tool: 'asset', environment: 'asset' },
      contacts: 0,
    });
    expect(state.shellPoints).toBeGreaterThan(5000);
    await eventually(() => reading('pictures').textContent()).toBe('at rest');

    const box = await stageBox();
    const changes = (action: () => Promise<unknown>) =>
      changedShare(page, box, async () => {
        await action();
        await rest();
      });
    // Shell points lie on the bunny and would stand in for it, so that they go first.
    for (const [key, name, share] of [
      ['s', 'Shell', 0.005],
      ['t', 'Bunny', 0.02],
      ['e', 'Teapot', 0.08],
    ] as const) {
      const toggle = page.getByRole('switch', { name });
      expect(await toggle.isChecked()).toBe(true);
      expect(await changes(() => page.keyboard.press(key)), name).toBeGreaterThan(share);
      expect(await toggle.isChecked()).toBe(false);
    }
    for (const key of ['e', 't']) await page.keyboard.press(key);
    await rest();

    const slider = page.getByRole('slider', { name: 'Position' });
    expect(await slider.isDisabled()).toBe(true);
    expect(await changes(() => page.getByRole('switch', { name: 'Slice' }).click())).toBeGreaterThan(0.1);
    expect(await page.getByText('Distance to the surface').isVisible()).toBe(true);
    expect(await changes(() => slider.fill('60'))).toBeGreaterThan(0.02);
    expect(await slider.getAttribute('aria-valuetext')).toBe('y = 60 mm');
    const chooseZ = () => page.getByRole('radio', { name: 'z', exact: true }).check({ force: true });
    expect(await changes(chooseZ)).toBeGreaterThan(0.05);
    expect(await changes(() => page.getByRole('switch', { name: 'Cut open' }).click())).toBeGreaterThan(0.02);
    await page.getByRole('switch', { name: 'Slice' }).click();

    // A graphics context that is lost pauses the drawing, which goes on when it is back.
    await page.evaluate(() => {
      const context = document.querySelector('canvas')!.getContext('webgl2')!;
      const extension = context.getExtension('WEBGL_lose_context')!;
      Object.assign(window, { restoreContext: () => extension.restoreContext() });
      extension.loseContext();
    });
    const paused = page.getByRole('heading', { name: 'Drawing is paused' });
    await paused.waitFor();
    await page.evaluate(() => (window as unknown as { restoreContext(): void }).restoreContext());
    await paused.waitFor({ state: 'detached' });
    await rest();
    expect(await changes(() => page.keyboard.press('e'))).toBeGreaterThan(0.08);
  });

  it('lets the bunny be dragged onto the teapot, pushed with the wheel and turned with Shift, and nothing else', async () => {
    await open();
    const { devicePose: start } = await readState();
    const from = await pointOnTool();
    await page.mouse.down();
    for (let step = 1; step <= 12; step++) await page.mouse.move(from.x, from.y + 5 * step);
    await page.mouse.up();
    await rest();
    const { contacts, deepest } = await readState();
    expect(contacts).toBeGreaterThan(0);
    expect(deepest).toBeGreaterThan(0);
    expect(deepest).toBeLessThan(0.0002);
    await eventually(() => reading('contacts').textContent()).toBe(contacts.toLocaleString('en'));
    expect(await reading('deepest').textContent()).toBe((1000 * deepest).toFixed(2));
    expect(await page.locator('.hint').getAttribute('data-done')).toBe('true');
    const box = await stageBox();
    const withoutContacts = await changedShare(page, box, async () => {
      await page.getByRole('switch', { name: 'Contacts' }).click();
      await rest();
    });
    expect(withoutContacts).toBeGreaterThan(0.0003);

    await page.keyboard.press('r');
    await rest();
    const { x, y } = await pointOnTool();
    await page.mouse.down();
    await page.mouse.wheel(0, -300);
    await eventually(async () => (await readState()).toolPose[1]! - start[1]!).toBeGreaterThan(0.01);
    await page.keyboard.down('Shift');
    await page.mouse.move(x + 40, y, { steps: 4 });
    await page.keyboard.up('Shift');
    await page.mouse.up();
    const { devicePose: turned } = await readState();
    expect(Math.abs(turned[5]! - start[5]!) + Math.abs(turned[4]! - start[4]!)).toBeGreaterThan(0.05);

    const changed = await changedShare(page, box, async () => {
      await page.mouse.move(box.x + 40, box.y + 40);
      await page.mouse.down();
      await page.mouse.move(box.x + 160, box.y + 60, { steps: 4 });
      await page.mouse.up();
      await page.mouse.wheel(0, 200);
      await rest();
    });
    expect(changed).toBeGreaterThan(0.1);
    expect((await readState()).devicePose).toEqual(turned);
  });

  it('obeys the keyboard, and can be walked through with the Tab key, every stop with a name', async () => {
    await open();
    const { devicePose: start } = await readState();
    await page.keyboard.press('ArrowRight');
    const { devicePose: moved } = await readState();
    expect(Math.hypot(moved[0]! - start[0]!, moved[1]! - start[1]!, moved[2]! - start[2]!)).toBeCloseTo(0.002, 9);
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('PageDown');
    expect((await readState()).devicePose[3]).not.toBe(start[3]);
    await page.keyboard.press('r');
    expect((await readState()).devicePose).toEqual(start);

    await page.keyboard.press(']');
    expect(await page.getByRole('switch', { name: 'Slice' }).isChecked()).toBe(true);
    const slider = page.getByRole('slider', { name: 'Position' });
    expect(await slider.getAttribute('aria-valuetext')).toBe('y = 5 mm');
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    expect(await slider.getAttribute('aria-valuetext')).toBe('y = 6 mm');
    expect((await readState()).devicePose).toEqual(start);

    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Mouse, touch and keys' });
    await help.waitFor();
    await page.keyboard.press('ArrowRight');
    expect((await readState()).devicePose).toEqual(start);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });

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

  it('follows the system into the dark, and the user out of it, legible in both', async () => {
    await open();
    expect(await tooWeak()).toEqual([]);
    expect(await lightnessAt(page, 20, 20)).toBeGreaterThan(200);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    expect(await tooWeak()).toEqual([]);
    await rest();
    expect(await lightnessAt(page, 20, 20)).toBeLessThan(60);
    await page.getByText('Light', { exact: true }).click();
    await rest();
    expect(await lightnessAt(page, 20, 20)).toBeGreaterThan(200);
    await page.reload();
    await ready();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
  });
});

/** Pairs of colours of the page whose contrast is below that of the accessibility guidelines. */
async function tooWeak(): Promise<string[]> {
  const read = (name: string) =>
    page.evaluate((property) => getComputedStyle(document.documentElement).getPropertyValue(property), `--${name}`);
  const text = ['ink on panel', 'ink on raised', 'ink on stage-background', 'accent-ink on accent', 'stop-ink on stop'];
  const softText = ['panel', 'raised', 'ground', 'stage-background'].map((ground) => `ink-soft on ${ground}`);
  const parts = ['accent on panel', 'accent on stage-background', 'line-strong on panel'];
  const weak: string[] = [];
  for (const pair of [...text, ...softText, ...parts]) {
    const [front, back] = pair.split(' on ') as [string, string];
    const ratio = contrast(await read(front), await read(back));
    if (ratio < (parts.includes(pair) ? 3 : 4.5)) weak.push(`${pair}: ${ratio.toFixed(2)}`);
  }
  return weak;
}

describe('the studio on a phone', () => {
  it('folds the panel into a sheet and is handled with fingers', async () => {
    await freshPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await open();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await reading('contacts').isVisible()).toBe(true);
    expect(await page.getByRole('switch', { name: 'Slice' }).isVisible()).toBe(false);

    await page.getByRole('button', { name: 'Unfold the panel' }).click();
    await page.getByRole('switch', { name: 'Slice' }).click();
    expect(await page.getByRole('switch', { name: 'Slice' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Fold the panel away' }).click();
    await page.getByRole('switch', { name: 'Slice' }).waitFor({ state: 'hidden' });

    const { toolPose: start } = await readState();
    const { x, y } = await pointOnTool();
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints });
    await touch('touchStart', [{ x, y }]);
    for (let step = 1; step <= 4; step++) await touch('touchMove', [{ x, y: y + 10 * step }]);
    await touch('touchEnd', []);
    await eventually(async () => start[2]! - (await readState()).toolPose[2]!).toBeGreaterThan(0.03);
  });
});
