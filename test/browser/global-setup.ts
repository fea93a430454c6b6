/** One Chromium and one studio, as `palpable studio` serves it, for all browser tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { repositoryRoot } from '../../scripts/lib/run.mjs';
import { prepareSceneAssets } from '../../scripts/lib/studio-site.mjs';
import { chromiumOptions } from './studio-page.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    readonly chromiumEndpoint: string;
    readonly studioUrl: string;
    /** File of the teapot with a coarse field: the one of the build takes a second more to load, in every page. */
    readonly coarseTeapot: string;
  }
}

/** Voxels along the longest side of the coarse teapot. */
const RESOLUTION = 72;

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'palpable-browser-'));
  const teapot = join(folder, 'teapot.palpable');
  writeFileSync(teapot, (await prepareSceneAssets(RESOLUTION)).get('teapot')!);
  const studio = await startStudio();
  const browser = await chromium.launchServer(chromiumOptions());
  project.provide('chromiumEndpoint', browser.wsEndpoint());
  project.provide('studioUrl', studio.url);
  project.provide('coarseTeapot', teapot);
  return async () => {
    await browser.close();
    await studio.stop();
    rmSync(folder, { recursive: true });
  };
}

async function startStudio() {
  const program = join(repositoryRoot, 'packages/cli/bin/palpable.js');
  const child = spawn(process.execPath, [program, 'studio', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  while (!said.includes('}')) said += (await once(child.stdout, 'data'))[0];
  const { url } = JSON.parse(said) as { url: string };
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  };
  return { url, stop };
}
