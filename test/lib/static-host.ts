import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** What gives a page shared memory. */
export const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** A host that serves the files of some folders below a path such as `/some/where/`, and knows nothing else. */
export async function startStaticHost(roots: readonly string[], path: string, headers: Record<string, string> = {}) {
  const server = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://host');
    try {
      if (!pathname.startsWith(path)) throw new Error('elsewhere');
      const name = pathname.slice(path.length) || 'index.html';
      const content = await Promise.any(roots.map((root) => readFile(join(root, name))));
      const type = TYPES[extname(name)] ?? 'application/octet-stream';
      response.writeHead(200, { ...headers, 'Content-Type': type }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}${path}`, close };
}
