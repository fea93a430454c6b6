// Makes the small pictures of the studio's gallery: `node scripts/gallery-pictures.mjs [folder of the built page]`. To be
// run after `npm run build` when a scene or the look of the stage has changed; the pictures are kept with the sources.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium, openPage, serveStudio, waitUntilReady } from '../test/browser/studio-page.mjs';
import { repositoryRoot } from './lib/run.mjs';

/** The stage alone. */
const BARE = `
  #studio { display: block !important; }
  .stage { height: 100vh; }
  .stage > :not(canvas), .panel { display: none !important; }`;

const pictures = join(repositoryRoot, 'packages', 'studio', 'public', 'gallery');
await mkdir(pictures, { recursive: true });
const scenes = (await readdir(join(repositoryRoot, 'scenes')))
  .filter((name) => name.endsWith('.json') && name !== 'schema.json')
  .map((name) => name.replace(/\.json$/, ''));
const server = await serveStudio(process.argv[2]);
const browser = await launchChromium();
try {
  for (const scene of scenes) {
    const { page } = await openPage(browser, { viewport: { width: 320, height: 200 }, deviceScaleFactor: 1.5 });
    await page.goto(`${server.url}?scene=${scene}`);
    await page.addStyleTag({ content: BARE });
    await waitUntilReady(page);
    const picture = await page.locator('canvas').screenshot();
    await writeFile(join(pictures, `${scene}.png`), picture);
    console.log(`${scene}: ${Math.round(picture.length / 1000)} kB`);
    await page.context().close();
  }
} finally {
  await browser.close();
  await server.close();
}
