/** Files that people bring: parts and scenes, sound and broken. */
import { cp, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanMesh, createBox, readMesh, subdivideMesh, type TriangleMesh } from '@palpable/engine';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeStepBox } from '../../packages/lab/dist/bench/step-box.js';
import { repositoryRoot } from '../../scripts/lib/run.mjs';
import { launchChromium, openPage, serveStudio, settle, studioRoot, waitUntilReady } from './studio-page.mjs';

let browser: Browser;
let server: Awaited<ReturnType<typeof serveStudio>>;
let page: Page;
let complaints: string[];
/** Files that are too large to be handed over as text. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palpable-drop-'));
  server = await serveStudio();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  await rm(folder, { recursive: true });
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

/** With the browser's own dialog for files. */
async function choose(...paths: string[]): Promise<void> {
  await page.keyboard.press('g');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (await choosing).setFiles(paths);
}

/** The scene on the stage is the one from before, and works. */
async function expectSceneKept(): Promise<void> {
  const { sceneId, phase } = await readState();
  expect({ sceneId, phase }).toEqual({ sceneId: 'block-plate', phase: 'ready' });
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

/** One triangle, with its corners in another file. */
const gltf = JSON.stringify({
  asset: { version: '2.0' },
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
  bufferViews: [{ buffer: 0, byteLength: 36 }],
  buffers: [{ byteLength: 36, uri: 'corners.bin' }],
});

/** Names a solid that is not there. */
const hollowStep = writeStepBox([1, 1, 1]).replace(
  /DATA;[\s\S]*ENDSEC;/,
  "DATA;\n#1=MANIFOLD_SOLID_BREP('',#2);\nENDSEC;",
);

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
    await page.getByText('No link: pin.obj and slab.obj are your own files').waitFor();
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

  it('of 70,000 triangles tell how far they are all the way', async () => {
    const bunny = await readFile(join(repositoryRoot, 'scenes', 'meshes', 'bunny.obj'));
    const { mesh } = await readMesh(bunny, { fileName: 'bunny.obj' });
    const path = join(folder, 'fine-bunny.obj');
    await writeFile(path, toObj(subdivideMesh(cleanMesh(mesh).mesh, 70_000)));
    await page.evaluate(() => {
      const stages = new Set<string>();
      Object.assign(window, { stages });
      const note = () => {
        for (const { textContent } of document.querySelectorAll('.progress-stage')) stages.add(textContent ?? '');
      };
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await choose(path);
    await parts().getByText('70,000 triangles').waitFor();
    await parts().getByRole('button', { name: 'Prepare and touch' }).click();
    await page.getByRole('heading', { level: 1, name: 'fine-bunny' }).waitFor();
    await waitUntilReady(page);
    const stages = await page.evaluate(() => [...(window as unknown as { stages: Set<string> }).stages]);
    expect(stages).toEqual(
      expect.arrayContaining([
        'Reading',
        'Checking the mesh',
        'Reading the mesh',
        'distances near the surface',
        'Ready',
      ]),
    );
  });

  it('lead back to the scene before when their preparation is cancelled', async () => {
    await drop({ name: 'large.obj', text: toObj(subdivideMesh(createBox(200, 100, 20), 50_000)) });
    await parts().getByRole('button', { name: 'Prepare and touch' }).click();
    await page.getByRole('heading', { level: 1, name: 'large' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Preparation cancelled' }).waitFor();
    await page.getByRole('button', { name: 'Prepare again' }).waitFor();
    await page.getByRole('button', { name: 'Back to Block on a plate' }).click();
    await page.getByRole('heading', { level: 1, name: 'Block on a plate' }).waitFor();
    await waitUntilReady(page);
    await expectSceneKept();
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

describe('STEP files', () => {
  it('are cut into triangles, prepared and touched', async () => {
    await drop(
      { name: 'slab.step', text: writeStepBox([100, 60, 20]) },
      { name: 'pin.STP', text: writeStepBox([20, 20, 30]) },
    );
    await parts().getByText('Size 100 mm × 60 mm × 20 mm').waitFor();
    expect(await parts().getByText('The file states its own unit.').count()).toBe(2);
    await parts().getByRole('button', { name: 'Prepare and touch' }).click();
    await page.getByRole('heading', { level: 1, name: 'slab and pin' }).waitFor();
    await waitUntilReady(page);
    await expectTouchBelow();
  });

  it('are read by a page in any folder of a host, which fetches the kernel only for them', async () => {
    const root = join(folder, 'site');
    await cp(studioRoot, join(root, 'some', 'where'), { recursive: true });
    await writeFile(join(root, 'index.html'), '');
    const host = await serveStudio(root);
    try {
      const fetched: string[] = [];
      page.on('request', (request) => fetched.push(request.url()));
      await page.goto(`${host.url}some/where/?scene=block-plate`);
      await waitUntilReady(page);
      await drop(slab);
      await parts().getByText('Size 200 mm').waitFor();
      await page.keyboard.press('Escape');
      await parts().waitFor({ state: 'hidden' });
      expect(fetched.filter((url) => url.includes('occt'))).toEqual([]);
      const path = join(repositoryRoot, 'test', 'data', 'meshes', 'featuretype.STEP');
      await choose(path);
      await parts().getByText('Size 127 mm × 63.5 mm × 34.93 mm').waitFor();
      await parts().getByText('Closed: it bounds a volume of 190.5 cm³').waitFor();
      expect(fetched.some((url) => url.endsWith('.wasm'))).toBe(true);
    } finally {
      await page.goto('about:blank');
      await host.close();
    }
  });

  it('can be given up while they are read', async () => {
    await choose(join(repositoryRoot, 'test', 'data', 'meshes', 'featuretype.STEP'));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await parts().waitFor({ state: 'hidden' });
    await expectSceneKept();
    expect(await page.evaluate(() => document.querySelector('.drop-part'))).toBeNull();
  });
});

describe('files beside others', () => {
  it('are left out where they are colours', async () => {
    await drop(slab, { name: 'slab.mtl', text: 'newmtl wood' }, { name: 'wood.png', text: 'PNG' });
    await parts().getByText('Ignored, since you cannot feel colours: slab.mtl, wood.png.').waitFor();
  });

  it('are found where a glTF keeps its data in them', async () => {
    await page.evaluate((text) => {
      const corners = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
      const data = new DataTransfer();
      data.items.add(new File([text], 'part.gltf'));
      data.items.add(new File([corners], 'corners.bin'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, gltf);
    await parts().getByText('1 triangle on 3 vertices').waitFor();
  });

  it('are read as what they hold, not as what they are called', async () => {
    await drop({ name: 'slab.stl', text: slab.text });
    await parts().getByText('Named .stl, but the content is OBJ; read as that.').waitFor();
  });
});

/** What each is, and what is to be said of it. */
const REFUSED: readonly [what: string, files: NamedFile[], words: RegExp][] = [
  ['nothing', [{ name: 'empty.stl', text: '' }], /empty\.stl: The file is empty/],
  ['no mesh', [{ name: 'letter.stl', text: 'Dear Sir or Madam' }], /letter\.stl/],
  ['another format', [{ name: 'part.3mf', text: 'PK and more' }], /ZIP archive/],
  ['an archive', [{ name: 'parts.zip', text: 'PK and more' }], /parts\.zip is an archive; unpack it/],
  ['a picture that is called a mesh', [{ name: 'part.stl', text: '\x89PNG\r\n\x1a\n\0\0' }], /part\.stl: /],
  ['colours alone', [{ name: 'part.mtl', text: 'newmtl a' }], /part\.mtl: This holds colours or data, but no shape/],
  ['STEP without a solid', [{ name: 'part.step', text: 'ISO-10303-21;' }], /part\.step: The STEP file holds no solids/],
  ['an empty STEP file', [{ name: 'part.stp', text: '' }], /part\.stp: The file is empty/],
  [
    'a STEP file that holds nothing behind the word',
    [{ name: 'part.stp', text: hollowStep }],
    /part\.stp: The (CAD kernel cannot read this STEP file|CAD kernel crashed|STEP file holds no solids)/,
  ],
  [
    'twenty files',
    Array.from({ length: 20 }, (_, k) => ({ name: `${k}.stl`, text: 'solid' })),
    /20 parts; bring at most 8/,
  ],
  ['a glTF without its data', [{ name: 'part.gltf', text: gltf }], /keeps its data in "corners\.bin"; drop both files/],
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
];

describe('what cannot be opened', () => {
  it('says why of each file, one after the other, keeps the scene and stays alive', async () => {
    for (const [what, files, words] of REFUSED) {
      await drop(...files);
      await refusal().waitFor();
      expect(await refusal().getByRole('alert').textContent(), what).toMatch(words);
      await page.keyboard.press('Escape');
      await refusal().waitFor({ state: 'hidden' });
      await expectSceneKept();
    }
    await expectTouchBelow();
  });

  it('a folder: says why and keeps the scene', async () => {
    const path = join(folder, 'my parts');
    await mkdir(path);
    const browserSession = await page.context().newCDPSession(page);
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await browserSession.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
    }
    await refusal().getByText('my parts is a folder; open it, choose the files in it and drop those.').waitFor();
    await page.keyboard.press('Escape');
    await expectSceneKept();
  });

  it('more than a tab can bear: says why and keeps the scene', async () => {
    const path = join(folder, 'scan.stl');
    const file = await open(path, 'w');
    await file.truncate(400e6);
    await file.close();
    await choose(path);
    await refusal().getByText('scan.stl has 400 MB, more than the 300 MB that a tab can bear').waitFor();
    await page.keyboard.press('Escape');
    await expectSceneKept();
  });

  it('a STEP file on a host that has lost the kernel: says so, and reads it the next time', async () => {
    const box = { name: 'box.step', text: writeStepBox([10, 20, 30]) };
    await page.route('**/*.wasm', (route) => route.fulfill({ status: 404 }));
    await drop(box);
    await refusal().getByText('The CAD kernel that reads STEP files could not be loaded from the host').waitFor();
    // The browser's own words about the file that is missing.
    complaints.splice(0);
    await page.unroute('**/*.wasm');
    await drop(box);
    await parts().getByText('Size 10 mm × 20 mm × 30 mm').waitFor();
  });

  it('keeps the sound ones of several', async () => {
    await drop(slab, { name: 'letter.stl', text: 'Dear Sir or Madam' });
    const partly = page.getByRole('dialog', { name: 'Some of these files cannot be opened' });
    expect(await partly.getByRole('alert').textContent()).toMatch(/letter\.stl/);
    await partly.getByRole('button', { name: 'Continue with slab.obj' }).click();
    await parts().getByText('Size 200 mm × 100 mm × 20 mm').waitFor();
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
