/** Files that people bring: parts and scenes, sound and broken. */
import { mkdir, mkdtemp, open as openFile, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanMesh, createBox, readMesh, type TriangleMesh } from '@palpable/engine';
import { subdivideMesh } from '@palpable/engine/advanced';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/lib/run.mjs';
import { startStaticHost } from '../lib/static-host.js';
import { writeStepBox } from '../lib/step-box.js';
import { button, complaints, eventually, lead, open, page, readForce, readState, ready, useStudio } from './studio.js';

useStudio();

/** Files that are too large to be handed over as text. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palpable-drop-'));
});
afterAll(() => rm(folder, { recursive: true }));

const PLATE = '?scene=block-plate';
const title = (name: string) => page.getByRole('heading', { level: 1, name });
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

/** From a folder of the machine, as the browser tells of it. */
async function dropPath(path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  }
}

/** With the browser's own dialog for files. */
async function choose(...paths: string[]): Promise<void> {
  await page.keyboard.press('g');
  const choosing = page.waitForEvent('filechooser');
  await button('Choose files').click();
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
  await lead([0, 0, -0.025]);
  // By the force, since a god object touches without going in.
  await eventually(readForce).toBeGreaterThan(0.05);
}

async function closeParts(): Promise<void> {
  await page.keyboard.press('Escape');
  await parts().waitFor({ state: 'hidden' });
}

