// Copies of the built studio with prepared assets of a low resolution: quick to make, the same on every machine, and
// independent of what the build put beside the page.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { checkSceneValue, cleanMesh, encodeAsset, planPreparation, prepareBody, readMesh } from '@palpable/engine';
import { repositoryRoot } from './run.mjs';
import { studioRoot } from './serve-studio.mjs';

const scenes = join(repositoryRoot, 'scenes');

/**
 * The prepared bodies of the bunny and teapot scene by name.
 *
 * @param {number} resolution most voxels along the longest side of a field
 * @returns {Promise<Map<string, Uint8Array>>}
 */
export async function prepareSceneAssets(resolution) {
  const written = JSON.parse(await readFile(join(scenes, 'bunny-teapot.json'), 'utf8'));
  const { scene } = checkSceneValue(written);
  if (!scene) throw new Error('The scene of bunny and teapot is not sound.');
  /** @type {Map<string, Uint8Array>} */
  const assets = new Map();
  for (const [name, { field, shell }] of planPreparation(scene)) {
    const body = written.bodies[name];
    const bytes = await readFile(join(scenes, body.mesh));
    const { mesh } = await readMesh(bytes, { fileName: basename(body.mesh), scale: body.scale });
    const prepared = await prepareBody(cleanMesh(mesh).mesh, {
      field: field ? { resolution: Math.min(resolution, field.resolution ?? resolution) } : null,
      shell: shell ?? null,
    });
    assets.set(name, encodeAsset(prepared));
  }
  return assets;
}

/**
 * A folder with the page and the given assets, to be removed at the end.
 *
 * @param {Map<string, Uint8Array>} assets
 */
export async function createSite(assets) {
  const folder = await mkdtemp(join(tmpdir(), 'palpable-site-'));
  await cp(studioRoot, folder, {
    recursive: true,
    filter: (source) => source !== join(studioRoot, 'assets'),
  });
  await mkdir(join(folder, 'assets'));
  for (const [name, bytes] of assets) await writeFile(join(folder, 'assets', `${name}.palpable`), bytes);
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
