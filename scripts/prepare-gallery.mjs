// Prepares the bodies of the gallery's scenes for the studio, so that its first picture does not wait for them. Quick
// when nothing changed: what was prepared once is kept in `.palpable/cache`.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from './lib/run.mjs';

const { encodeAsset, planPreparation } = await import('../packages/engine/dist/index.js');
const { checkSceneFile, openAssetCache, prepareScene, soundScene, writeAtomically } = await import(
  '../packages/cli/dist/internal.js'
);

const assets = join(repositoryRoot, 'packages', 'studio', 'public', 'assets');
await mkdir(assets, { recursive: true });
const cache = openAssetCache(join(repositoryRoot, '.palpable', 'cache'));
/** Which scenes are worth it, and under which names the studio looks for their bodies. */
const list = join(repositoryRoot, 'packages', 'studio', 'src', 'gallery', 'prepared.json');
const prepared = /** @type {Record<string, Record<string, string>>} */ (JSON.parse(await readFile(list, 'utf8')));
const open = async (/** @type {string} */ scene) => {
  const path = join(repositoryRoot, 'scenes', `${scene}.json`);
  return { path, checked: await checkSceneFile(path) };
};
/** Several scenes may share a file: it is made for the one that asks for most. */
const makers = /** @type {Map<string, { scene: string, parts: number }>} */ (new Map());
for (const [scene, files] of Object.entries(prepared)) {
  for (const [name, plan] of planPreparation(soundScene((await open(scene)).checked))) {
    const file = files[name];
    if (file === undefined) throw new Error(`${list} names no file for the ${name} of ${scene}.`);
    const parts = Object.values(plan).filter((part) => part).length;
    if (parts > (makers.get(file)?.parts ?? 0)) makers.set(file, { scene, parts });
  }
}
for (const [scene, files] of Object.entries(prepared)) {
  if (!Object.values(files).some((file) => makers.get(file)?.scene === scene)) continue;
  const { path, checked } = await open(scene);
  const bodies = await prepareScene(soundScene(checked), path, { cache });
  for (const [name, { body, fromCache }] of bodies) {
    const file = files[name];
    if (makers.get(file)?.scene !== scene) continue;
    const asset = encodeAsset(body);
    const present = await readFile(join(assets, file)).catch(() => undefined);
    // A file that is left alone keeps its date, and the studio need not be built again.
    if (present?.equals(asset)) continue;
    await writeAtomically(join(assets, file), asset);
    console.log(`${fromCache ? 'Took' : 'Prepared'} the ${name} of ${scene} for the studio.`);
  }
}
