/** The scenes of the gallery, each on the stage and touched; scenes by address, by link and by key. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, openPage, serveStudio, waitUntilReady } from './studio-page.mjs';

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

const readState = () => page.evaluate(() => window.palpable!.state());
const open = async (address: string) => {
  await page.goto(`${server.url}${address}`);
  await waitUntilReady(page);
};
const gallery = () => page.getByRole('dialog', { name: 'Scenes' });

/** Moves the device in steps until the tool touches. */
async function expectTouch(direction: readonly number[]): Promise<void> {
  await page.evaluate(async (along) => {
    const pose = [...window.palpable!.state().devicePose];
    for (let step = 0; step < 30; step += 1) {
      for (let axis = 0; axis < 3; axis += 1) pose[axis]! += along[axis]! / 30;
      window.palpable!.setToolPose(pose);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }, direction);
  // By the force, since a god object touches without going in; and not at rest, since a coarse field may let it tremble.
  await expect.poll(async () => (await readState()).loop?.force ?? 0, { timeout: 60_000 }).toBeGreaterThan(0.05);
}

describe('the gallery', () => {
  // One that the build prepared and one that is prepared here; the others are touched without a page.
  it.each([
    ['nut-bolt', [0, 0, -0.008]],
    ['thin-sheet&resolution=100', [0, 0, -0.04]],
  ])('has %s, whose tool touches', async (scene, direction) => {
    await open(`?scene=${scene}`);
    const { phase, trouble, sceneId } = await readState();
    expect({ phase, trouble, sceneId }).toEqual({ phase: 'ready', trouble: undefined, sceneId: scene.split('&')[0] });
    await expectTouch(direction);
  });

  it('opens with a key, changes the scene, and goes back', async () => {
    await open('');
    await page.keyboard.press('g');
    await gallery().waitFor();
    const pictures = gallery().locator('img');
    expect(await pictures.count()).toBe(20);
    expect(await gallery().getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Assembly',
      'Bodies that bend',
      'Experiments of the papers',
      'Basics',
    ]);
    await gallery().getByRole('button', { name: 'Nut on a bolt' }).getByText('Static friction, cone').waitFor();
    await expect
      .poll(() => pictures.evaluateAll((all) => all.every((image) => (image as HTMLImageElement).naturalWidth > 0)))
      .toBe(true);
    // By keys alone: the card has the focus after a few stops.
    for (let stop = 0; stop < 24; stop += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => document.activeElement?.textContent ?? '');
      if (focused.startsWith('Peg 1 %')) break;
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Peg 1 % wider than its hole' }).waitFor();
    await waitUntilReady(page);
    expect((await readState()).sceneId).toBe('peg-hole');
    expect(new URL(page.url()).search).toBe('?scene=peg-hole');
    await expectTouch([0, 0, -0.06]);

    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Bunny against teapot' }).waitFor();
    await waitUntilReady(page);
    expect((await readState()).sceneId).toBe('bunny-teapot');
  });

  it('says which scenes there are when asked for another', async () => {
    await open('?scene=nothing');
    await page.getByRole('heading', { name: 'There is no such scene' }).waitFor();
    await page.getByText('it has nut-bolt, gears').waitFor();
    await page.getByRole('button', { name: 'Show the gallery' }).click();
    await gallery().waitFor();
    expect((await readState()).sceneId).toBe('bunny-teapot');
  });
});

describe('a scene to pass on', () => {
  it('opens from its link in a fresh browser', async () => {
    await open('?scene=block-plate');
    await page.getByRole('button', { name: 'Share' }).click();
    const link = await page.getByRole('textbox', { name: 'Link to this scene' }).inputValue();
    expect(link).toContain('#scene=');
    const fresh = await openPage(browser);
    await fresh.page.goto(link);
    await waitUntilReady(fresh.page);
    await fresh.page.getByRole('heading', { level: 1, name: 'Block on a plate' }).waitFor();
    expect((await fresh.page.evaluate(() => window.palpable!.state())).phase).toBe('ready');
    await fresh.page.context().close();
    expect(fresh.complaints).toEqual([]);
  });

  it('is saved as a file that holds the scene', async () => {
    await open('?scene=block-plate');
    await page.getByRole('button', { name: 'Share' }).click();
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a file' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe('block-on-a-plate.json');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const saved = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { name: string; tool: string };
    expect(saved).toMatchObject({ palpable: 1, name: 'Block on a plate', tool: 'block' });
  });

  it.each([
    ['#scene=abc', 'not hold a complete scene'],
    [`#scene=${Buffer.from('{"palpable":2,"bodies":{},"tool":"a"}').toString('base64url')}`, 'palpable: found 2'],
  ])('says what is wrong with a link (%s)', async (hash, words) => {
    await open(hash);
    await page.getByRole('heading', { name: 'The scene in this link cannot be opened' }).waitFor();
    await page.getByText(words).waitFor();
    expect((await readState()).sceneId).toBe('bunny-teapot');
  });
});
