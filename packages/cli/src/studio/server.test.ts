import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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
  await writeFile(join(root, 'app', 'part-worker-Dq3x_9aB.js'), '');
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

  it('lets nothing into the page that is not from here', async () => {
    for (const path of ['/', '/app/index-Dq3x_9aB.js', '/missing.js']) {
      const policy = String((await ask(server, path)).headers['content-security-policy']).split('; ');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'self'",
          "script-src 'self' 'wasm-unsafe-eval'",
          "object-src 'none'",
          "base-uri 'none'",
          "frame-ancestors 'self'",
        ]),
      );
      expect(policy.join()).not.toMatch(/'unsafe-|http|\*/);
    }
    // Only the thread that runs the CAD kernel, whose script needs it, and which must not reach anything else.
    const { headers } = await ask(server, '/app/part-worker-Dq3x_9aB.js');
    expect(headers['content-security-policy']).toBe("default-src 'self'; script-src 'self' 'unsafe-eval'");
  });

  it('answers only to its own names', async () => {
    const port = server.port;
    for (const host of ['127.0.0.1', `127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST.', '127.1.2.3', '[::1]:80']) {
      expect((await ask(server, '/', { host })).status, host).toBe(200);
    }
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '192.168.0.7', '[::2]']) {
      const { status, body } = await ask(server, '/', { host });
      expect(status, host).toBe(421);
      expect(body.toString()).toMatch(/^The studio is not .*--host\.\n$/);
    }
  });

  it('answers to any address, but not to any name, when it is open to the network', async () => {
    const open = await startStudioServer({ root: join(folder, 'page'), port: 0, host: '0.0.0.0' });
    try {
      for (const host of ['192.168.0.7:7437', '[fd00::7]', 'localhost']) {
        expect((await ask(open, '/', { host })).status, host).toBe(200);
      }
      expect((await ask(open, '/', { host: 'evil.example' })).status).toBe(421);
    } finally {
      await open.close();
    }
  });

  it('answers a program that sends no host, as HTTP/1.0 allows', async () => {
    const socket = connect(server.port, server.host);
    socket.write('GET / HTTP/1.0\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.\d 200 /);
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

  it('has a tag for each encoding, and knows both', async () => {
    const path = '/app/index-Dq3x_9aB.js';
    const encodings = [{}, { 'accept-encoding': 'gzip' }];
    const [plain, small] = await Promise.all(
      encodings.map(async (headers) => (await ask(server, path, headers)).headers),
    );
    expect(plain!.etag).toMatch(/^"[^"]+"$/);
    expect(small!.etag).toMatch(/^"[^"]+"$/);
    expect(small!.etag).not.toBe(plain!.etag);
    for (const [headers, known] of [
      [encodings[0], plain],
      [encodings[1], small],
    ] as const) {
      const again = await ask(server, path, { ...headers, 'if-none-match': String(known!.etag) });
      expect([again.status, again.headers.etag]).toEqual([304, known!.etag]);
    }
    expect((await ask(server, path, { 'if-none-match': String(small!.etag) })).status).toBe(200);
  });

  it.each([
    ['bytes=1-2', 206, 'bytes 1-2/4', [1, 2]],
    ['bytes=2-', 206, 'bytes 2-3/4', [2, 3]],
    ['bytes=2-99', 206, 'bytes 2-3/4', [2, 3]],
    ['bytes=-1', 206, 'bytes 3-3/4', [3]],
    ['bytes=-9', 206, 'bytes 0-3/4', [0, 1, 2, 3]],
    ['bytes=4-', 416, 'bytes */4', []],
    ['bytes=-0', 416, 'bytes */4', []],
    // Not one part, or none at all: everything.
    ['bytes=0-0,2-2', 200, undefined, [0, 1, 2, 3]],
    ['bytes=2-1', 200, undefined, [0, 1, 2, 3]],
    ['bytes=-', 200, undefined, [0, 1, 2, 3]],
    ['lines=1-2', 200, undefined, [0, 1, 2, 3]],
  ])('answers the range %s with %i', async (range, status, contentRange, bytes) => {
    const answer = await ask(server, '/assets/bunny.palpable', { range });
    expect([answer.status, answer.headers['content-range'], [...answer.body]]).toEqual([status, contentRange, bytes]);
    expect(answer.headers['accept-ranges']).toBe('bytes');
    expect(answer.headers['content-length']).toBe(String(bytes.length));
  });

  it('gives a part only of the version that is asked for, and of what is not compressed', async () => {
    const path = '/assets/bunny.palpable';
    const { etag } = (await ask(server, path)).headers;
    const part = { range: 'bytes=1-1' };
    expect((await ask(server, path, { ...part, 'if-range': String(etag) })).status).toBe(206);
    expect((await ask(server, path, { ...part, 'if-range': '"other"' })).status).toBe(200);
    expect((await ask(server, path, { ...part, 'if-range': 'Thu, 01 Jan 2026 00:00:00 GMT' })).status).toBe(200);
    expect((await ask(server, path, part, 'HEAD')).status).toBe(200);
    const whole = await ask(server, '/app/index-Dq3x_9aB.js', { ...part, 'accept-encoding': 'gzip' });
    expect([whole.status, whole.headers['accept-ranges']]).toEqual([200, undefined]);
    expect(gunzipSync(whole.body).toString()).toBe(script);
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
