import { PalpableError } from '../base/errors.js';
import { truncated } from './raw-mesh.js';
import { decodeUtf8 } from './text-coding.js';

/**
 * A glTF file as JSON of which nothing is believed: values are looked up by path with `member`, `item` and the typed
 * getters below, which say where a wrong one stands (`accessors[3].count`).
 */
export interface GltfDocument {
  readonly json: JsonObject;
  /** The binary chunk of a GLB, which is what buffer 0 without a URI means. */
  readonly binaryChunk: Uint8Array | undefined;
}

export type JsonObject = { readonly [key: string]: unknown };

const GLB_MAGIC = 0x46546c67;
const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BINARY = 0x004e4942;

/** Longest JSON: beyond it, the parsed objects of a hostile file would fill the memory. */
const MOST_JSON_BYTES = 256 * 1024 * 1024;

export function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true) === GLB_MAGIC;
}

export function parseGltf(bytes: Uint8Array): GltfDocument {
  const document = isGlb(bytes) ? splitGlb(bytes) : { json: parseJson(bytes), binaryChunk: undefined };
  const version = text(object(document.json, 'asset'), 'version', 'asset');
  if (!version.startsWith('2.')) {
    throw new PalpableError(
      'format-unsupported',
      `This is glTF ${version.slice(0, 8)}; only glTF 2.0 is supported: export it as 2.0.`,
    );
  }
  return document;
}

function splitGlb(bytes: Uint8Array): GltfDocument {
  if (bytes.length < 20) throw truncated('The header of a GLB', 20, bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(8, true);
  if (length > bytes.length) throw truncated('The GLB by its header', length, bytes.length);
  let json: JsonObject | undefined;
  let binaryChunk: Uint8Array | undefined;
  for (let offset = 12; offset + 8 <= length; ) {
    const size = view.getUint32(offset, true);
    const type = view.getUint32(offset + 4, true);
    if (size > length - offset - 8) throw truncated('A chunk of the GLB', size, length - offset - 8);
    const chunk = bytes.subarray(offset + 8, offset + 8 + size);
    if (type === CHUNK_JSON && json === undefined) json = parseJson(chunk);
    else if (type === CHUNK_BINARY && binaryChunk === undefined) binaryChunk = chunk;
    offset += 8 + size;
  }
  if (json === undefined) throw new PalpableError('format-invalid', 'The GLB holds no JSON chunk; export it again.');
  return { json, binaryChunk };
}

function parseJson(bytes: Uint8Array): JsonObject {
  if (bytes.length > MOST_JSON_BYTES) {
    throw new PalpableError('too-large', 'The JSON of the glTF is larger than 256 MiB; export it as GLB instead.');
  }
  let value: unknown;
  try {
    value = JSON.parse(decodeUtf8(bytes).replace(/^\uFEFF/, ''));
  } catch {
    throw new PalpableError(
      'format-invalid',
      'The JSON of the glTF cannot be parsed; the file is damaged: export it again.',
    );
  }
  return asObject(value, 'glTF');
}

export function invalid(path: string, expected: string): PalpableError {
  return new PalpableError(
    'format-invalid',
    `In the glTF, ${path} must be ${expected}; the file is damaged: export it again.`,
  );
}

export function asObject(value: unknown, path: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(path, 'an object');
  return value as JsonObject;
}

/** A member that must be an object. */
function object(parent: JsonObject, key: string): JsonObject {
  return asObject(parent[key], key);
}

/** A list, empty when the member is absent. */
export function list(parent: JsonObject, key: string, path = ''): readonly unknown[] {
  const value = parent[key];
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalid(`${path}${key}`, 'a list');
  return value;
}

export function text(parent: JsonObject, key: string, path: string): string {
  const value = parent[key];
  if (typeof value !== 'string') throw invalid(`${path}.${key}`, 'a text');
  return value;
}

/** A whole number of at least 0 that counts or places something; `fallback` when the member is absent. */
export function whole(parent: JsonObject, key: string, path: string, fallback?: number): number {
  const value = parent[key] ?? fallback;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw invalid(`${path}.${key}`, 'a whole number of at least 0');
  }
  return value;
}

/** Exactly `count` finite numbers, or the fallback when the member is absent. */
export function numbers(parent: JsonObject, key: string, path: string, fallback: readonly number[]): readonly number[] {
  const value = parent[key];
  if (value === undefined) return fallback;
  const fits =
    Array.isArray(value) && value.length === fallback.length && value.every((entry) => Number.isFinite(entry));
  if (!fits) throw invalid(`${path}.${key}`, `${fallback.length} numbers`);
  return value as number[];
}

/** The object that an index names in one of the document's lists. */
export function item(document: GltfDocument, listName: string, index: number): JsonObject {
  const entries = list(document.json, listName);
  if (index >= entries.length) {
    throw new PalpableError(
      'format-invalid',
      `The glTF names ${listName}[${index}] but has only ${entries.length} ${listName}; the file is damaged: export it again.`,
    );
  }
  return asObject(entries[index], `${listName}[${index}]`);
}

/** The object of an extension, if the parent has it. */
export function extension(parent: JsonObject, name: string): JsonObject | undefined {
  const extensions = parent.extensions;
  if (typeof extensions !== 'object' || extensions === null || !Object.hasOwn(extensions, name)) return undefined;
  return asObject((extensions as JsonObject)[name], name);
}
