import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { STUDIO_DIST } from './chromium.js';

/** A file of the built studio. `gzipBytes`: As the server sends text; what is sent as it is has null. */
export type BundleFile = Awaited<ReturnType<typeof measureBundle>>[number];

export type BundlePart =
  | 'page'
  | 'thread'
  | 'on demand'
  | 'style'
  | 'mesh'
  | 'picture'
  | 'prepared body'
  | 'benchmark'
  | 'other';

const compress = promisify(gzip);

/** Everything in the folder of the built page, largest first within each part. */
export async function measureBundle() {
  const entries = await readdir(STUDIO_DIST, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const index = await readFile(join(STUDIO_DIST, 'index.html'), 'utf8');
  const files = await Promise.all(
    paths.map(async (path) => {
      const file = path.slice(STUDIO_DIST.length).replaceAll('\\', '/');
      const content = await readFile(path);
      const part = partOf(file, index);
      const isSentAsItIs = part === 'prepared body' || part === 'picture';
      const gzipBytes = isSentAsItIs ? null : (await compress(content)).length;
      return { part, file, bytes: content.length, gzipBytes };
    }),
  );
  return files.sort((a, b) => PARTS.indexOf(a.part) - PARTS.indexOf(b.part) || b.bytes - a.bytes);
}

const PARTS: readonly BundlePart[] = [
  ...(['page', 'style', 'thread', 'on demand', 'mesh', 'prepared body', 'picture', 'other', 'benchmark'] as const),
];

/** `index` is the page itself: what it names is loaded with it. */
export function partOf(file: string, index: string): BundlePart {
  if (/(?:^|\/)(?:servo-)?bench\b/.test(file)) return 'benchmark';
  if (file.endsWith('.palpable')) return 'prepared body';
  if (/\.(?:png|jpe?g|webp|svg)$/.test(file)) return 'picture';
  if (/\.(?:obj|stl|ply|glb)$/.test(file)) return 'mesh';
  if (file.endsWith('.css')) return 'style';
  if (/-worker-[\w-]+\.js$/.test(file)) return 'thread';
  if (file === 'index.html' || (file.endsWith('.js') && index.includes(file))) return 'page';
  return /\.(?:js|wasm)$/.test(file) ? 'on demand' : 'other';
}
