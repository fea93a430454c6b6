// Prepares the bodies of the gallery's scenes for the studio, so that its first picture does not wait for them. Quick
// when nothing changed: what was prepared once is kept in `.palpable/cache`.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from './lib/run.mjs';

const { encodeAsset } = await import('../packages/engine/dist/index.js');
const { checkSceneFile, openAssetCache, prepareScene, soundScene, writeAtomically } = await import(
  '../packages/cli/dist/internal.js'
);

const assets = join(repositoryRoot, 'packages', 'studio', 'public', 'assets');
await mkdir(assets, { recursive: true });
const cache = openAssetCache(join(repositoryRoot, '.palpable', 'cache'));
/** Which scenes are worth it, and under which names the studio looks for their bodies. */
const list = join(repositoryRoot, 'packages', 'studio', 'src', 'gallery', 'prepared.json');
const prepared = /** @type {Record<string, Record<string, string>>} */ (JSON.parse(await readFile(list, 'utf8')));
for (const [scene, files] of Object.entries(prepared)) {
  const path = join(repositoryRoot, 'scenes', `${scene}.json`);
  const bodies = await prepareScene(soundScene(await checkSceneFile(path)), path, { cache });
  for (const [name, { body, fromCache }] of bodies) {
    const asset = encodeAsset(body);
    const file = files[name];
    if (file === undefined) throw new Error(`${list} names no file for the ${name} of ${scene}.`);
    const present = await readFile(join(assets, file)).catch(() => undefined);
    // A file that is left alone keeps its date, and the studio need not be built again.
    if (present?.equals(asset)) continue;
    await writeAtomically(join(assets, file), asset);
    console.log(`${fromCache ? 'Took' : 'Prepared'} the ${name} of ${scene} for the studio.`);
  }
}
