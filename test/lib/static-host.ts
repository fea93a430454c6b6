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

/** A host that serves the files of a folder below a path such as `/some/where/`, and knows nothing else. */
export async function startStaticHost(root: string, path: string) {
  const server = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://host');
    try {
      if (!pathname.startsWith(path)) throw new Error('elsewhere');
      const name = pathname.slice(path.length) || 'index.html';
      const content = await readFile(join(root, name));
      response.writeHead(200, { 'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream' }).end(content);
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
