import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_STUDIO_PORT, type StudioServer, startStudioServer } from './server.js';

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** A request whose path is sent exactly as given; `fetch` would tidy the dots away. */
function ask(
  server: StudioServer,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: server.host, port: server.port, path, method, headers }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part) => parts.push(part));
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(parts) }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const script = `console.log('studio');\n${'// a line that compresses well\n'.repeat(200)}`;
let folder: string;
let server: StudioServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palpable-studio-'));
  const root = join(folder, 'page');
  await mkdir(join(root, 'app'), { recursive: true });
  await mkdir(join(root, 'assets'));
  await writeFile(join(root, 'index.html'), '<!doctype html><title>Studio</title>');
  await writeFile(join(root, 'app', 'index-Dq3x_9aB.js'), script);
  await writeFile(join(root, 'assets', 'bunny.palpable'), Buffer.from([0, 1, 2, 3]));
  await writeFile(join(folder, 'secret.txt'), 'not for the browser');
  await symlink(join(folder, 'secret.txt'), join(root, 'link.txt'));
  server = await startStudioServer({ root, port: 0 });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

describe('startStudioServer', () => {
  it('listens on loopback and gives its address', () => {
    expect(server.host).toBe('127.0.0.1');
    expect(server.url).toBe(`http://127.0.0.1:${server.port}/`);
  });

  it('serves the page with the headers that isolate it', async () => {
    const { status, headers, body } = await ask(server, '/?prepare=1');
    expect(status).toBe(200);
    expect(body.toString()).toContain('Studio');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['cross-origin-embedder-policy']).toBe('require-corp');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['cache-control']).toBe('no-cache');
  });

  it('compresses text when asked to, and lets stamped files be kept', async () => {
    const plain = await ask(server, '/app/index-Dq3x_9aB.js');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(plain.headers['cache-control']).toContain('immutable');
    expect(plain.body.toString()).toBe(script);

    const small = await ask(server, '/app/index-Dq3x_9aB.js', { 'accept-encoding': 'gzip, br' });
    expect(small.headers['content-encoding']).toBe('gzip');
    expect(small.headers.vary).toBe('Accept-Encoding');
    expect(small.body.length).toBeLessThan(script.length / 4);
    expect(gunzipSync(small.body).toString()).toBe(script);

    const refused = await ask(server, '/app/index-Dq3x_9aB.js', { 'accept-encoding': 'gzip;q=0' });
    expect(refused.headers['content-encoding']).toBeUndefined();
  });

  it('sends prepared assets as they are, with their length', async () => {
    const { headers, body } = await ask(server, '/assets/bunny.palpable', { 'accept-encoding': 'gzip' });
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers['content-length']).toBe('4');
    expect([...body]).toEqual([0, 1, 2, 3]);
  });

  it('answers 304 to a browser that has the file', async () => {
    const first = await ask(server, '/assets/bunny.palpable');
    const again = await ask(server, '/assets/bunny.palpable', { 'if-none-match': `W/"x", ${first.headers.etag}` });
    expect(again.status).toBe(304);
    expect(again.body.length).toBe(0);
  });

  it('answers HEAD without a body and refuses other methods', async () => {
    const head = await ask(server, '/assets/bunny.palpable', {}, 'HEAD');
    expect(head.status).toBe(200);
    expect(head.headers['content-length']).toBe('4');
    expect(head.body.length).toBe(0);
    const post = await ask(server, '/', {}, 'POST');
    expect(post.status).toBe(405);
    expect(post.headers.allow).toBe('GET, HEAD');
  });

  it.each([
    '/missing.js',
    '/app',
    '/assets/',
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/app/..%2f..%2fsecret.txt',
    '/..%5csecret.txt',
    '/link.txt',
    '/%00',
    '/%',
    '//etc/passwd',
  ])('answers 404 to %s', async (path) => {
    const { status, body } = await ask(server, path);
    expect(status).toBe(404);
    expect(body.toString()).toBe('There is no such file in the studio.\n');
  });

  it('refuses a folder without a page, and a port that is none', async () => {
    await expect(startStudioServer({ root: folder })).rejects.toThrow(/not built.*npm run build/);
    await expect(startStudioServer({ root: join(folder, 'page'), port: 70000 })).rejects.toThrow(/not a port/);
  });

  it('says so when the wanted port is taken', async () => {
    const attempt = startStudioServer({ root: join(folder, 'page'), port: server.port });
    await expect(attempt).rejects.toThrow(new RegExp(`Port ${server.port} is in use`));
    await expect(attempt).rejects.toMatchObject({ code: 'option-invalid' });
  });

  it('takes a free port when the default one is taken', async () => {
    const blocker = createServer();
    // Something else may hold the default port already; then it is taken all the same.
    await new Promise<void>((resolve) => {
      blocker.once('error', () => resolve());
      blocker.listen(DEFAULT_STUDIO_PORT, '127.0.0.1', resolve);
    });
    const second = await startStudioServer({ root: join(folder, 'page') });
    expect(second.port).not.toBe(DEFAULT_STUDIO_PORT);
    expect((await ask(second, '/')).status).toBe(200);
    await second.close();
    blocker.close();
  });
});
