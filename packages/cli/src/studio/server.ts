/**
 * Serves the built studio page. Only files: the engine runs in the browser. The headers make the page cross-origin
 * isolated, which is what gives it shared memory between threads and a clock of 5 µs instead of 100 µs.
 */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { PalpableError } from '@palpable/engine';
import { findStaticFile, type StaticFile } from './static-files.js';

/** Where the studio is found when nobody asks for another port. */
export const DEFAULT_STUDIO_PORT = 7437;

export interface StudioServerOptions {
  /** Folder of the built page, the one with `index.html`. */
  readonly root: string;
  /** A port that must be used. Without it the default port is tried, and any free one when that is taken. */
  readonly port?: number;
  /** Address to listen on. Loopback unless the user says otherwise. */
  readonly host?: string;
}

export interface StudioServer {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Ends all connections and frees the port. */
  close(): Promise<void>;
}

const ISOLATION_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

const compress = promisify(gzip);

export async function startStudioServer(options: StudioServerOptions): Promise<StudioServer> {
  const { root, port, host = '127.0.0.1' } = options;
  await requirePage(root);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65535)) {
    throw new PalpableError('option-invalid', `--port ${port} is not a port; give a whole number from 0 to 65535.`);
  }
  const server = createServer(answerFrom(root));
  const listening = await listen(server, host, port);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${listening}/`,
    host,
    port: listening,
    close: () => closeServer(server),
  };
}

async function requirePage(root: string): Promise<void> {
  const page = join(root, 'index.html');
  const info = await stat(page).catch(() => undefined);
  if (info?.isFile()) return;
  throw new PalpableError('file-unreadable', `The studio is not built: ${page} is missing; run "npm run build".`, page);
}

async function listen(server: Server, host: string, wanted: number | undefined): Promise<number> {
  try {
    return await listenOn(server, host, wanted ?? DEFAULT_STUDIO_PORT);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE' && wanted === undefined) return listenOn(server, host, 0);
    throw explainListenError(code, host, wanted ?? DEFAULT_STUDIO_PORT, error);
  }
}

function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function explainListenError(code: string | undefined, host: string, port: number, cause: unknown): unknown {
  const reason: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use; give another one with --port, or leave --port out to get a free one.`,
    EACCES: `Port ${port} may not be used by this user; give one above 1023 with --port.`,
    EADDRNOTAVAIL: `The address ${host} is not one of this machine; give one that is with --host.`,
    ENOTFOUND: `The address ${host} is not known; give an address of this machine with --host.`,
  };
  const message = reason[code ?? ''];
  return message === undefined ? cause : new PalpableError('option-invalid', message);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}

function answerFrom(root: string): (request: IncomingMessage, response: ServerResponse) => void {
  /** Compressed text by path and tag; the page has a handful of such files. */
  const compressed = new Map<string, Buffer>();
  return (request, response) => {
    answer(root, compressed, request, response).catch(() => {
      // The file vanished or the browser left in the middle: nothing sensible can be sent any more.
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'The file could not be read.\n');
    });
  };
}

async function answer(
  root: string,
  compressed: Map<string, Buffer>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    sendText(response, 405, 'Only GET and HEAD are answered here.\n');
    return;
  }
  const path = (request.url ?? '/').split(/[?#]/, 1)[0]!;
  const file = await findStaticFile(root, path);
  if (file === undefined) {
    sendText(response, 404, 'There is no such file in the studio.\n');
    return;
  }
  setFileHeaders(response, file);
  if (isUnchanged(request, file)) {
    response.writeHead(304).end();
    return;
  }
  const body = wantsGzip(request, file) ? await compressedBody(compressed, file) : undefined;
  if (body) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', body?.length ?? file.size);
  response.writeHead(200);
  if (request.method === 'HEAD') response.end();
  else if (body) response.end(body);
  else await pipeline(createReadStream(file.path), response);
}

function setFileHeaders(response: ServerResponse, file: StaticFile): void {
  for (const [name, value] of Object.entries(ISOLATION_HEADERS)) response.setHeader(name, value);
  response.setHeader('Content-Type', file.type);
  response.setHeader('Cache-Control', file.cacheControl);
  response.setHeader('ETag', file.etag);
  if (file.compressible) response.setHeader('Vary', 'Accept-Encoding');
}

function isUnchanged(request: IncomingMessage, file: StaticFile): boolean {
  const known = request.headers['if-none-match'];
  return known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === file.etag) ?? false;
}

function wantsGzip(request: IncomingMessage, file: StaticFile): boolean {
  return file.compressible && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(String(request.headers['accept-encoding']));
}

async function compressedBody(compressed: Map<string, Buffer>, file: StaticFile): Promise<Buffer> {
  const key = `${file.path} ${file.etag}`;
  let body = compressed.get(key);
  if (!body) {
    body = await compress(await readFile(file.path));
    compressed.set(key, body);
  }
  return body;
}

function sendText(response: ServerResponse, status: number, text: string): void {
  for (const [name, value] of Object.entries(ISOLATION_HEADERS)) response.setHeader(name, value);
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(text);
}
