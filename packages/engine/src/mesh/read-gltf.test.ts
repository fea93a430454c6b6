import { describe, expect, it } from 'vitest';
import { readGltf } from './read-gltf.js';

// biome-ignore lint/suspicious/noExplicitAny: tests break the document in every way
type Json = any;

/** A glTF of one triangle (0 0 0) (1 0 0) (0 1 0) and a fourth vertex (1 1 0); `change` edits the JSON. */
function gltf(change: (json: Json) => void = () => undefined): Json {
  const data = Buffer.concat([
    Buffer.from(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0).buffer),
    Buffer.from(Uint16Array.of(0, 1, 2, 3).buffer),
  ]);
  const json = {
    asset: { version: '2.0' },
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3' },
      { bufferView: 1, componentType: 5123, count: 3, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 8 },
    ],
    buffers: [{ byteLength: 56, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
  };
  change(json);
  return json;
}

const bytesOf = (json: unknown) => Buffer.from(JSON.stringify(json));
const read = (change?: (json: Json) => void) => readGltf(bytesOf(gltf(change)));
const trianglesOf = async (change?: (json: Json) => void) => Array.from((await read(change)).triangles);

function glb(json: unknown, data: Uint8Array): Buffer {
  const text = bytesOf(json);
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const words = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
  return Buffer.concat([
    words(0x46546c67, 2, 28 + padded.length + data.length, padded.length, 0x4e4f534a),
    padded,
    words(data.length, 0x004e4942),
    data,
  ]);
}

describe('glTF primitives', () => {
  it('reads triangles with and without indices', async () => {
    expect(await trianglesOf()).toEqual([0, 1, 2]);
    const unindexed = (json: Json) => {
      delete json.meshes[0].primitives[0].indices;
      json.accessors[0].count = 3;
    };
    expect(await trianglesOf(unindexed)).toEqual([0, 1, 2]);
  });

  it.each([
    [5, 'strips', [0, 1, 2, 1, 3, 2]],
    [6, 'fans', [0, 1, 2, 0, 2, 3]],
  ])('reads mode %i, %s', async (mode, _, expected) => {
    const change = (json: Json) => {
      json.meshes[0].primitives[0].mode = mode;
      json.accessors[1].count = 4;
    };
    expect(await trianglesOf(change)).toEqual(expected);
  });

  it('ignores points and lines and says so', async () => {
    const { triangles, warnings } = await read((json) => {
      json.meshes[0].primitives.push({ attributes: { POSITION: 0 }, mode: 1 });
    });
    expect(triangles).toHaveLength(3);
    expect(warnings).toEqual(['1 primitives of points or lines were ignored.']);
  });
});

