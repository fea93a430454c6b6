import { PalpableError } from '../base/errors.js';
import { isGlb } from './gltf-document.js';
import { isPly } from './ply-header.js';
import { isOff } from './read-off.js';
import { isAsciiStl, isExactBinaryStl, isPlainText } from './read-stl.js';
import { printable, TextScanner } from './text-scanner.js';

/** The mesh formats that `readMesh` reads. */
export type MeshFormat = 'stl' | 'obj' | 'ply' | 'off' | 'gltf' | 'step';

const EXTENSIONS: Readonly<Record<string, MeshFormat>> = {
  stl: 'stl',
  obj: 'obj',
  ply: 'ply',
  off: 'off',
  coff: 'off',
  noff: 'off',
  gltf: 'gltf',
  glb: 'gltf',
  step: 'step',
  stp: 'step',
};

/** What people send instead of what we read, by the first bytes. */
const FOREIGN: readonly (readonly [start: string, name: string])[] = [
  ['PK', 'a ZIP archive (perhaps 3MF)'],
  ['Kaydara FBX', 'an FBX file'],
  ['<?xml', 'an XML file (perhaps COLLADA or AMF)'],
  ['BLENDER', 'a Blender file'],
  ['#VRML', 'a VRML file'],
  ['%PDF', 'a PDF'],
];

/** The format by what the file holds, and by its name where the content leaves it open. */
export function detectFormat(bytes: Uint8Array, fileName = ''): MeshFormat {
  const byContent = formatOfContent(bytes);
  if (byContent !== undefined) return byContent;
  const extension = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(EXTENSIONS, extension)) return EXTENSIONS[extension];
  const start = printable(bytes, 0, Math.min(16, bytes.length));
  const foreign = FOREIGN.find(([prefix]) => start.startsWith(prefix));
  throw new PalpableError(
    'format-unknown',
    foreign
      ? `This is ${foreign[1]}, which is not supported; export STL, OBJ, PLY, OFF, glTF/GLB or STEP.`
      : 'The format of the file is not recognised; give an STL, OBJ, PLY, OFF, glTF/GLB or STEP file.',
  );
}

function formatOfContent(bytes: Uint8Array): MeshFormat | undefined {
  if (isGlb(bytes)) return 'gltf';
  if (isPly(bytes)) return 'ply';
  if (isExactBinaryStl(bytes)) return 'stl';
  if (!isPlainText(bytes)) return undefined;
  const scanner = new TextScanner(bytes.subarray(0, 4096));
  if (!scanner.nextToken()) return undefined;
  if (scanner.tokenText().startsWith('ISO-10303-21')) return 'step';
  if (scanner.tokenText().startsWith('{')) return 'gltf';
  if (isAsciiStl(bytes)) return 'stl';
  if (isOff(bytes)) return 'off';
  return isObj(bytes) ? 'obj' : undefined;
}

/** OBJ has no mark of its own: a line `v` with three numbers, with nothing but other statements before it. */
function isObj(bytes: Uint8Array): boolean {
  const scanner = new TextScanner(bytes.subarray(0, 65536), { hashComments: true, joinsLines: true });
  for (; !scanner.atEnd; scanner.skipLine()) {
    if (!scanner.nextTokenOfLine()) continue;
    if (scanner.tokenIs('v')) return true;
    if (!['mtllib', 'usemtl', 'o', 'g', 's', 'vn', 'vt'].some((word) => scanner.tokenIs(word))) return false;
  }
  return false;
}
