import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPalpableError } from '@palpable/engine';
import { afterAll, describe, expect, it } from 'vitest';
import { loadMeshFile } from './load-mesh-file.js';

const folder = mkdtempSync(join(tmpdir(), 'palpable-meshes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const data = Buffer.from(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer);

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** A glTF of one triangle whose data is in another file. */
function writeGltf(name: string, uri: string): string {
  return write(
    name,
    JSON.stringify({
      asset: { version: '2.0' },
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
      bufferViews: [{ buffer: 0, byteLength: 36 }],
      buffers: [{ byteLength: 36, uri }],
    }),
  );
}

/** The message of the proper error that loading must end with. */
async function refusal(loading: Promise<unknown>): Promise<string> {
  const error: unknown = await loading.catch((reason: unknown) => reason);
  if (!isPalpableError(error)) throw new Error(`expected a PalpableError, got ${String(error)}`);
  return error.message;
}

describe('loading mesh files', () => {
  it('reads a file and its unit', async () => {
    const path = write('a.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
    const { mesh, format } = await loadMeshFile(path, { unit: 'mm' });
    expect(format).toBe('obj');
    expect(mesh.positions[3]).toBe(0.001);
  });

  it('names the file in every refusal', async () => {
    const missing = join(folder, 'missing.stl');
    expect(await refusal(loadMeshFile(missing))).toBe(`${missing}: The file does not exist; check the path.`);
    expect(await refusal(loadMeshFile(folder))).toBe(`${folder}: The file is a folder; name a file in it.`);
    expect(await refusal(loadMeshFile('/dev/null'))).toContain('/dev/null: The file is not a regular file');
    const empty = write('empty.stl', '');
    expect(await refusal(loadMeshFile(empty))).toBe(`${empty}: The file is empty; export it again.`);
    const letter = write('letter.stl', 'Dear reader.');
    expect(await refusal(loadMeshFile(letter))).toContain(`${letter}: This is a text file but not an STL`);
  });

  it('refuses a file beyond the limit without reading it', async () => {
    const path = write('huge.stl', '');
    truncateSync(path, 3 * 1024 ** 3);
    expect(await refusal(loadMeshFile(path))).toContain('The file has 3072 MiB, more than the limit of 1024 MiB');
  });

  it('says when a file must not be read', async () => {
    const path = write('secret.stl', 'solid');
    chmodSync(path, 0);
    // For the superuser there is no such file; then it is read, and refused for what it holds.
    const expected = process.getuid?.() === 0 ? 'text file' : 'The file may not be read; check its permissions.';
    expect(await refusal(loadMeshFile(path))).toContain(expected);
  });
});

describe('data beside a glTF file', () => {
  it('is found in its folder and below, also with spaces in the name', async () => {
    mkdirSync(join(folder, 'sub'));
    write('sub/my data.bin', data);
    expect((await loadMeshFile(writeGltf('good.gltf', 'sub/my%20data.bin'))).mesh.triangles).toHaveLength(3);
  });

  it('is never taken from elsewhere', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'palpable-outside-'));
    writeFileSync(join(outside, 'data.bin'), data);
    symlinkSync(join(outside, 'data.bin'), join(folder, 'link.bin'));
    const uris = [
      '../data.bin',
      join(outside, 'data.bin'),
      'link.bin',
      'https://example.org/data.bin',
      'file:///etc/passwd',
      '%00',
      '%',
      '.',
    ];
    for (const uri of uris) {
      expect(await refusal(loadMeshFile(writeGltf('bad.gltf', uri))), uri).toContain('which is not in its own folder');
    }
    expect(await refusal(loadMeshFile(writeGltf('bad.gltf', 'none.bin')))).toContain(
      'none.bin: The file does not exist',
    );
    rmSync(outside, { recursive: true });
  });
});
