import { fileURLToPath } from 'node:url';
import { bodyPose, encodeAsset, type Pose, type PreparedBody } from '@palpable/engine';
import { checkSceneFile, soundScene } from '../scene/load-scene.js';
import { prepareScene } from '../scene/prepare-scene.js';
import { type AssetCache, openAssetCache } from './asset-cache.js';

/** The scenes that come with Palpable: what the studio shows, tests pin and benchmarks measure is the same. */

const SCENES = new URL('../../../../scenes/', import.meta.url);

/** Path of a file that comes with the scenes. */
export function sceneFile(name: string): string {
  return fileURLToPath(new URL(name, SCENES));
}

export interface GalleryBody {
  readonly name: string;
  readonly pose: Pose;
  readonly body: PreparedBody;
  readonly asset: Uint8Array;
  readonly fromCache: boolean;
}

export interface GalleryOptions {
  readonly cache?: AssetCache;
  readonly onProgress?: (stage: string, fraction: number) => void;
}

/** Reads a scene and prepares its bodies, from the cache where possible. */
export async function loadGalleryScene(name: string, options: GalleryOptions = {}): Promise<GalleryBody[]> {
  const { cache = openAssetCache(), onProgress = () => {} } = options;
  const path = sceneFile(`${name}.json`);
  const scene = soundScene(await checkSceneFile(path));
  const bodies = await prepareScene(scene, path, { cache, onProgress });
  return [...bodies].map(([each, { body, fromCache }]) => ({
    name: each,
    pose: bodyPose(scene.bodies[each]!),
    body,
    asset: encodeAsset(body),
    fromCache,
  }));
}

/** The bunny with its shell and the teapot with its field, as Sagardia and Hulin set them against each other. */
export async function loadBunnyAndTeapot(
  options?: GalleryOptions,
): Promise<{ bunny: PreparedBody; teapot: PreparedBody }> {
  const bodies = await loadGalleryScene('bunny-teapot', options);
  const bodyOf = (name: string) => bodies.find((body) => body.name === name)!.body;
  return { bunny: bodyOf('bunny'), teapot: bodyOf('teapot') };
}
