/** The scenes that come with Palpable, with a sentence and a picture each. */
import { PalpableError } from '@palpable/engine';
import { describeScene, fileNameOf, type SceneOrigin } from '../scene/describe-scene.js';
import type { MeshSource, StudioScene, StudioView } from '../scene/scene.js';
import { GALLERY_KINDS, NOT_SHOWN } from './entries.js';
import { nameMethod } from './name-method.js';
import prepared from './prepared.json';

export type GalleryEntry = Readonly<ReturnType<typeof describeEntry>>;

export const DEFAULT_SCENE = 'bunny-teapot';

/** The teapot with room to move; of the walls not all, but where the cube is. */
const TEAPOT: StudioView = { centre: [0, 0, 0.29], radius: 0.46, floor: 0 };
const CORNER: StudioView = { centre: [0.18, 0.18, 0.16], radius: 0.34, floor: -0.02 };
const VIEWS: Readonly<Record<string, StudioView>> = {
  'bunny-teapot': TEAPOT,
  'bunny-knock': TEAPOT,
  'corner-cube': CORNER,
  'corner-god-object': CORNER,
  'cube-holds': CORNER,
};

const ASSETS: Readonly<Record<string, Readonly<Record<string, string>>>> = prepared;

const sceneFiles = import.meta.glob<unknown>(['../../../../scenes/*.json', '!../../../../scenes/schema.json'], {
  eager: true,
  import: 'default',
});
const meshAddresses = import.meta.glob<string>(
  ['../../../../scenes/meshes/*.obj', '../../../../scenes/meshes/cup.ply'],
  {
    eager: true,
    query: '?url',
    import: 'default',
  },
);

const values = new Map(
  Object.entries(sceneFiles)
    .map(([path, value]): [string, unknown] => [fileNameOf(path).replace(/\.json$/, ''), value])
    .filter(([id]) => !NOT_SHOWN.includes(id)),
);

/** Mesh files of the gallery, by their paths as scene files give them. */
const galleryFiles: SceneOrigin['files'] = new Map(
  Object.entries(meshAddresses).map(([path, url]): [string, Extract<MeshSource, { kind: 'address' }>] => {
    const fileName = fileNameOf(path);
    return [`meshes/${fileName}`, { kind: 'address', url, fileName }];
  }),
);

const SENTENCES: Readonly<Record<string, string>> = Object.assign({}, ...GALLERY_KINDS.map(({ scenes }) => scenes));

/** By kind; a scene that was put into the folder and has no sentence yet is shown last. */
export const galleryGroups: readonly { title: string; entries: readonly GalleryEntry[] }[] = [
  ...GALLERY_KINDS.map(({ title, scenes }) => ({ title, ids: Object.keys(scenes).filter((id) => values.has(id)) })),
  { title: 'Others', ids: [...values.keys()].filter((id) => !(id in SENTENCES)) },
]
  .filter(({ ids }) => ids.length > 0)
  .map(({ title, ids }) => ({ title, entries: ids.map(describeEntry) }));

function describeEntry(id: string) {
  const value = values.get(id) as { name?: string };
  return {
    id,
    name: value.name ?? id,
    sentence: SENTENCES[id] ?? '',
    /** Its method unless the user chooses another, in words. */
    method: nameMethod(value),
    /** Address of its picture, seen from the page. */
    picture: `gallery/${id}.png`,
  };
}

/** Throws a `PalpableError` that lists what there is when there is no such scene. */
export function openGalleryScene(id: string): StudioScene {
  const value = values.get(id);
  if (value === undefined) {
    const known = galleryGroups.flatMap(({ entries }) => entries.map((entry) => entry.id));
    throw new PalpableError(
      'option-invalid',
      `There is no scene "${id.slice(0, 60)}" in the gallery; it has ${known.join(', ')}.`,
      'scene',
    );
  }
  return describeScene(value, {
    id,
    files: galleryFiles,
    ...(SENTENCES[id] !== undefined && { explanation: SENTENCES[id] }),
    ...(VIEWS[id] && { view: VIEWS[id] }),
    assetOf: (body) => ASSETS[id]?.[body],
  });
}

/** A scene that somebody changed or wrote: its mesh files may be those of the gallery, or were brought along. */
export function openOwnScene(
  id: string,
  value: unknown,
  brought: ReadonlyMap<string, Extract<MeshSource, { kind: 'bytes' }>> = new Map(),
): StudioScene {
  return describeScene(value, { id, files: new Map([...galleryFiles, ...brought]) });
}
