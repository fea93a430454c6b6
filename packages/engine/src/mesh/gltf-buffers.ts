import { isPalpableError, PalpableError } from '../base/errors.js';
import { extension, type GltfDocument, invalid, item, type JsonObject, text, whole } from './gltf-document.js';
import { truncated } from './raw-mesh.js';
import { decodeBase64 } from './text-coding.js';

/** Fetches what a relative URI of a glTF file means; the host knows files and networks, the engine does not. */
export type UriResolver = (uri: string) => Promise<Uint8Array>;

/** The part of meshoptimizer's `MeshoptDecoder` that is used, so that the host can hand in the package itself. */
export interface MeshoptDecoder {
  readonly ready: Promise<void>;
  /** Decompresses `count` items of `size` bytes from `source` into `target`. */
  decodeGltfBuffer(
    target: Uint8Array,
    count: number,
    size: number,
    source: Uint8Array,
    mode: string,
    filter?: string,
  ): void;
}

/** What the host must provide for glTF files with external or compressed buffers. */
export interface GltfHost {
  readonly resolveUri?: UriResolver | undefined;
  readonly meshoptDecoder?: MeshoptDecoder | undefined;
}

/** Bytes of a buffer view and the distance of its elements, if it states one. */
export interface GltfView {
  readonly bytes: Uint8Array;
  readonly stride: number | undefined;
}

/** The extension's two names: the one of vendors, and the one it was given when it was ratified. */
const MESHOPT_EXTENSIONS = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

/** Most bytes that a compressed byte may stand for (a run of equal vertices), and most that all may add up to. */
const MESHOPT_EXPANSION = 1024;
const MESHOPT_TOTAL_BYTES = 512 * 1024 * 1024;

const MESHOPT_MODES = ['ATTRIBUTES', 'TRIANGLES', 'INDICES'];
const MESHOPT_FILTERS = ['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR'];

/** Loads buffers and buffer views on demand, each once: views of textures are never touched. */
export class GltfBuffers {
  private readonly document: GltfDocument;
  private readonly host: GltfHost;
  private readonly buffers = new Map<number, Promise<Uint8Array>>();
  private readonly views = new Map<number, Promise<GltfView>>();
  private decodedBytes = 0;

  constructor(document: GltfDocument, host: GltfHost) {
    this.document = document;
    this.host = host;
  }

  view(index: number): Promise<GltfView> {
    return remembered(this.views, index, () => this.loadView(index));
  }

  private async loadView(index: number): Promise<GltfView> {
    const path = `bufferViews[${index}]`;
    const view = item(this.document, 'bufferViews', index);
    for (const name of MESHOPT_EXTENSIONS) {
      const compressed = extension(view, name);
      if (compressed !== undefined) return this.decompress(compressed, `${path}.${name}`);
    }
    const bytes = await this.slice(view, path);
    return { bytes, stride: view.byteStride === undefined ? undefined : stride(view, path) };
  }

  private async slice(view: JsonObject, path: string): Promise<Uint8Array> {
    const index = whole(view, 'buffer', path);
    const buffer = await remembered(this.buffers, index, () => this.loadBuffer(index));
    const offset = whole(view, 'byteOffset', path, 0);
    const length = whole(view, 'byteLength', path);
    if (offset + length > buffer.length) throw truncated(path, offset + length, buffer.length);
    return buffer.subarray(offset, offset + length);
  }

  private async loadBuffer(index: number): Promise<Uint8Array> {
    const path = `buffers[${index}]`;
    const buffer = item(this.document, 'buffers', index);
    const length = whole(buffer, 'byteLength', path);
    const bytes = buffer.uri === undefined ? this.binaryChunk(path) : await this.fetch(text(buffer, 'uri', path));
    if (length > bytes.length) throw truncated(path, length, bytes.length);
    return bytes;
  }

  private binaryChunk(path: string): Uint8Array {
    if (this.document.binaryChunk !== undefined) return this.document.binaryChunk;
    throw new PalpableError('format-invalid', `In the glTF, ${path} names no data; export the file again.`);
  }

