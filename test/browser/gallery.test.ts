/** The gallery: scenes by key, by address and by link. What each scene is about is tested without a page. */
import { describe, expect, it } from 'vitest';
import {
  button,
  download,
  eventually,
  freshPage,
  goTo,
  lead,
  open,
  page,
  readForce,
  readState,
  ready,
  useStudio,
} from './studio.js';

useStudio();

const gallery = () => page.getByRole('dialog', { name: 'Scenes' });
const title = (name: string) => page.getByRole('heading', { level: 1, name });

describe('the gallery', () => {
  it('opens with a key, changes the scene, which can be touched, and goes back', async () => {
    await open('?scene=block-plate');
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
    await eventually(() =>
      pictures.evaluateAll((all) => all.every((image) => (image as HTMLImageElement).naturalWidth > 0)),
    ).toBe(true);
    // By keys alone: the card has the focus after a few stops.
    for (let stop = 0; stop < 24; stop += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => document.activeElement?.textContent ?? '');
      if (focused.startsWith('Peg 1 %')) break;
    }
    await page.keyboard.press('Enter');
    await title('Peg 1 % wider than its hole').waitFor();
    await ready();
    expect(await readState()).toMatchObject({ sceneId: 'peg-hole', phase: 'ready', trouble: undefined });
    expect(new URL(page.url()).search).toBe('?scene=peg-hole');
    await lead([0, 0, -0.06]);
    // By the force, since a peg that does not fit hardly goes in.
    await eventually(readForce).toBeGreaterThan(0.05);

    await page.goBack();
    await title('Block on a plate').waitFor();
    await ready();
    expect((await readState()).sceneId).toBe('block-plate');
  });

  it('says which scenes there are when asked for another', async () => {
    await goTo('?scene=nothing');
    await page.getByRole('heading', { name: 'There is no such scene' }).waitFor();
    await page.getByText('it has nut-bolt, gears').waitFor();
    await button('Show the gallery').click();
    await gallery().waitFor();
    expect((await readState()).sceneId).toBe('bunny-teapot');
  });
});

describe('a scene to pass on', () => {
  it('is saved as a file that holds it, and opens from its link in a fresh browser', async () => {
    await open('?scene=block-plate');
    await button('Share').click();
    const { name, text } = await download(() => button('Save as a file').click());
    expect(name).toBe('block-on-a-plate.json');
    expect(JSON.parse(text)).toMatchObject({ palpable: 1, name: 'Block on a plate', tool: 'block' });
    const link = await page.getByRole('textbox', { name: 'Link to this scene' }).inputValue();
    expect(link).toContain('#scene=');

    await freshPage();
    await goTo(new URL(link).hash);
    await ready();
    await title('Block on a plate').waitFor();
    expect((await readState()).phase).toBe('ready');
  });

  it('is refused with what is wrong with its link, when a page is opened and when one is there', async () => {
    for (const [hash, words] of [
      ['#scene=abc', 'not hold a complete scene'],
      [`#scene=${Buffer.from('{"palpable":2,"bodies":{},"tool":"a"}').toString('base64url')}`, 'palpable: found 2'],
    ] as const) {
      await goTo(hash);
      await page.getByRole('heading', { name: 'The scene in this link cannot be opened' }).waitFor();
      await page.getByText(words).waitFor();
      expect((await readState()).sceneId).toBe('bunny-teapot');
    }
  });
});
