/** Record, replay, compare and plot in the page, with the loop that really runs. */
import { LIVE_COLUMNS } from '@palpable/engine/advanced';
import { expect, it } from 'vitest';
import { button, download, eventually, open, page, pressOntoLid, readForce, useStudio } from './studio.js';

useStudio();

/** Lowers the device into the lid and lifts it again, while all of it is recorded. */
async function recordPush(): Promise<void> {
  await button(/^Record/).click();
  await pressOntoLid();
  await eventually(readForce).toBeGreaterThan(0.5);
  await page.keyboard.press('r');
  await eventually(readForce).toBeLessThan(1e-6);
  await button(/^End/).click();
}

interface Watched {
  /** Height of the tallest dark line in any column of the force's plot so far, pixels. */
  tallestRise: number;
}

/** Plots show the last seconds, and a busy machine may take longer than those to look. Runs in the page. */
function watchPlots(): void {
  const watched = window as unknown as Watched;
  watched.tallestRise = 0;
  setInterval(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.plots-drawer canvas');
    if (!canvas || canvas.width === 0) return;
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    for (let x = 0; x < width; x += 1) {
      let dark = 0;
      for (let y = 0; y < height; y += 1) {
        const o = 4 * (y * width + x);
        if (data[o + 3]! > 128 && data[o]! + data[o + 1]! + data[o + 2]! < 240) dark += 1;
      }
      watched.tallestRise = Math.max(watched.tallestRise, dark);
    }
  }, 300);
}

it('a take is recorded, plotted, listed, played back onto the stage, saved with every cycle, and left again', async () => {
  await open();
  // The pace of the loop is always shown, its force when the plots are unfolded.
  const rate = page.locator('[data-strip="rate"], .loop-strip dd').first();
  await eventually(async () => Number.parseFloat((await rate.textContent()) ?? '')).toBeGreaterThan(100);
  await button('Plots').click();
  await page.evaluate(watchPlots);
  await recordPush();
  // Where the force rises the line is steep; without contact it is flat, a few pixels high.
  await eventually(() => page.evaluate(() => (window as unknown as Watched).tallestRise)).toBeGreaterThan(10);
  await button('Plots').click();
  await eventually(() => page.locator('.plots-drawer canvas').count()).toBe(0);

  await eventually(() => button(/^Takes/).textContent()).toContain('1');
  await button(/^Takes/).click();
  const { text } = await download(() => button(/as CSV$/).click());
  const lines = text.trimEnd().split('\n');
  expect(lines[0]!.split(',')).toEqual(LIVE_COLUMNS);
  const column = (name: (typeof LIVE_COLUMNS)[number]) =>
    lines.slice(1).map((line) => Number(line.split(',')[LIVE_COLUMNS.indexOf(name)]));
  const cycles = column('cycle');
  expect(cycles.length).toBeGreaterThan(50);
  expect(cycles).toEqual(cycles.map((_, row) => cycles[0]! + row));
  expect(Math.max(...column('fz').map(Math.abs))).toBeGreaterThan(0.5);

  await button(/^Play/).first().click();
  const slider = page.getByRole('slider', { name: /^Time in/ });
  await slider.waitFor();
  const before = Number(await slider.inputValue());
  await eventually(async () => Number(await slider.inputValue())).toBeGreaterThan(before);
  await button('Live').click();
  await eventually(() => slider.count()).toBe(0);
});

it('a take is run through other methods, and their forces are set side by side', async () => {
  await open();
  await recordPush();
  await button(/^Takes/).click();
  await button('Compare…').first().click();
  const dialog = page.getByRole('dialog', { name: /^Compare methods/ });
  const methods = ['Penalty', 'Static friction', 'God object'];
  for (const name of methods) {
    const check = dialog.getByRole('checkbox', { name });
    if (!(await check.isChecked())) await check.check();
  }
  await dialog.getByRole('button', { name: /^Run \d+ variants?$/ }).click();
  for (const name of methods) {
    const row = dialog.getByRole('table').first().getByRole('row', { name });
    await eventually(() => row.first().textContent()).toMatch(/[1-9]/);
  }
});
