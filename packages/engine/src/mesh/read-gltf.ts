import { PalpableError } from '../base/errors.js';
import { readIndices, readVectors } from './gltf-accessors.js';
import { GltfBuffers, type GltfHost } from './gltf-buffers.js';
import {
  asObject,
  extension,
  type GltfDocument,
  invalid,
  item,
  type JsonObject,
  list,
  numbers,
  parseGltf,
  whole,
} from './gltf-document.js';
import { GrowableFloat64, GrowableUint32 } from './growable.js';
import { checkTriangleLimit, MAX_TRIANGLES, type RawMesh } from './raw-mesh.js';

/** Column-major 4 × 4, as glTF stores it. */
type Matrix = readonly number[];

interface PlacedMesh {
  readonly mesh: number;
  readonly matrix: Matrix;
}

const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** How the corners of a primitive make triangles; other modes are points and lines. */
const MODE_TRIANGLES = 4;
const MODE_STRIP = 5;
const MODE_FAN = 6;

/** Most vertices of all placed meshes together, so that many nodes with one large mesh cannot fill the memory. */
const MOST_VERTICES = MAX_TRIANGLES;

/**
 * Reads the triangles of a glTF 2.0 scene (.gltf or .glb), each mesh placed by its nodes. Rest pose: skins, morph
 * targets and animations are left out.
 */
export async function readGltf(bytes: Uint8Array, host: GltfHost = {}): Promise<RawMesh> {
  const document = parseGltf(bytes);
  const assembly = new Assembly(document, new GltfBuffers(document, host));
  for (const placed of placedMeshes(document)) await assembly.add(placed);
  return assembly.finish();
}

class Assembly {
  private readonly document: GltfDocument;
  private readonly buffers: GltfBuffers;
  private readonly positions = new GrowableFloat64();
  private readonly triangles = new GrowableUint32();
  private ignoredPrimitives = 0;
  private hasRestPose = false;

  constructor(document: GltfDocument, buffers: GltfBuffers) {
    this.document = document;
    this.buffers = buffers;
  }

  async add(placed: PlacedMesh): Promise<void> {
    const path = `meshes[${placed.mesh}]`;
    const primitives = list(item(this.document, 'meshes', placed.mesh), 'primitives', `${path}.`);
    for (let i = 0; i < primitives.length; i++) {
      await this.addPrimitive(
        asObject(primitives[i], `${path}.primitives[${i}]`),
        `${path}.primitives[${i}]`,
        placed.matrix,
      );
    }
  }

  finish(): RawMesh {
    const warnings: string[] = [];
    if (this.ignoredPrimitives > 0)
      warnings.push(`${this.ignoredPrimitives} primitives of points or lines were ignored.`);
    if (this.hasRestPose) warnings.push('Skins and morph targets were ignored: the mesh is in its rest pose.');
    return { positions: this.positions.take(), triangles: this.triangles.take(), warnings };
  }

  private async addPrimitive(primitive: JsonObject, path: string, matrix: Matrix): Promise<void> {
    const mode = whole(primitive, 'mode', path, MODE_TRIANGLES);
    if (mode > MODE_FAN) throw invalid(`${path}.mode`, 'between 0 and 6');
    if (mode < MODE_TRIANGLES) {
      this.ignoredPrimitives++;
      return;
    }
    const attributes = asObject(primitive.attributes, `${path}.attributes`);
    const accessor = whole(attributes, 'POSITION', `${path}.attributes`);
    this.rejectDraco(primitive, accessor);
    if (primitive.targets !== undefined || attributes.JOINTS_0 !== undefined) this.hasRestPose = true;
    const vectors = await readVectors(this.document, this.buffers, accessor);
    const indices =
      primitive.indices === undefined
        ? countingIndices(vectors.length / 3)
        : await readIndices(this.document, this.buffers, whole(primitive, 'indices', path));
    const first = this.addVertices(vectors, matrix);
    this.addTriangles(indices, mode, first, vectors.length / 3, isMirrored(matrix));
  }

  /** Files compressed with Draco may also hold plain data; when they do, that is read. */
  private rejectDraco(primitive: JsonObject, positionAccessor: number): void {
    if (extension(primitive, 'KHR_draco_mesh_compression') === undefined) return;
    if (item(this.document, 'accessors', positionAccessor).bufferView !== undefined) return;
    throw new PalpableError(
      'format-unsupported',
      'The glTF is compressed with Draco (KHR_draco_mesh_compression), which is not supported; export it without Draco, or with meshopt.',
    );
  }

