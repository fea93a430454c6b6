import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createPose, type FieldOptions, type Pose, type PreparedBody, type ShellOptions } from '@palpable/engine';
import { type AssetCache, openAssetCache } from './asset-cache.js';
import { type PreparedFile, prepareFile } from './prepare-file.js';

/** The scenes that come with Palpable: what the studio shows, tests pin and benchmarks measure is the same. */

const SCENES = new URL('../../../../scenes/', import.meta.url);

/** Path of a file that comes with the scenes. */
export function sceneFile(name: string): string {
  return fileURLToPath(new URL(name, SCENES));
}

/** The part of a scene file that preparation needs. */
interface SceneFile {
  readonly bodies: Readonly<Record<string, SceneBody>>;
  readonly tool: string;
}

interface SceneBody {
  readonly mesh: string;
  readonly scale: number;
  readonly position: readonly [number, number, number];
  readonly rotation: readonly [number, number, number, number];
  readonly shell?: ShellOptions;
  readonly field?: FieldOptions;
}

export interface GalleryBody extends PreparedFile {
  readonly name: string;
  readonly pose: Pose;
}

export interface GalleryOptions {
  readonly cache?: AssetCache;
  readonly onProgress?: (stage: string, fraction: number) => void;
}

/** Reads a scene and prepares its bodies, from the cache where possible. */
export async function loadGalleryScene(name: string, options: GalleryOptions = {}): Promise<GalleryBody[]> {
  const { cache = openAssetCache(), onProgress = () => {} } = options;
  const scene = JSON.parse(await readFile(sceneFile(`${name}.json`), 'utf8')) as SceneFile;
  const bodies: GalleryBody[] = [];
  for (const [body, { mesh, scale, position, rotation, shell = null, field = null }] of Object.entries(scene.bodies)) {
    const prepared = await prepareFile(sceneFile(mesh), {
      reading: { scale },
      prepare: { field, shell },
      cache,
      onProgress: (stage, fraction) => onProgress(`${body}: ${stage}`, fraction),
    });
    bodies.push({ ...prepared, name: body, pose: createPose(...position, ...rotation) });
  }
  return bodies;
}

/** The bunny with its shell and the teapot with its field, as Sagardia and Hulin set them against each other. */
export async function loadBunnyAndTeapot(
  options?: GalleryOptions,
): Promise<{ bunny: PreparedBody; teapot: PreparedBody }> {
  const bodies = await loadGalleryScene('bunny-teapot', options);
  const bodyOf = (name: string) => bodies.find((body) => body.name === name)!.body;
  return { bunny: bodyOf('bunny'), teapot: bodyOf('teapot') };
}
