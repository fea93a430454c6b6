import {
  type AssetCache,
  checkSceneFile,
  mapBodies,
  openAssetCache,
  prepareScene,
  sceneFile,
  soundScene,
} from '@palpable/cli/internal';
import type { PreparedBody, Scene } from '@palpable/engine';

/** A scene with its bodies, ready to be stepped. */
export interface LoadedScene {
  readonly scene: Scene;
  readonly bodies: ReadonlyMap<string, PreparedBody>;
}

export interface LoadOptions {
  readonly change?: (scene: Scene) => Scene;
  /** The usual one unless given. */
  readonly cache?: AssetCache;
  readonly onProgress?: (stage: string, fraction: number) => void;
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
