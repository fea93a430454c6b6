/** Bodies that bend in the page: prepared here, drawn as they are bent, strained, coupled, and softened while pressed. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/lib/run.mjs';
import { changedShare } from './pixels.js';
import { button, eventually, goTo, lead, open, page, readState, ready, useStudio } from './studio.js';

useStudio();

const readShape = async () => (await readState()).shape!;

/** A pad of rubber, held at its upper side, above a plate; of few elements, which are prepared in a moment. */
const PAD = {
  mesh: { box: [0.06, 0.06, 0.08] },
  position: [0, 0, 0.05],
  deformable: { young: 1e6, elementSize: 0.02, fixed: [{ min: [-0.1, -0.1, 0.03], max: [0.1, 0.1, 0.05] }] },
};
const SCENE = {
  palpable: 1,
  name: 'A pad on a plate',
  bodies: { plate: { mesh: { box: [0.2, 0.2, 0.02] }, position: [0, 0, -0.01] }, pad: PAD },
  tool: 'pad',
  method: { kind: 'deformable' },
  coupling: { stiffness: 3000, torsionalStiffness: 20 },
};

/** As a link that was shared. */
const link = (scene: unknown) => `#scene=${Buffer.from(JSON.stringify(scene)).toString('base64url')}`;

it('bends under the hand, with its stress, its coupled contacts and its material', async () => {
  await open(link(SCENE));
  expect(await readShape()).toMatchObject({ displacement: 0, stress: 0, couplings: 0 });
  expect(await page.getByText('No contacts. Press bodies together').count()).toBe(1);

  await lead([0, 0, -0.02]);
  await eventually(async () => (await readShape()).displacement).toBeGreaterThan(1e-4);
  const pressed = await readShape();
  expect(pressed.stress).toBeGreaterThan(1000);
  expect(pressed.stressTop).toBeGreaterThanOrEqual(pressed.stress);
  await eventually(async () => (await readState()).loop!.contactRate).toBeGreaterThan(0);

  await eventually(async () => (await readShape()).couplings).toBeGreaterThanOrEqual(4);
  const operator = page.getByRole('img', { name: /^Delassus operator of \d+ contacts/ });
  expect(await operator.evaluate(brightestPixel)).toBeGreaterThan(150);

  const stress = page.getByRole('switch', { name: 'Stress' });
  expect(await stress.isChecked()).toBe(true);
  const middle = { x: 200, y: 150, width: 500, height: 400 };
  const changed = await changedShare(page, middle, async () => {
    const { picturesDrawn } = await readState();
    await page.keyboard.press('m');
    await eventually(async () => (await readState()).picturesDrawn).toBeGreaterThan(picturesDrawn);
  });
  expect(await stress.isChecked()).toBe(false);
  expect(changed).toBeGreaterThan(0.005);

  const young = page.getByRole('textbox', { name: 'Pad: Young’s modulus' });
  expect(await young.inputValue()).toBe('1');
  await young.fill('0.1');
  await young.press('Enter');
  await eventually(async () => (await readShape()).displacement).toBeGreaterThan(3 * pressed.displacement);
  await page.keyboard.press('Control+z');
  await eventually(async () => (await readShape()).displacement).toBeLessThan(1.5 * pressed.displacement);
  expect(await young.inputValue()).toBe('1');
  expect((await readState()).trouble).toBeUndefined();
});

it('says why a body cannot be prepared', async () => {
  const fixed = [{ min: [1, 1, 1], max: [2, 2, 2] }];
  const pad = { ...PAD, deformable: { ...PAD.deformable, fixed } };
  await goTo(link({ ...SCENE, bodies: { ...SCENE.bodies, pad } }));
  const card = page.locator('.card.trouble');
  await card.getByRole('heading', { name: 'The scene could not be loaded' }).waitFor();
  expect(await card.textContent()).toMatch(/box \[1, 1, 1\] to \[2, 2, 2\].*move or widen the box\./i);
});

it('takes tetrahedra that are dropped as a soft body', async () => {
  await open('?scene=block-plate');
  await page.keyboard.press('g');
  const file = join(repositoryRoot, 'test', 'data', 'tetrahedra', 'bar-186.msh');
  await page.getByLabel('Mesh or scene files').setInputFiles([file]);
  const part = page.locator('.drop-part');
  await part.waitFor();
  expect(await part.textContent()).toContain('186 tetrahedra fill it.');
  expect(await part.getByRole('radio', { name: 'Soft' }).isChecked()).toBe(true);
  await button('Prepare and touch').click();
  await eventually(async () => (await readState()).sceneId).toMatch(/^own-/);
  await ready();
  expect((await readState()).loop).toMatchObject({ method: 'deformable' });
  expect(await readShape()).toMatchObject({ displacement: 0 });
});

/** Runs in the page. */
function brightestPixel(canvas: SVGElement | HTMLElement): number {
  const { width, height } = canvas as HTMLCanvasElement;
  const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
  let most = 0;
  for (let i = 0; i < data.length; i += 4) most = Math.max(most, Math.min(data[i]!, data[i + 1]!, data[i + 2]!));
  return most;
}