describe('glTF accessors', () => {
  it('reads normalised and plain integers (KHR_mesh_quantization)', async () => {
    const data = Buffer.from(Int8Array.of(0, 0, 0, 0, 127, 0, 0, 0, 0, -128, 64, 0).buffer);
    const change = (normalized: boolean) => (json: Json) => {
      json.accessors[0] = { bufferView: 0, componentType: 5120, normalized, count: 3, type: 'VEC3' };
      json.bufferViews[0] = { buffer: 1, byteLength: 12, byteStride: 4 };
      json.buffers.push({ byteLength: 12, uri: `data:;base64,${data.toString('base64')}` });
    };
    expect(Array.from((await read(change(true))).positions)).toEqual([0, 0, 0, 1, 0, 0, 0, -1, 64 / 127]);
    expect(Array.from((await read(change(false))).positions)).toEqual([0, 0, 0, 127, 0, 0, 0, -128, 64]);
  });

  it('reads sparse accessors, also without a base', async () => {
    const data = Buffer.concat([Buffer.from(Uint8Array.of(2, 0, 0, 0)), Buffer.from(Float32Array.of(7, 8, 9).buffer)]);
    const sparse = (keepBase: boolean) => (json: Json) => {
      json.buffers.push({ byteLength: 16, uri: `data:;base64,${data.toString('base64')}` });
      json.bufferViews.push({ buffer: 1, byteLength: 1 }, { buffer: 1, byteOffset: 4, byteLength: 12 });
      json.accessors[0].sparse = {
        count: 1,
        indices: { bufferView: 2, componentType: 5121 },
        values: { bufferView: 3 },
      };
      if (!keepBase) delete json.accessors[0].bufferView;
    };
    expect(Array.from((await read(sparse(true))).positions).slice(3, 9)).toEqual([1, 0, 0, 7, 8, 9]);
    expect(Array.from((await read(sparse(false))).positions).slice(3, 9)).toEqual([0, 0, 0, 7, 8, 9]);
  });

  it('asks for a decoder for meshopt-compressed views, and hands it what the file says', async () => {
    const asked: unknown[] = [];
    const meshoptDecoder = {
      ready: Promise.resolve(),
      decodeGltfBuffer: (target: Uint8Array, ...rest: unknown[]) => {
        asked.push(rest);
        new Float32Array(target.buffer).set([0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 1, 0]);
      },
    };
    const compressed = { buffer: 0, byteOffset: 8, byteLength: 16, byteStride: 12, count: 4, mode: 'ATTRIBUTES' };
    const document = (change: object) =>
      bytesOf(
        gltf((json) => {
          json.bufferViews[0].extensions = { EXT_meshopt_compression: { ...compressed, ...change } };
        }),
      );
    const { positions } = await readGltf(document({}), { meshoptDecoder });
    expect(Array.from(positions.subarray(6, 9))).toEqual([0, 2, 0]);
    expect(asked).toEqual([[4, 12, expect.objectContaining({ length: 16 }), 'ATTRIBUTES', 'NONE']]);
    await expect(readGltf(document({}))).rejects.toThrow('no decoder was given');
    for (const [change, message] of [
      [{ count: 100_000_000 }, 'compressed bytes can hold'],
      [{ byteStride: 13 }, 'a stride that fits mode ATTRIBUTES'],
      [{ mode: 'TRIANGLES', byteStride: 4 }, 'a multiple of three'],
      [{ filter: 'QUATERNION' }, 'a stride that fits mode ATTRIBUTES and filter QUATERNION'],
      [{ filter: 'SEPIA' }, 'filter must be one of NONE, OCTAHEDRAL'],
      [{ byteLength: 99 }, 'needs 107 bytes but only 56'],
    ] as const) {
      await expect(readGltf(document(change), { meshoptDecoder }), message).rejects.toThrow(message);
    }
    const failing = { ready: Promise.resolve(), decodeGltfBuffer: () => void JSON.parse('{') };
    await expect(readGltf(document({}), { meshoptDecoder: failing })).rejects.toThrow(
      'that the meshopt decoder understands',
    );
  });
});

describe('glTF scenes', () => {
  it('places meshes by the whole chain of nodes and turns mirrored ones round', async () => {
    const half = Math.SQRT1_2;
    const { positions, triangles } = await read((json) => {
      json.nodes = [
        { children: [1], translation: [10, 0, 0] },
        { mesh: 0, rotation: [0, 0, half, half], scale: [2, 2, -2] },
        { mesh: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1] },
        { mesh: 0 },
      ];
      json.scenes = [{ nodes: [3] }, { nodes: [0, 2] }];
      json.scene = 1;
    });
    const at = (vertex: number) => Array.from(positions.slice(vertex * 3, vertex * 3 + 3), (value) => value + 0);
    expect(positions).toHaveLength(24);
    expect([at(0), at(1), at(2)]).toEqual([[0, 0, 5], [1, 0, 5], [0, 1, 5]]); // biome-ignore format: points
    expect(at(5).map((value) => Math.round(value * 1e9) / 1e9)).toEqual([10, 2, 0]);
    expect(Array.from(triangles)).toEqual([0, 1, 2, 4, 6, 5]);
  });

  it('takes all roots when no scene is stated', async () => {
    const { triangles } = await read((json) => {
      json.nodes = [{ mesh: 0 }, { children: [0, 2] }, { mesh: 0 }];
    });
    expect(triangles).toHaveLength(6);
  });

  it('asks the host for external data', async () => {
    const asked: string[] = [];
    const json: Json = gltf();
    const data = Buffer.from(json.buffers[0].uri.split(',')[1], 'base64');
    json.buffers[0].uri = 'part%201.bin';
    const resolveUri = async (uri: string) => {
      asked.push(uri);
      return data;
    };
    expect((await readGltf(bytesOf(json), { resolveUri })).triangles).toHaveLength(3);
    expect(asked).toEqual(['part%201.bin']);
    await expect(readGltf(bytesOf(json))).rejects.toThrow('keeps its data in "part%201.bin"');
  });

  it('reads a GLB and names what is cut off', async () => {
    const json: Json = gltf();
    const data = Buffer.from(json.buffers[0].uri.split(',')[1], 'base64');
    delete json.buffers[0].uri;
    const file = glb(json, data);
    expect((await readGltf(file)).triangles).toHaveLength(3);
    await expect(readGltf(file.subarray(0, -8))).rejects.toThrow('The GLB by its header needs');
    await expect(readGltf(file.subarray(0, 10))).rejects.toThrow('The header of a GLB needs 20 bytes');
  });
});

