// Prepares the bodies of the gallery's scenes for the studio, so that its first picture does not wait for them. Quick
// when nothing changed: what was prepared once is kept in `.palpable/cache`.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from './lib/run.mjs';

const { loadGalleryScene } = await import('../packages/cli/dist/prepare/gallery.js');
const { openAssetCache, writeAtomically } = await import('../packages/cli/dist/prepare/asset-cache.js');

const assets = join(repositoryRoot, 'packages', 'studio', 'public', 'assets');
await mkdir(assets, { recursive: true });
const cache = openAssetCache(join(repositoryRoot, '.palpable', 'cache'));
for (const { name, asset, fromCache } of await loadGalleryScene('bunny-teapot', { cache })) {
  const file = join(assets, `${name}.palpable`);
  const present = await readFile(file).catch(() => undefined);
  // A file that is left alone keeps its date, and the studio need not be built again.
  if (present?.equals(asset)) continue;
  await writeAtomically(file, asset);
  console.log(`${fromCache ? 'Took' : 'Prepared'} ${name} for the studio.`);
}