  private async fetch(uri: string): Promise<Uint8Array> {
    if (uri.startsWith('data:')) return dataOf(uri);
    if (this.host.resolveUri === undefined) {
      throw new PalpableError(
        'format-unsupported',
        `The glTF keeps its data in "${uri.slice(0, 80)}", which is not available here; export a GLB, which holds everything.`,
      );
    }
    return this.host.resolveUri(uri);
  }

  private async decompress(compressed: JsonObject, path: string): Promise<GltfView> {
    const decoder = this.host.meshoptDecoder;
    if (decoder === undefined) {
      throw new PalpableError(
        'format-unsupported',
        'The glTF is compressed with meshopt and no decoder was given; pass meshoptDecoder or export without compression.',
      );
    }
    const count = whole(compressed, 'count', path);
    const elementBytes = stride(compressed, path);
    const mode = oneOf(compressed, 'mode', path, MESHOPT_MODES, undefined);
    const filter = oneOf(compressed, 'filter', path, MESHOPT_FILTERS, 'NONE');
    checkMeshoptLayout(path, mode, filter, count, elementBytes);
    const source = await this.slice(compressed, path);
    const size = count * elementBytes;
    this.decodedBytes += size;
    if (size > source.length * MESHOPT_EXPANSION || this.decodedBytes > MESHOPT_TOTAL_BYTES) {
      throw invalid(`${path}.count`, `a number that ${source.length} compressed bytes can hold`);
    }
    await decoder.ready;
    const bytes = new Uint8Array(size);
    try {
      decoder.decodeGltfBuffer(bytes, count, elementBytes, source, mode, filter);
    } catch (error) {
      if (isPalpableError(error)) throw error;
      throw invalid(path, 'data that the meshopt decoder understands');
    }
    return { bytes, stride: elementBytes };
  }
}

/** What the decoder takes for granted instead of checking it. */
function checkMeshoptLayout(path: string, mode: string, filter: string, count: number, elementBytes: number): void {
  const indexed = mode !== 'ATTRIBUTES';
  const strideFits = indexed ? elementBytes === 2 || elementBytes === 4 : elementBytes % 4 === 0 && elementBytes <= 256;
  const filterFits =
    filter === 'NONE' ||
    filter === 'EXPONENTIAL' ||
    (filter === 'QUATERNION' ? elementBytes === 8 : elementBytes === 4 || elementBytes === 8);
  if (!strideFits || elementBytes === 0 || !filterFits || (indexed && filter !== 'NONE')) {
    throw invalid(`${path}.byteStride`, `a stride that fits mode ${mode} and filter ${filter}`);
  }
  if (mode === 'TRIANGLES' && count % 3 !== 0) throw invalid(`${path}.count`, 'a multiple of three');
}

function stride(view: JsonObject, path: string): number {
  const value = whole(view, 'byteStride', path);
  if (value < 1 || value > 256) throw invalid(`${path}.byteStride`, 'between 1 and 256');
  return value;
}

function oneOf(parent: JsonObject, key: string, path: string, allowed: string[], fallback: string | undefined): string {
  const value = parent[key] ?? fallback;
  if (typeof value !== 'string' || !allowed.includes(value))
    throw invalid(`${path}.${key}`, `one of ${allowed.join(', ')}`);
  return value;
}

function dataOf(uri: string): Uint8Array {
  const comma = uri.indexOf(',');
  if (comma < 0 || !uri.slice(0, comma).endsWith(';base64')) {
    throw new PalpableError('format-unsupported', 'A data: URI of the glTF is not base64; export the file again.');
  }
  return decodeBase64(uri, comma + 1);
}

function remembered<T>(known: Map<number, Promise<T>>, index: number, load: () => Promise<T>): Promise<T> {
  let value = known.get(index);
  if (value === undefined) {
    value = load();
    known.set(index, value);
  }
  return value;
}
