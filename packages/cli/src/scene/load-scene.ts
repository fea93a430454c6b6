import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { checkScene, type Scene } from '@palpable/engine';
import { sceneError } from '@palpable/engine/advanced';
import { readUserFile } from '../files/read-file.js';
import { sha256 } from '../files/sha256.js';

const MAX_BYTES = 16 * 1024 * 1024;

/** A scene file with the hash of its bytes. */
export type SceneFile = Awaited<ReturnType<typeof checkSceneFile>>;

/** Reads and checks a scene file, its mesh files' presence included. */
export async function checkSceneFile(path: string) {
  const bytes = await readUserFile(path, MAX_BYTES);
  const text = Buffer.from(bytes).toString('utf8');
  const checked = checkScene(text, {
    fileExists: (mesh) => statSync(meshPath(path, mesh), { throwIfNoEntry: false })?.isFile() === true,
  });
  return { path, text, sha256: sha256(bytes), checked };
}

/** Paths of meshes start from the folder of the scene file. */
export function meshPath(scenePath: string, mesh: string): string {
  return resolve(dirname(scenePath), mesh);
}

/** The scene, or an error that lists all that is wrong with it. */
export function soundScene({ path, checked }: SceneFile): Scene {
  if (!checked.scene) throw sceneError(path, checked.problems);
  return checked.scene;
}
