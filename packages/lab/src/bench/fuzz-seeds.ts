import { createSphere, type TriangleMesh } from '@palpable/engine';
import type { MeshFormat } from '@palpable/engine/advanced';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { binaryStl } from './binary-stl.js';
import { writeStepBox } from './step-box.js';

/** A small valid file that mutations start from. */
export interface FuzzSeed {
  readonly name: string;
  readonly format: MeshFormat;
  readonly bytes: Uint8Array;
}

/** One valid file of every format and encoding, all of the same small sphere; STEP of a box. */
export async function fuzzSeeds(): Promise<FuzzSeed[]> {
  await MeshoptEncoder.ready;
  const mesh = createSphere(0.05, 2);
  const text = (content: string) => Buffer.from(content, 'latin1');
  return [
    { name: 'binary.stl', format: 'stl', bytes: binaryStl(mesh) },
    { name: 'text.stl', format: 'stl', bytes: text(asciiStl(mesh)) },
    { name: 'mesh.obj', format: 'obj', bytes: text(obj(mesh)) },
    { name: 'text.ply', format: 'ply', bytes: text(plyHeader(mesh, 'ascii') + plyBody(mesh)) },
    { name: 'little.ply', format: 'ply', bytes: binaryPly(mesh, true) },
    { name: 'big.ply', format: 'ply', bytes: binaryPly(mesh, false) },
    { name: 'mesh.off', format: 'off', bytes: text(off(mesh)) },
    { name: 'mesh.glb', format: 'gltf', bytes: glb(gltfJson(mesh), gltfData(mesh)) },
    { name: 'meshopt.glb', format: 'gltf', bytes: compressedGlb(mesh) },
    { name: 'mesh.gltf', format: 'gltf', bytes: text(embeddedGltf(mesh)) },
    { name: 'box.step', format: 'step', bytes: text(writeStepBox([10, 20, 30])) },
  ];
}

function vertices(mesh: TriangleMesh): number[][] {
  return chunks(mesh.positions);
}

function faces(mesh: TriangleMesh): number[][] {
  return chunks(mesh.triangles);
}

function chunks(values: ArrayLike<number>): number[][] {
  return Array.from({ length: values.length / 3 }, (_, i) => [values[i * 3], values[i * 3 + 1], values[i * 3 + 2]]);
}

function asciiStl(mesh: TriangleMesh): string {
  const points = vertices(mesh).map(
    (point) => `      vertex ${point.map((value) => value.toExponential(6)).join(' ')}\n`,
  );
  const facets = faces(mesh).map(
    (face) =>
      `  facet normal 0 0 0\n    outer loop\n${face.map((vertex) => points[vertex]).join('')}    endloop\n  endfacet\n`,
  );
  return `solid sphere\n${facets.join('')}endsolid sphere\n`;
}

function obj(mesh: TriangleMesh): string {
  const points = vertices(mesh).map((point) => `v ${point.join(' ')}\n`);
  const lines = faces(mesh).map(
    (face, i) => `f ${face.map((vertex) => (i % 2 ? `${vertex + 1}//1` : vertex + 1)).join(' ')}\n`,
  );
  return `# sphere\no sphere\n${points.join('')}vn 0 0 1\n${lines.join('')}f -1 -2 \\\n-3 -4\n`;
}

function plyHeader(mesh: TriangleMesh, format: string): string {
  return `ply
format ${format} 1.0
comment sphere
element vertex ${mesh.positions.length / 3}
property float x
property float y
property float z
property uchar red
element face ${mesh.triangles.length / 3}
property list uchar int vertex_indices
end_header
`;
}

function plyBody(mesh: TriangleMesh): string {
  return [...vertices(mesh).map((point) => [...point, 255]), ...faces(mesh).map((face) => [3, ...face])]
    .map((values) => `${values.join(' ')}\n`)
    .join('');
}

function binaryPly(mesh: TriangleMesh, littleEndian: boolean): Uint8Array {
  const header = Buffer.from(plyHeader(mesh, littleEndian ? 'binary_little_endian' : 'binary_big_endian'), 'latin1');
  const body = Buffer.alloc((mesh.positions.length + mesh.triangles.length) * 8);
  let offset = 0;
  for (const point of vertices(mesh)) {
    for (const value of point)
      offset = littleEndian ? body.writeFloatLE(value, offset) : body.writeFloatBE(value, offset);
    offset = body.writeUInt8(255, offset);
  }
  for (const face of faces(mesh)) {
    offset = body.writeUInt8(3, offset);
    for (const vertex of face)
      offset = littleEndian ? body.writeInt32LE(vertex, offset) : body.writeInt32BE(vertex, offset);
  }
  return Buffer.concat([header, body.subarray(0, offset)]);
}

