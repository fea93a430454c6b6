import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { PalpableError } from '@palpable/engine';
import type { UriResolver } from '@palpable/engine/advanced';
import { readUserFile } from '../files/read-file.js';

/**
 * Finds the files that a glTF file names, in its own folder or below. Addresses of networks and paths that lead out of
 * the folder, also by links, are refused: opening a model must not read anything else.
 */
export function gltfResolver(gltfPath: string, maxBytes: number): UriResolver {
  return async (uri) => {
    const name = decodeName(uri);
    const folder = await realpath(dirname(resolve(gltfPath)));
    const path = resolve(folder, name);
    if (/^[a-z][a-z0-9+.-]*:/i.test(uri) || isAbsolute(name) || !isInside(folder, path)) throw refused(uri);
    const bytes = await readUserFile(path, maxBytes);
    if (!isInside(folder, await realpath(path))) throw refused(uri);
    return bytes;
  };
}

function decodeName(uri: string): string {
  try {
    const name = decodeURIComponent(uri);
    if (name !== '' && !name.includes('\0')) return name;
  } catch {
    // Not a URI: refused below.
  }
  throw refused(uri);
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function refused(uri: string): PalpableError {
  return new PalpableError(
    'file-unreadable',
    `The glTF keeps its data in "${uri.slice(0, 80)}", which is not in its own folder; put the file there or export a GLB.`,
  );
}
