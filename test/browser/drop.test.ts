/** Files that people bring: parts and scenes, sound and broken. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBox, type TriangleMesh } from '@palpable/engine';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/lib/run.mjs';
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
  await page.goto(`${server.url}?scene=block-plate`);
  await waitUntilReady(page);
});

afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

const readState = () => page.evaluate(() => window.palpable!.state());
const parts = () => page.getByRole('dialog', { name: 'Your parts' });
const refusal = () => page.getByRole('dialog', { name: 'This cannot be opened' });

interface NamedFile {
  readonly name: string;
  readonly text: string;
}

/** As the browser tells of files that are let go over the page. */
async function drop(...files: NamedFile[]): Promise<void> {
  await page.evaluate((all) => {
    const data = new DataTransfer();
    for (const { name, text } of all) data.items.add(new File([text], name));
    for (const kind of ['dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
  }, files);
}

function toObj({ positions, triangles }: TriangleMesh): string {
  const lines: string[] = [];
  for (let i = 0; i < positions.length; i += 3) lines.push(`v ${positions.slice(i, i + 3).join(' ')}`);
  for (let i = 0; i < triangles.length; i += 3) {
    lines.push(`f ${[...triangles.slice(i, i + 3)].map((corner) => corner + 1).join(' ')}`);
  }
  return lines.join('\n');
}

const slab: NamedFile = { name: 'slab.obj', text: toObj(createBox(200, 100, 20)) };
const pin: NamedFile = { name: 'pin.obj', text: toObj(createBox(20, 20, 60)) };

/** The tool hovers above what it is to touch. */
async function expectTouchBelow(): Promise<void> {
  await page.evaluate(async () => {
    const pose = [...window.palpable!.state().devicePose];
    for (let step = 0; step < 25; step += 1) {
      pose[2]! -= 0.001;
      window.palpable!.setToolPose(pose);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  await settle(page);
  // By the force, since a god object touches without going in.
  await expect.poll(async () => (await readState()).loop?.force ?? 0, { timeout: 60_000 }).toBeGreaterThan(0.05);
}

describe('parts', () => {
  it('are told of in plain words, prepared and touched', async () => {
    await drop(slab, pin);
    await parts().waitFor();
    await parts().getByText('Size 200 mm × 100 mm × 20 mm').waitFor();
    await parts().getByText('Closed: it bounds a volume of 400 cm³').waitFor();
    const pinCard = parts().getByRole('region', { name: 'pin.obj' });
    expect(await pinCard.getByRole('radio', { name: 'Tool in the hand' }).isChecked()).toBe(true);
    await parts().getByRole('button', { name: 'Prepare and touch' }).click();
    await page.getByRole('heading', { level: 1, name: 'slab and pin' }).waitFor();
    await waitUntilReady(page);
    expect((await readState()).origin).toEqual({ tool: 'built', environment: 'built' });
    await expectTouchBelow();

    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByText('No link: pin.obj and slab.obj are files of yours').waitFor();
  });

  it('change their size with the unit', async () => {
    await drop(slab);
    await parts().getByRole('radio', { name: 'inch' }).check({ force: true });
    await parts().getByText('Size 5.08 m × 2.54 m × 508 mm').waitFor();
    await parts().getByText('check the unit').waitFor();
    await page.keyboard.press('Escape');
    await parts().waitFor({ state: 'hidden' });
    expect((await readState()).sceneId).toBe('block-plate');
  });

  it('can be chosen with a button, and stay in the gallery of the tab', async () => {
    await page.keyboard.press('g');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    await (await choosing).setFiles([{ name: slab.name, mimeType: 'model/obj', buffer: Buffer.from(slab.text) }]);
    await parts().getByRole('button', { name: 'Prepare and touch' }).click();
    await page.getByRole('heading', { level: 1, name: 'slab' }).waitFor();
    await waitUntilReady(page);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Block on a plate' }).waitFor();
    await page.keyboard.press('g');
    await page.getByRole('button', { name: 'slab The block moves' }).click();
    await page.getByRole('heading', { level: 1, name: 'slab' }).waitFor();
    await waitUntilReady(page);
    await expectTouchBelow();
  });
});

describe('what cannot be opened', () => {
  it.each<[string, NamedFile[], RegExp]>([
    ['nothing', [{ name: 'empty.stl', text: '' }], /empty\.stl: The file is empty/],
    ['no mesh', [{ name: 'letter.stl', text: 'Dear Sir or Madam' }], /letter\.stl/],
    ['another format', [{ name: 'part.3mf', text: 'PK and more' }], /ZIP archive/],
    ['STEP', [{ name: 'part.step', text: 'ISO-10303-21;' }], /no CAD kernel/],
    ['no JSON', [{ name: 'scene.json', text: '{ "palpable": 1,' }], /scene\.json: line 1/],
    ['an unknown key', [{ name: 'scene.json', text: '{"palpable":1,"bodies":{},"tool":"a","colour":1}' }], /colour/],
    ['a newer version', [{ name: 'scene.json', text: '{"palpable":7,"bodies":{},"tool":"a"}' }], /palpable.*found 7/],
    [
      'a scene without its mesh',
      [
        {
          name: 'scene.json',
          text: '{"palpable":1,"bodies":{"a":{"mesh":"a.stl"},"b":{"mesh":{"sphere":1}}},"tool":"b"}',
        },
      ],
      /bodies\.a\.mesh: found "a\.stl".*together with its mesh files/s,
    ],
  ])('%s: says why and keeps the scene', async (_what, files, words) => {
    await drop(...files);
    await refusal().waitFor();
    expect(await refusal().getByRole('alert').textContent()).toMatch(words);
    await page.keyboard.press('Escape');
    const { sceneId, phase } = await readState();
    expect({ sceneId, phase }).toEqual({ sceneId: 'block-plate', phase: 'ready' });
  });
});

describe('a scene file', () => {
  it('opens with the meshes that come with it', async () => {
    const text = await readFile(join(repositoryRoot, 'scenes', 'peg-blind-hole.json'), 'utf8');
    const mesh = await readFile(join(repositoryRoot, 'scenes', 'meshes', 'blind-hole.obj'), 'utf8');
    const scene = JSON.parse(text) as { name: string; bodies: { hole: { mesh: string; field: object } } };
    scene.name = 'My own hole';
    scene.bodies.hole.mesh = 'parts/my-hole.obj';
    scene.bodies.hole.field = { resolution: 64 };
    await drop({ name: 'mine.json', text: JSON.stringify(scene) }, { name: 'my-hole.obj', text: mesh });
    await page.getByRole('heading', { level: 1, name: 'My own hole' }).waitFor();
    await waitUntilReady(page);
    expect((await readState()).phase).toBe('ready');
  });
});
