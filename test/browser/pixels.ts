/** Comparing pictures of a page, by letting a browser decode them. */
import type { Page } from 'playwright-core';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Share of the stage's pixels that change when `action` is done and the page has settled again. */
export async function changedShare(page: Page, box: Box, action: () => Promise<void>): Promise<number> {
  const before = await page.screenshot({ clip: box });
  await action();
  const after = await page.screenshot({ clip: box });
  return page.evaluate(
    async ([first, second]) => {
      const decode = async (base64: string) => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes]));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext('2d')!;
        context.drawImage(bitmap, 0, 0);
        return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
      };
      const a = await decode(first);
      const b = await decode(second);
      let changed = 0;
      for (let i = 0; i < a.length; i += 4) {
        const difference = Math.abs(a[i]! - b[i]!) + Math.abs(a[i + 1]! - b[i + 1]!) + Math.abs(a[i + 2]! - b[i + 2]!);
        if (difference > 24) changed++;
      }
      return changed / (a.length / 4);
    },
    [before.toString('base64'), after.toString('base64')] as const,
  );
}

/** Lightness of one pixel, 0 to 255. */
export async function lightnessAt(page: Page, x: number, y: number): Promise<number> {
  const picture = await page.screenshot({ clip: { x, y, width: 1, height: 1 } });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const context = new OffscreenCanvas(1, 1).getContext('2d')!;
    context.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0);
    const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
    return (r! + g! + b!) / 3;
  }, picture.toString('base64'));
}

/** How many pixels are of a cold red: the colour in which the device is drawn, and nothing else but deep contacts. */
export async function countReddish(page: Page, box: Box): Promise<number> {
  const picture = await page.screenshot({ clip: box });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let reddish = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i]! > data[i + 1]! + 18 && data[i + 2]! > data[i + 1]!) reddish++;
    }
    return reddish;
  }, picture.toString('base64'));
}