function off(mesh: TriangleMesh): string {
  const points = vertices(mesh).map((point) => `${point.join(' ')}\n`);
  const lines = faces(mesh).map((face) => `3 ${face.join(' ')} 255 0 0\n`);
  return `OFF\n# sphere\n${points.length} ${lines.length} 0\n${points.join('')}${lines.join('')}`;
}

/** The data of a glTF file: indices of 16 bits, positions in single precision, and a sparse change of one vertex. */
function gltfData(mesh: TriangleMesh): Buffer {
  return Buffer.concat([
    Buffer.from(Uint16Array.from(mesh.triangles).buffer),
    Buffer.from(Float32Array.from(mesh.positions).buffer),
    Buffer.from(Uint32Array.of(3).buffer),
    Buffer.from(Float32Array.of(0.01, 0.02, 0.06).buffer),
  ]);
}

function gltfJson(mesh: TriangleMesh, uri?: string): string {
  const [indexBytes, positionBytes] = [mesh.triangles.length * 2, mesh.positions.length * 4];
  const byteLength = indexBytes + positionBytes + 16;
  return JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [
      { children: [1, 2], translation: [0.1, 0, 0] },
      { mesh: 0, rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] },
      { mesh: 0, matrix: [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.3, 0, 0, 1] },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 1 }, indices: 0, mode: 4 }] }],
    accessors: [
      { bufferView: 0, componentType: 5123, count: mesh.triangles.length, type: 'SCALAR' },
      {
        bufferView: 1,
        componentType: 5126,
        count: mesh.positions.length / 3,
        type: 'VEC3',
        sparse: { count: 1, indices: { bufferView: 2, componentType: 5125 }, values: { bufferView: 3 } },
      },
    ],
    bufferViews: [
      { buffer: 0, byteLength: indexBytes },
      { buffer: 0, byteOffset: indexBytes, byteLength: positionBytes },
      { buffer: 0, byteOffset: indexBytes + positionBytes, byteLength: 4 },
      { buffer: 0, byteOffset: indexBytes + positionBytes + 4, byteLength: 12 },
    ],
    buffers: [uri === undefined ? { byteLength } : { byteLength, uri }],
  });
}

function embeddedGltf(mesh: TriangleMesh): string {
  return gltfJson(mesh, `data:application/octet-stream;base64,${gltfData(mesh).toString('base64')}`);
}

/** Compressed with meshopt: 16-bit normalised positions of eight bytes each, and triangles. */
function compressedGlb(mesh: TriangleMesh): Uint8Array {
  const count = mesh.positions.length / 3;
  const quantised = new Int16Array(count * 4);
  mesh.positions.forEach((value, i) => {
    quantised[Math.floor(i / 3) * 4 + (i % 3)] = Math.round((value / 0.05) * 32767);
  });
  const vertexData = MeshoptEncoder.encodeVertexBuffer(new Uint8Array(quantised.buffer), count, 8);
  const indexData = MeshoptEncoder.encodeIndexBuffer(
    new Uint8Array(mesh.triangles.slice().buffer),
    mesh.triangles.length,
    4,
  );
  const view = (byteOffset: number, data: Uint8Array, byteStride: number, elements: number, mode: string) => ({
    buffer: 0,
    byteLength: elements * byteStride,
    extensions: {
      EXT_meshopt_compression: { buffer: 0, byteOffset, byteLength: data.length, byteStride, count: elements, mode },
    },
  });
  const json = JSON.stringify({
    asset: { version: '2.0' },
    extensionsRequired: ['EXT_meshopt_compression', 'KHR_mesh_quantization'],
    nodes: [{ mesh: 0, scale: [0.05, 0.05, 0.05] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 1 }, indices: 0 }] }],
    accessors: [
      { bufferView: 0, componentType: 5125, count: mesh.triangles.length, type: 'SCALAR' },
      { bufferView: 1, componentType: 5122, normalized: true, count, type: 'VEC3' },
    ],
    bufferViews: [
      view(vertexData.length, indexData, 4, mesh.triangles.length, 'TRIANGLES'),
      view(0, vertexData, 8, count, 'ATTRIBUTES'),
    ],
    buffers: [{ byteLength: vertexData.length + indexData.length }],
  });
  return glb(json, Buffer.concat([vertexData, indexData]));
}

function glb(json: string, data: Buffer): Uint8Array {
  const padded = json.padEnd(Math.ceil(json.length / 4) * 4, ' ');
  const header = Buffer.alloc(20);
  header.write('glTF', 0, 'latin1');
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(28 + padded.length + data.length, 8);
  header.writeUInt32LE(padded.length, 12);
  header.write('JSON', 16, 'latin1');
  const chunk = Buffer.alloc(8);
  chunk.writeUInt32LE(data.length, 0);
  chunk.write('BIN\0', 4, 'latin1');
  return Buffer.concat([header, Buffer.from(padded, 'latin1'), chunk, data]);
}
