/**
 * Serves the built studio page. Only files: the engine runs in the browser. The headers make the page cross-origin
 * isolated, which is what gives it shared memory between threads and a clock of 5 µs instead of 100 µs, and keep
 * everything out of it that does not come from here.
 */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
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

/**
 * Everything from here alone. Sockets may go anywhere: `?haply=ws://lab:10001` names a device service on another machine.
 * WebAssembly is the CAD kernel and the engine's sums; the page never runs text as a script, and sets styles as properties.
 */
const CONTENT_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self' ws: wss:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/**
 * The thread that reads files people bring has a policy of its own: the script of the CAD kernel writes the calls into
 * its WebAssembly as text. It has no page to alter, and nowhere to send anything but here.
 */
const KERNEL_THREAD = /[/\\]app[/\\]part-worker-[\w-]{8}\.js$/;
const KERNEL_POLICY = "default-src 'self'; script-src 'self' 'unsafe-eval'";

const COMMON_HEADERS = {
  'Content-Security-Policy': CONTENT_POLICY,
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
  const server = createServer(answerFrom(root, host));
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
    EACCES: `Port ${port} needs more rights than this user has; give one above 1023 with --port.`,
    EADDRNOTAVAIL: `The address ${host} does not belong to this machine; give one that does with --host.`,
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

function answerFrom(root: string, host: string): (request: IncomingMessage, response: ServerResponse) => void {
  /** Compressed text by path and tag; the page has a handful of such files. */
  const compressed = new Map<string, Buffer>();
  return (request, response) => {
    if (!isOwnHost(request.headers.host, host)) {
      const asked = String(request.headers.host).slice(0, 100);
      sendText(
        response,
        421,
        `The studio is not ${asked}: use the address that it printed, or name this one with --host.\n`,
      );
      return;
    }
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
    sendText(response, 405, 'Only GET and HEAD are supported.\n');
    return;
  }
  const path = (request.url ?? '/').split(/[?#]/, 1)[0]!;
  const file = await findStaticFile(root, path);
  if (file === undefined) {
    sendText(response, 404, 'There is no such file in the studio.\n');
    return;
  }
  const isCompressed = wantsGzip(request, file);
  const etag = isCompressed ? file.etag.replace(/"$/, '-gzip"') : file.etag;
  setFileHeaders(response, file, etag);
  if (isUnchanged(request, etag)) response.writeHead(304).end();
  else if (isCompressed) sendWhole(request, response, await compressedBody(compressed, file));
  else await sendPlain(request, response, file);
}

function sendWhole(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** The file as it is, or the part of it that is asked for. */
async function sendPlain(request: IncomingMessage, response: ServerResponse, file: StaticFile): Promise<void> {
  response.setHeader('Accept-Ranges', 'bytes');
  const range = rangeOf(request, file);
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'Content-Range': `bytes */${file.size}`, 'Content-Length': 0 }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  if (range) response.setHeader('Content-Range', `bytes ${start}-${end}/${file.size}`);
  response.writeHead(range ? 206 : 200, { 'Content-Length': end - start + 1 });
  if (request.method === 'HEAD' || end < start) response.end();
  else await pipeline(createReadStream(file.path, { start, end }), response);
}

function setFileHeaders(response: ServerResponse, file: StaticFile, etag: string): void {
  for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
  if (KERNEL_THREAD.test(file.path)) response.setHeader('Content-Security-Policy', KERNEL_POLICY);
  response.setHeader('Content-Type', file.type);
  response.setHeader('Cache-Control', file.cacheControl);
  // Two encodings are two sequences of bytes, and a strong tag stands for one.
  response.setHeader('ETag', etag);
  if (file.compressible) response.setHeader('Vary', 'Accept-Encoding');
}

function isUnchanged(request: IncomingMessage, etag: string): boolean {
  const known = request.headers['if-none-match'];
  return known?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ?? false;
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
  for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(text);
}

/** First and last byte of a part. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of a file that a GET asks for; undefined means all of it: without `Range`, for several parts at once, for what
 * cannot be read, and when `If-Range` names another version of the file.
 */
function rangeOf(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  { size, etag }: Pick<StaticFile, 'size' | 'etag'>,
): ByteRange | 'unsatisfiable' | undefined {
  const wanted = /^bytes=(\d*)-(\d*)$/.exec(headers.range?.replace(/\s/g, '') ?? '');
  const known = headers['if-range'];
  if (method !== 'GET' || !wanted || (known !== undefined && known !== etag)) return undefined;
  const [from, to] = [wanted[1]!, wanted[2]!];
  if (from === '') return to === '' ? undefined : lastBytes(Number(to), size);
  const start = Number(from);
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < start) return undefined;
  return start < size ? { start, end } : 'unsatisfiable';
}

function lastBytes(count: number, size: number): ByteRange | 'unsatisfiable' {
  return count > 0 && size > 0 ? { start: Math.max(0, size - count), end: size - 1 } : 'unsatisfiable';
}

/**
 * Whether a request means this server. A page elsewhere can give its own name the address of this machine (DNS
 * rebinding) and would then be let in as if it were ours; only the `Host` that the browser sends gives it away. Names of this
 * machine alone are right when it listens for itself; when the user opened it to the network, so is any address of it.
 */
function isOwnHost(header: string | undefined, listening: string): boolean {
  // HTTP/1.0 has no such header, and no browser speaks it.
  if (header === undefined) return true;
  const name = nameOf(header);
  if (isLoopback(name) || name === nameOf(listening)) return true;
  return !isLoopback(nameOf(listening)) && isIP(name) !== 0;
}

/** Without port, brackets and the dot at the end. */
function nameOf(host: string): string {
  if (isIP(host) === 6) return host.toLowerCase();
  const inBrackets = /^\[([^\]]*)\](?::\d*)?$/.exec(host);
  return (inBrackets?.[1] ?? host.replace(/:\d*$/, '').replace(/\.$/, '')).toLowerCase();
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
