import { fileURLToPath } from 'node:url';
import {
  type AssetCache,
  checkSceneFile,
  mapBodies,
  openAssetCache,
  prepareScene,
  soundScene,
} from '@palpable/cli/internal';
import type { PreparedBody, Scene } from '@palpable/engine';
import type { ProgressListener } from '@palpable/engine/advanced';

const SCENES = new URL('../../../../scenes/', import.meta.url);

/** Path of a file that comes with the scenes of the gallery. */
export function sceneFile(name: string): string {
  return fileURLToPath(new URL(name, SCENES));
}

/** A scene with its bodies, ready to be stepped. */
export interface LoadedScene {
  readonly scene: Scene;
  readonly bodies: ReadonlyMap<string, PreparedBody>;
}

export interface LoadOptions {
  readonly change?: (scene: Scene) => Scene;
  /** The usual one unless given. */
  readonly cache?: AssetCache;
  readonly onProgress?: ProgressListener;
}

/** A scene of the gallery, with changes. */
export async function loadGalleryScene(
  file: string,
  { change, cache = openAssetCache(), onProgress }: LoadOptions = {},
): Promise<LoadedScene> {
  const path = sceneFile(file);
  const read = soundScene(await checkSceneFile(path));
  const scene = change ? change(read) : read;
  const prepared = await prepareScene(scene, path, { cache, ...(onProgress && { onProgress }) });
  return { scene, bodies: mapBodies(prepared) };
}

/** The bunny with its shell and the teapot with its field, as Sagardia and Hulin set them against each other. */
export async function loadBunnyAndTeapot(
  onProgress: ProgressListener,
): Promise<{ bunny: PreparedBody; teapot: PreparedBody }> {
  const { bodies } = await loadGalleryScene('bunny-teapot.json', { onProgress });
  return { bunny: bodies.get('bunny')!, teapot: bodies.get('teapot')! };
}