describe('bad glTF', () => {
  it.each<[string, (json: Json) => void, string]>([
    [
      'version 1',
      (json) => {
        json.asset.version = '1.0';
      },
      'This is glTF 1.0',
    ],
    ['no asset', (json) => delete json.asset, 'asset must be an object'],
    [
      'an accessor that is not there',
      (json) => {
        json.meshes[0].primitives[0].indices = 7;
      },
      'names accessors[7] but has only 2',
    ],
    [
      'a count beyond the view',
      (json) => {
        json.accessors[0].count = 5;
      },
      'accessors[0] needs 60 bytes but only 48',
    ],
    [
      'a count of 2 GiB',
      (json) => {
        json.accessors[0].count = 2 ** 31;
      },
      'more than can be loaded',
    ],
    [
      'zeros without bytes beyond reason',
      (json) => {
        json.accessors[0] = { componentType: 5126, count: 40_000_000, type: 'VEC3' };
      },
      'at most 1000000 without a buffer view',
    ],
    [
      'a view beyond the buffer',
      (json) => {
        json.bufferViews[0].byteOffset = 40;
      },
      'bufferViews[0] needs 88 bytes but only 56',
    ],
    [
      'a buffer longer than its data',
      (json) => {
        json.buffers[0].byteLength = 2 ** 31;
      },
      'buffers[0] needs 2147483648 bytes',
    ],
    ['broken base64', (json) => (json.buffers[0].uri = 'data:;base64,?!'), 'not base64'],
    [
      'an index out of range',
      (json) => {
        json.accessors[1].byteOffset = 2;
        json.accessors[0].count = 3;
      },
      'uses vertex 3 of only 3',
    ],
    [
      'a fractional count',
      (json) => {
        json.accessors[0].count = 1.5;
      },
      'accessors[0].count must be a whole number',
    ],
    [
      'a wrong type',
      (json) => {
        json.accessors[0].type = 'VEC2';
      },
      'accessors[0].type must be VEC3',
    ],
    [
      'float indices',
      (json) => {
        json.accessors[1].componentType = 5126;
      },
      'an unsigned integer type',
    ],
    [
      'nodes in a circle',
      (json) => {
        json.nodes = [{ children: [1] }, { children: [0] }];
        json.scenes = [{ nodes: [0] }];
      },
      'only once',
    ],
    [
      'a node that is not there',
      (json) => {
        json.nodes = [{ children: [5] }];
        json.scenes = [{ nodes: [0] }];
      },
      'names nodes[5]',
    ],
    [
      'an infinite matrix',
      (json) => {
        json.nodes = [{ mesh: 0, translation: [0, 0, null] }];
      },
      'translation must be 3 numbers',
    ],
    [
      'meshes that are no list',
      (json) => {
        json.meshes = 5;
      },
      'meshes must be a list',
    ],
    [
      'an unknown mode',
      (json) => {
        json.meshes[0].primitives[0].mode = 9;
      },
      'mode must be between 0 and 6',
    ],
  ])('refuses %s', async (_, change, message) => {
    await expect(read(change)).rejects.toThrow(message);
  });

  it('refuses Draco and says what to do, but reads the plain copy that some files keep', async () => {
    const draco = (json: Json) => {
      json.meshes[0].primitives[0].extensions = { KHR_draco_mesh_compression: { bufferView: 0, attributes: {} } };
    };
    expect((await read(draco)).triangles).toHaveLength(3);
    const only = (json: Json) => {
      draco(json);
      delete json.accessors[0].bufferView;
    };
    await expect(read(only)).rejects.toThrow(
      'compressed with Draco (KHR_draco_mesh_compression), which is not supported',
    );
  });

  it('refuses many copies of a large mesh before they fill the memory', async () => {
    const change = (json: Json) => {
      json.accessors[0] = { componentType: 5126, count: 1_000_000, type: 'VEC3' };
      json.nodes = Array.from({ length: 40 }, () => ({ mesh: 0 }));
    };
    await expect(read(change)).rejects.toThrow('too many vertices');
  });

  it('refuses what is no JSON', async () => {
    await expect(readGltf(Buffer.from('{"asset":'))).rejects.toThrow('cannot be parsed');
    await expect(readGltf(Buffer.from('[1]'))).rejects.toThrow('glTF must be an object');
  });
});
