/** The scenes that come with Palpable, with a sentence and a picture each. */
import { PalpableError } from '@palpable/engine';
import { describeScene, fileNameOf, type SceneOrigin } from '../scene/describe-scene.js';
import type { MeshSource, StudioScene, StudioView } from '../scene/scene.js';
import prepared from './prepared.json';

export interface GalleryEntry {
  readonly id: string;
  readonly name: string;
  readonly sentence: string;
  /** Address of its picture, seen from the page. */
  readonly picture: string;
}

export const DEFAULT_SCENE = 'bunny-teapot';

/** In the order in which they are shown. */
const SENTENCES: Readonly<Record<string, string>> = {
  'bunny-teapot':
    'The bunny carries a shell of points, the teapot a distance field: every point below zero is a contact.',
  'corner-cube': 'Push a cube into the corner of three walls, where all of its sides touch at once.',
  'peg-hole': 'A square peg, one per cent wider than its hole: it goes in only as far as it is pressed.',
  'peg-blind-hole': 'A square peg goes down a blind hole with 0.4 mm of room on every side, and stops at the ground.',
  'block-plate': 'A block lies on a plate: push it down and sideways, and feel where sticking ends and sliding begins.',
  'bunny-sheets':
    'The bunny above sheets of 4, 2, 1 and 0.5 mm, laid into each other: thin walls have to hold as well.',
  'engine-starter': 'Bring the starter motor to its place beside an engine, past all that is in the way.',
  'door-window-motor': 'Put the motor of a window into a car door through the opening in the sheet metal.',
};

/** The first picture of the teapot shows both bodies with room to move. */
const VIEWS: Readonly<Record<string, StudioView>> = {
  'bunny-teapot': { centre: [0, 0, 0.29], radius: 0.46, floor: 0 },
};

const ASSETS: Readonly<Record<string, Readonly<Record<string, string>>>> = prepared;

const sceneFiles = import.meta.glob<unknown>(['../../../../scenes/*.json', '!../../../../scenes/schema.json'], {
  eager: true,
  import: 'default',
});
const meshAddresses = import.meta.glob<string>('../../../../scenes/meshes/*.obj', {
  eager: true,
  query: '?url',
  import: 'default',
});

const values = new Map(Object.entries(sceneFiles).map(([path, value]) => [idOf(path), value]));

/** Mesh files of the gallery, by their paths as scene files give them. */
const galleryFiles: SceneOrigin['files'] = new Map(
  Object.entries(meshAddresses).map(([path, url]): [string, Extract<MeshSource, { kind: 'address' }>] => {
    const fileName = fileNameOf(path);
    return [`meshes/${fileName}`, { kind: 'address', url, fileName }];
  }),
);

/** Those with a sentence first, in its order; a scene that was put into the folder since is shown all the same. */
export const gallery: readonly GalleryEntry[] = [
  ...Object.keys(SENTENCES).filter((id) => values.has(id)),
  ...[...values.keys()].filter((id) => !(id in SENTENCES)),
].map((id) => ({
  id,
  name: (values.get(id) as { name?: string }).name ?? id,
  sentence: SENTENCES[id] ?? '',
  picture: `gallery/${id}.png`,
}));

/** Throws a `PalpableError` that lists what there is when there is no such scene. */
export function openGalleryScene(id: string): StudioScene {
  const value = values.get(id);
  if (value === undefined) {
    throw new PalpableError(
      'option-invalid',
      `There is no scene "${id.slice(0, 60)}" in the gallery; it has ${gallery.map((entry) => entry.id).join(', ')}.`,
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

function idOf(path: string): string {
  return fileNameOf(path).replace(/\.json$/, '');
}
