/** What is what among the files that the user brought, by names and sizes; throws a `PalpableError` for what cannot be. */
import { PalpableError } from '@palpable/engine';

type AnyFile = Pick<File, 'name' | 'size'>;

export interface SortedFiles<T> {
  readonly scene: T | undefined;
  readonly meshes: readonly T[];
  /** Data that a glTF may keep beside it, and the elements of TetGen's nodes. */
  readonly data: readonly T[];
  /** Colours and pictures, which nobody can feel. */
  readonly leftOut: readonly T[];
}

/** More than this is no part but a scan, and fills the memory of the tab. */
const LARGEST_MEGABYTES = 300;
const LARGEST_SUM_MEGABYTES = 600;
/** The CAD kernel needs about twenty times the size of the file, and has 2 GiB. */
const LARGEST_STEP_MEGABYTES = 100;
/** The largest scene that was ever written by hand has not a hundredth of it. */
const LARGEST_SCENE_MEGABYTES = 10;
const MOST_PARTS = 8;

const SCENE = /\.json$/i;
const STEP = /\.(step|stp)$/i;
const ARCHIVE = /\.(zip|7z|rar|gz|tgz|tar|xz|bz2)$/i;
const PICTURE = /\.(mtl|png|jpe?g|webp|tga|bmp|tiff?|dds|exr|hdr|ktx2?)$/i;
const DATA = /\.bin$/i;
const ELEMENTS = /\.ele$/i;
/** What systems leave in every folder. */
const LITTER = /^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i;

/** @param folders names of folders among what was dropped; browsers hand them over as if they were files */
export function sortFiles<T extends AnyFile>(files: readonly T[], folders: readonly string[] = []): SortedFiles<T> {
  refuseFolders(folders);
  const isOf = (kind: RegExp) => (file: T) => kind.test(file.name);
  const wanted = files.filter(({ name }) => !LITTER.test(name));
  refuseArchives(wanted.filter(isOf(ARCHIVE)));
  const scenes = wanted.filter(isOf(SCENE));
  const leftOut = wanted.filter(isOf(PICTURE));
  const data = wanted.filter((file) => DATA.test(file.name) || isSecondHalf(file, wanted));
  const meshes = wanted.filter(
    (file) => ![SCENE, PICTURE].some((kind) => kind.test(file.name)) && !data.includes(file),
  );
  if (scenes.length > 1) {
    throw new PalpableError('option-invalid', `These are ${scenes.length} scene files; open one at a time.`);
  }
  if (scenes.length + meshes.length === 0) throw nothingToTouch([...leftOut, ...data]);
  if (scenes.length === 0 && meshes.length > MOST_PARTS) {
    throw new PalpableError(
      'too-large',
      `These are ${meshes.length} parts; bring at most ${MOST_PARTS} at a time. More bodies can be in a scene file: drop it together with its meshes.`,
    );
  }
  refuseTwins(meshes);
  checkSizes([...scenes, ...meshes, ...data]);
  return { scene: scenes[0], meshes, data, leftOut };
}

/** TetGen keeps the nodes of a mesh in one file and its tetrahedra in another of the same name. */
function isSecondHalf({ name }: AnyFile, files: readonly AnyFile[]): boolean {
  if (!ELEMENTS.test(name)) return false;
  const nodes = name.replace(ELEMENTS, '.node').toLowerCase();
  return files.some((other) => other.name.toLowerCase() === nodes);
}

function refuseFolders([folder]: readonly string[]): void {
  if (folder === undefined) return;
  throw new PalpableError(
    'file-unreadable',
    `${folder} is a folder; open it, choose the files in it and drop those.`,
    folder,
  );
}

function refuseArchives([archive]: readonly AnyFile[]): void {
  if (archive === undefined) return;
  throw new PalpableError(
    'format-unsupported',
    `${archive.name} is an archive; unpack it and drop the files that are in it.`,
    archive.name,
  );
}

/** A scene knows its meshes by their names alone. */
function refuseTwins(meshes: readonly AnyFile[]): void {
  const names = meshes.map(({ name }) => name);
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin === undefined) return;
  throw new PalpableError(
    'option-invalid',
    `Two of the files are called ${twin}; give one of them another name.`,
    twin,
  );
}

function nothingToTouch(files: readonly AnyFile[]): PalpableError {
  const names = files.map(({ name }) => name).join(', ');
  const what =
    names === '' ? 'There is nothing to touch in this' : `${names}: This holds colours or data, but no shape`;
  return new PalpableError(
    'mesh-empty',
    `${what}; drop the STL, OBJ, PLY, OFF, GLB, STEP or tetrahedra file that it belongs to.`,
  );
}

function checkSizes(files: readonly AnyFile[]): void {
  for (const file of files) checkSize(file);
  const sum = megabytes(files.reduce((total, { size }) => total + size, 0));
  if (sum <= LARGEST_SUM_MEGABYTES) return;
  throw new PalpableError(
    'too-large',
    `The files have ${sum} MB together, more than the ${LARGEST_SUM_MEGABYTES} MB that a tab can bear; bring fewer at a time, or reduce their triangles.`,
  );
}

function checkSize({ name, size }: AnyFile): void {
  const [limit, why, advice] = limitOf(name);
  if (size <= limit * 1e6) return;
  throw new PalpableError(
    'too-large',
    `${name} has ${megabytes(size)} MB, more than the ${limit} MB that ${why}; ${advice}.`,
    name,
  );
}

function limitOf(name: string): readonly [limit: number, why: string, advice: string] {
  if (SCENE.test(name)) {
    return [LARGEST_SCENE_MEGABYTES, 'a scene file ever needs', 'meshes are files of their own, which the scene names'];
  }
  if (STEP.test(name)) {
    return [
      LARGEST_STEP_MEGABYTES,
      'the CAD kernel can read in a tab',
      'export the part alone without its assembly, or as STL',
    ];
  }
  return [
    LARGEST_MEGABYTES,
    'a tab can bear',
    'reduce its triangles, or prepare and run it with the command line ("palpable prepare", "palpable run")',
  ];
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
