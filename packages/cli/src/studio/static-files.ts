/** How a file of the page travels: its type, its caching, its encoding, and the one place it may come from. */
import { realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

const TYPE_OF_EXTENSION: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.obj': 'model/obj',
  '.stl': 'model/stl',
  '.glb': 'model/gltf-binary',
};

const COMPRESSIBLE = /^(?:text\/|application\/json|image\/svg|model\/obj)/;

/** Names that the page's build stamps with a hash of their content: `app/index-Dq3x_9aB.js`. */
const STAMPED_NAME = /[/\\]app[/\\][^/\\]+-[\w-]{8}\.\w+$/;

export type StaticFile = ReturnType<typeof describe>;

/**
 * The file that a request's path names, or undefined when there is none below `root`. A path that leaves the root, by
 * dots, by encoded dots or by a symbolic link, names nothing.
 */
export async function findStaticFile(root: string, requestPath: string): Promise<StaticFile | undefined> {
  const relative = decodePath(requestPath);
  if (relative === undefined) return undefined;
  try {
    const realRoot = await realpath(root);
    const wanted = join(realRoot, relative.endsWith('/') ? `${relative}index.html` : relative);
    const path = await realpath(wanted);
    if (!path.startsWith(realRoot + sep)) return undefined;
    const info = await stat(path);
    return info.isFile() ? describe(path, info.size, info.mtimeMs) : undefined;
  } catch {
    return undefined;
  }
}

function decodePath(requestPath: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(requestPath);
  } catch {
    return undefined;
  }
  const leavesRoot = path.split(/[/\\]/).includes('..');
  return leavesRoot || path.includes('\0') || !path.startsWith('/') ? undefined : path;
}

function describe(path: string, size: number, modifiedMs: number) {
  const type = TYPE_OF_EXTENSION[extname(path).toLowerCase()] ?? 'application/octet-stream';
  return {
    path,
    size,
    type,
    /** Changes whenever size or time of modification change. */
    etag: `"${size.toString(36)}-${Math.round(modifiedMs).toString(36)}"`,
    // Stamped files never change under their name; everything else is asked for again and mostly answered with 304.
    cacheControl: STAMPED_NAME.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    compressible: COMPRESSIBLE.test(type) && size > 1024,
  };
}
