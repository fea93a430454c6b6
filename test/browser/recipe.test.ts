/** The method that the recipe "Add a method" of CONTRIBUTING.md adds, in a studio that is built with it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/lib/run.mjs';
import { ISOLATION, startStaticHost } from '../lib/static-host.js';
import { addMethod, copyPackages, packageIn } from '../recipe/copied-packages.js';
import { eventually, lead, page, readForce, readLoop, ready, useStudio } from './studio.js';

useStudio();

const folder = copyPackages('engine', 'studio');
let host: Awaited<ReturnType<typeof startStaticHost>> | undefined;

beforeAll(async () => {
  addMethod(folder);
  const root = packageIn(folder, 'studio');
  await build({ root, logLevel: 'error', publicDir: false, build: { minify: false } });
  // Prepared bodies and pictures are those of the repository.
  const folders = [join(root, 'dist'), join(repositoryRoot, 'packages/studio/public')];
  host = await startStaticHost(folders, '/', ISOLATION);
});
afterAll(async () => {
  await host?.close();
  rmSync(folder, { recursive: true });
});

it('is offered by the panel with its parameter, chosen there, and felt', async () => {
  await page.goto(`${host!.url}?scene=block-plate`);
  await ready();
  await page.getByRole('combobox', { name: 'Method', exact: true }).selectOption('capped');
  await eventually(async () => (await readLoop()).method).toBe('capped');
  await lead([0, 0, -0.015]);
  await eventually(readForce).toBeGreaterThan(1);
  // Never above its ceiling, which the panel shows.
  expect(await readForce()).toBeLessThan(3.0001);
  await page.getByRole('textbox', { name: 'Filter the parameters' }).fill('ceiling');
  expect(await page.getByRole('textbox', { name: /ceiling$/i }).inputValue()).toBe('3');
  await page.goto('about:blank');
});