describe('parts', () => {
  it('are described in plain words, prepared and touched, and stay in the gallery of the tab', async () => {
    await open(PLATE);
    await drop(slab);
    await parts().getByRole('radio', { name: 'inch' }).check({ force: true });
    await parts().getByText('Size 5.08 m × 2.54 m × 508 mm').waitFor();
    await parts().getByText('check the unit').waitFor();
    await closeParts();
    await expectSceneKept();

    await drop(slab, pin);
    await parts().waitFor();
    await parts().getByText('Size 200 mm × 100 mm × 20 mm').waitFor();
    await parts().getByText('Closed: it bounds a volume of 400 cm³').waitFor();
    const pinCard = parts().getByRole('region', { name: 'pin.obj' });
    expect(await pinCard.getByRole('radio', { name: 'Tool in the hand' }).isChecked()).toBe(true);
    await button('Prepare and touch').click();
    await title('slab and pin').waitFor();
    await ready();
    expect((await readState()).origin).toEqual({ tool: 'built', environment: 'built' });
    await expectTouchBelow();

    await button('Share').click();
    await page.getByText('No link: pin.obj and slab.obj are your own files').waitFor();
    await page.keyboard.press('Escape');
    await page.goBack();
    await title('Block on a plate').waitFor();
    await page.keyboard.press('g');
    await button(/^slab and pin/).click();
    await title('slab and pin').waitFor();
    await ready();
    await expectTouchBelow();
  });

  it('of 20,000 triangles tell how far they are all the way, and lead back to the scene before when cancelled', async () => {
    await open(PLATE);
    const bunny = await readFile(join(repositoryRoot, 'scenes', 'meshes', 'bunny.obj'));
    const { mesh } = await readMesh(bunny, { fileName: 'bunny.obj' });
    const path = join(folder, 'fine-bunny.obj');
    await writeFile(path, toObj(subdivideMesh(cleanMesh(mesh).mesh, 20_000)));
    await page.evaluate(() => {
      const stages = new Set<string>();
      Object.assign(window, { stages });
      const note = () => {
        for (const { textContent } of document.querySelectorAll('.progress-stage')) stages.add(textContent ?? '');
      };
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await choose(path);
    await parts().getByText('20,000 triangles').waitFor();
    await button('Prepare and touch').click();
    await title('fine-bunny').waitFor();
    await button('Cancel').click();
    await page.getByRole('heading', { name: 'Preparation cancelled' }).waitFor();
    await button('Prepare again').waitFor();
    await button('Back to Block on a plate').click();
    await title('Block on a plate').waitFor();
    await ready();
    await expectSceneKept();

    await page.goBack();
    await title('fine-bunny').waitFor();
    await ready();
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
});

describe('STEP files', () => {
  const real = join(repositoryRoot, 'test', 'data', 'meshes', 'featuretype.STEP');

  it('are cut into triangles, prepared and touched, unless the kernel is lost or they are given up', async () => {
    await open(PLATE);
    const box = { name: 'box.step', text: writeStepBox([10, 20, 30]) };
    await page.route('**/*.wasm', (route) => route.fulfill({ status: 404 }));
    await drop(box);
    await refusal().getByText('The CAD kernel that reads STEP files could not be loaded from the host').waitFor();
    // The browser's own words about the file that is missing.
    complaints.splice(0);
    await page.unroute('**/*.wasm');
    await drop(box);
    await parts().getByText('Size 10 mm × 20 mm × 30 mm').waitFor();
    await closeParts();

    await choose(real);
    await button('Cancel').click();
    await parts().waitFor({ state: 'hidden' });
    await expectSceneKept();
    expect(await page.locator('.drop-part').count()).toBe(0);

    await drop(
      { name: 'slab.step', text: writeStepBox([100, 60, 20]) },
      { name: 'pin.STP', text: writeStepBox([20, 20, 30]) },
    );
    await parts().getByText('Size 100 mm × 60 mm × 20 mm').waitFor();
    expect(await parts().getByText('The file states its own unit.').count()).toBe(2);
    await button('Prepare and touch').click();
    await title('slab and pin').waitFor();
    await ready();
    await expectTouchBelow();
  });

  it('are read by a page in any folder of a host, which fetches the kernel only for them', async () => {
    const host = await startStaticHost([join(repositoryRoot, 'packages', 'studio', 'dist')], '/some/where/');
    try {
      const fetched: string[] = [];
      page.on('request', (request) => fetched.push(request.url()));
      await page.goto(host.url + PLATE);
      await ready();
      await drop(slab);
      await parts().getByText('Size 200 mm').waitFor();
      await closeParts();
      expect(fetched.filter((url) => url.includes('occt'))).toEqual([]);
      await choose(real);
      await parts().getByText('Size 127 mm × 63.5 mm × 34.93 mm').waitFor();
      await parts().getByText('Closed: it bounds a volume of 190.5 cm³').waitFor();
      expect(fetched.some((url) => url.endsWith('.wasm'))).toBe(true);
    } finally {
      await page.goto('about:blank');
      await host.close();
    }
  });
});

describe('files beside others', () => {
  it('are left out, found, or read as what they hold', async () => {
    await open(PLATE);
    await drop(slab, { name: 'slab.mtl', text: 'newmtl wood' }, { name: 'wood.png', text: 'PNG' });
    await parts().getByText('Ignored, since you cannot feel colours: slab.mtl, wood.png.').waitFor();
    await closeParts();

    // A glTF keeps its data in another file.
    await page.evaluate((text) => {
      const corners = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
      const data = new DataTransfer();
      data.items.add(new File([text], 'part.gltf'));
      data.items.add(new File([corners], 'corners.bin'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, gltf);
    await parts().getByText('1 triangle on 3 vertices').waitFor();
    await closeParts();

    await drop({ name: 'slab.stl', text: slab.text });
    await parts().getByText('Named .stl, but the content is OBJ; read as that.').waitFor();
    await closeParts();

    await drop(slab, { name: 'letter.stl', text: 'Dear Sir or Madam' });
    const partly = page.getByRole('dialog', { name: 'Some of these files cannot be opened' });
    expect(await partly.getByRole('alert').textContent()).toMatch(/letter\.stl/);
    await partly.getByRole('button', { name: 'Continue with slab.obj' }).click();
    await parts().getByText('Size 200 mm × 100 mm × 20 mm').waitFor();
    await closeParts();

    // A scene with the meshes that come with it.
    const text = await readFile(join(repositoryRoot, 'scenes', 'peg-blind-hole.json'), 'utf8');
    const mesh = await readFile(join(repositoryRoot, 'scenes', 'meshes', 'blind-hole.obj'), 'utf8');
    const scene = JSON.parse(text) as { name: string; bodies: { hole: { mesh: string; field: object } } };
    scene.name = 'My own hole';
    scene.bodies.hole.mesh = 'parts/my-hole.obj';
    scene.bodies.hole.field = { resolution: 32 };
    await drop({ name: 'mine.json', text: JSON.stringify(scene) }, { name: 'my-hole.obj', text: mesh });
    await title('My own hole').waitFor();
    await ready();
    expect((await readState()).phase).toBe('ready');
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
    await open(PLATE);
    for (const [what, files, words] of REFUSED) {
      await drop(...files);
      await expectRefused(words, what);
    }
    const partsFolder = join(folder, 'my parts');
    await mkdir(partsFolder);
    await dropPath(partsFolder);
    await expectRefused(/my parts is a folder; open it, choose the files in it and drop those\./);

    const path = join(folder, 'scan.stl');
    const file = await openFile(path, 'w');
    await file.truncate(400e6);
    await file.close();
    await dropPath(path);
    await expectRefused(/scan\.stl has 400 MB, more than the 300 MB that a tab can bear/);
    await expectTouchBelow();
  });

  async function expectRefused(words: RegExp, what?: string): Promise<void> {
    await refusal().waitFor();
    expect(await refusal().getByRole('alert').textContent(), what).toMatch(words);
    await page.keyboard.press('Escape');
    await refusal().waitFor({ state: 'hidden' });
    await expectSceneKept();
  }
});