  private addVertices(vectors: Float64Array, m: Matrix): number {
    const first = this.positions.length / 3;
    if (first + vectors.length / 3 > MOST_VERTICES) {
      throw new PalpableError(
        'too-large',
        'The placed meshes of the glTF have too many vertices together; simplify the scene.',
      );
    }
    for (let i = 0; i < vectors.length; i += 3) {
      const [x, y, z] = [vectors[i], vectors[i + 1], vectors[i + 2]];
      this.positions.push3(
        m[0] * x + m[4] * y + m[8] * z + m[12],
        m[1] * x + m[5] * y + m[9] * z + m[13],
        m[2] * x + m[6] * y + m[10] * z + m[14],
      );
    }
    return first;
  }

  /** `mirrored` turns the triangles round, as the specification asks for nodes that mirror. */
  private addTriangles(indices: Uint32Array, mode: number, first: number, vertices: number, mirrored: boolean): void {
    const step = mode === MODE_TRIANGLES ? 3 : 1;
    for (let i = 0; i + 2 < indices.length; i += step) {
      // Every second triangle of a strip runs the other way round.
      const turned = mirrored !== (mode === MODE_STRIP && i % 2 === 1);
      const a = indices[mode === MODE_FAN ? 0 : i];
      const b = indices[turned ? i + 2 : i + 1];
      const c = indices[turned ? i + 1 : i + 2];
      if (a >= vertices || b >= vertices || c >= vertices) {
        throw new PalpableError(
          'mesh-invalid',
          `A primitive of the glTF uses vertex ${Math.max(a, b, c)} of only ${vertices}; the file is damaged: export it again.`,
        );
      }
      this.triangles.push3(first + a, first + b, first + c);
    }
    checkTriangleLimit(this.triangles.length / 3);
  }
}

function countingIndices(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => i);
}

/** Every mesh of the scene with its place: the stated scene, else the first, else all nodes, else all meshes as they are. */
function placedMeshes(document: GltfDocument): PlacedMesh[] {
  const nodes = list(document.json, 'nodes');
  if (nodes.length === 0) return list(document.json, 'meshes').map((_, mesh) => ({ mesh, matrix: IDENTITY }));
  const placed: PlacedMesh[] = [];
  const seen = new Uint8Array(nodes.length);
  const pending = rootNodes(document, nodes.length).map((node) => ({ node, parent: IDENTITY }));
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const path = `nodes[${entry.node}]`;
    const node = item(document, 'nodes', entry.node);
    if (seen[entry.node] !== 0) throw invalid(path, 'in the tree of nodes only once');
    seen[entry.node] = 1;
    if (extension(node, 'EXT_mesh_gpu_instancing') !== undefined) {
      throw new PalpableError(
        'format-unsupported',
        'The glTF uses EXT_mesh_gpu_instancing, which is not supported; export plain nodes.',
      );
    }
    const matrix = multiply(entry.parent, localMatrix(node, path));
    if (node.mesh !== undefined) placed.push({ mesh: whole(node, 'mesh', path), matrix });
    for (const child of nodeIndices(node, 'children', path)) pending.push({ node: child, parent: matrix });
  }
  return placed;
}

function rootNodes(document: GltfDocument, nodeCount: number): number[] {
  if (list(document.json, 'scenes').length > 0) {
    const scene = whole(document.json, 'scene', 'glTF', 0);
    return nodeIndices(item(document, 'scenes', scene), 'nodes', `scenes[${scene}]`);
  }
  const isChild = new Uint8Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    for (const child of nodeIndices(item(document, 'nodes', node), 'children', `nodes[${node}]`)) isChild[child] = 1;
  }
  return Array.from(isChild.keys()).filter((node) => isChild[node] === 0);
}

function nodeIndices(parent: JsonObject, key: string, path: string): number[] {
  return list(parent, key, `${path}.`).map((value) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      throw invalid(`${path}.${key}`, 'node indices');
    return value;
  });
}

function localMatrix(node: JsonObject, path: string): Matrix {
  if (node.matrix !== undefined) return numbers(node, 'matrix', path, IDENTITY);
  const [tx, ty, tz] = numbers(node, 'translation', path, [0, 0, 0]) as [number, number, number];
  const [x, y, z, w] = numbers(node, 'rotation', path, [0, 0, 0, 1]) as [number, number, number, number];
  const [sx, sy, sz] = numbers(node, 'scale', path, [1, 1, 1]) as [number, number, number];
  return [
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y + z * w) * sx,
    2 * (x * z - y * w) * sx,
    0,
    2 * (x * y - z * w) * sy,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z + x * w) * sy,
    0,
    2 * (x * z + y * w) * sz,
    2 * (y * z - x * w) * sz,
    (1 - 2 * (x * x + y * y)) * sz,
    0,
    tx,
    ty,
    tz,
    1,
  ];
}

function multiply(a: Matrix, b: Matrix): Matrix {
  const result = new Array<number>(16).fill(0);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < 4; k++) result[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
    }
  }
  return result;
}

function isMirrored(m: Matrix): boolean {
  const determinant =
    m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
  return determinant < 0;
}
