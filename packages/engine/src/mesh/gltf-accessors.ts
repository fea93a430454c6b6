import { PalpableError } from '../base/errors.js';
import type { GltfBuffers } from './gltf-buffers.js';
import { asObject, type GltfDocument, invalid, item, type JsonObject, text, whole } from './gltf-document.js';
import { MAX_TRIANGLES, truncated } from './raw-mesh.js';

interface ComponentType {
  readonly bytes: number;
  /** Divides a normalised value; 1 for types that are not normalised. */
  readonly largest: number;
  readonly read: (view: DataView, offset: number) => number;
}

/** Component types by their OpenGL numbers. */
const COMPONENT_TYPES: Readonly<Record<number, ComponentType>> = {
  5120: { bytes: 1, largest: 127, read: (view, offset) => view.getInt8(offset) },
  5121: { bytes: 1, largest: 255, read: (view, offset) => view.getUint8(offset) },
  5122: { bytes: 2, largest: 32767, read: (view, offset) => view.getInt16(offset, true) },
  5123: { bytes: 2, largest: 65535, read: (view, offset) => view.getUint16(offset, true) },
  5125: { bytes: 4, largest: 1, read: (view, offset) => view.getUint32(offset, true) },
  5126: { bytes: 4, largest: 1, read: (view, offset) => view.getFloat32(offset, true) },
};

const COMPONENTS: Readonly<Record<string, number>> = { SCALAR: 1, VEC3: 3 };

/** Most elements of an accessor: no more corners than the most triangles have. */
const MOST_ELEMENTS = MAX_TRIANGLES * 3;

/** Elements that may be zeros without any bytes behind them (an accessor without a buffer view). */
const MOST_UNBACKED_ELEMENTS = 1_000_000;

/** All values of an accessor of three-component vectors as doubles; quantised ones are scaled as the file says. */
export function readVectors(document: GltfDocument, buffers: GltfBuffers, index: number): Promise<Float64Array> {
  return readAccessor(document, buffers, index, 'VEC3');
}

/** All values of an accessor of vertex indices. */
export async function readIndices(document: GltfDocument, buffers: GltfBuffers, index: number): Promise<Uint32Array> {
  const type = item(document, 'accessors', index).componentType;
  if (type !== 5121 && type !== 5123 && type !== 5125) {
    throw invalid(`accessors[${index}].componentType`, 'an unsigned integer type for indices');
  }
  return Uint32Array.from(await readAccessor(document, buffers, index, 'SCALAR'));
}

async function readAccessor(
  document: GltfDocument,
  buffers: GltfBuffers,
  index: number,
  type: 'SCALAR' | 'VEC3',
): Promise<Float64Array> {
  const path = `accessors[${index}]`;
  const accessor = item(document, 'accessors', index);
  if (text(accessor, 'type', path) !== type) throw invalid(`${path}.type`, type);
  const count = elementCount(accessor, path);
  const component = componentType(accessor, path);
  const components = COMPONENTS[type];
  const values = new ElementReader(component, components, accessor.normalized === true);
  const result = accessor.bufferView === undefined ? zeros(count, components, path) : undefined;
  const filled =
    result ??
    (await values.read(
      buffers,
      whole(accessor, 'bufferView', path),
      whole(accessor, 'byteOffset', path, 0),
      count,
      path,
    ));
  if (accessor.sparse !== undefined) await applySparse(buffers, asObject(accessor.sparse, path), filled, values, path);
  return filled;
}

/** Reads elements of one layout from buffer views. */
class ElementReader {
  readonly components: number;
  private readonly type: ComponentType;
  private readonly divisor: number;

  constructor(type: ComponentType, components: number, normalized: boolean) {
    this.type = type;
    this.components = components;
    this.divisor = normalized ? type.largest : 1;
  }

  async read(
    buffers: GltfBuffers,
    viewIndex: number,
    offset: number,
    count: number,
    path: string,
  ): Promise<Float64Array> {
    const { type, components, divisor } = this;
    const view = await buffers.view(viewIndex);
    const elementBytes = type.bytes * components;
    const stride = view.stride ?? elementBytes;
    if (stride < elementBytes) throw invalid(path, 'in a buffer view whose stride holds a whole element');
    const needed = count === 0 ? 0 : offset + stride * (count - 1) + elementBytes;
    if (needed > view.bytes.length) throw truncated(path, needed, view.bytes.length);
    const data = new DataView(view.bytes.buffer, view.bytes.byteOffset, view.bytes.byteLength);
    const result = new Float64Array(count * components);
    for (let element = 0; element < count; element++) {
      for (let k = 0; k < components; k++) {
        const value = type.read(data, offset + stride * element + type.bytes * k);
        // The most negative number of a signed type means −1 as well.
        result[element * components + k] = divisor === 1 ? value : Math.max(value / divisor, -1);
      }
    }
    return result;
  }
}

/** Replaces single elements by others (sparse accessors). */
async function applySparse(
  buffers: GltfBuffers,
  sparse: JsonObject,
  target: Float64Array,
  values: ElementReader,
  accessorPath: string,
): Promise<void> {
  const path = `${accessorPath}.sparse`;
  const count = elementCount(sparse, path);
  const where = asObject(sparse.indices, `${path}.indices`);
  const what = asObject(sparse.values, `${path}.values`);
  const indexReader = new ElementReader(componentType(where, `${path}.indices`), 1, false);
  const offsets = [whole(where, 'byteOffset', path, 0), whole(what, 'byteOffset', path, 0)] as const;
  const indices = await indexReader.read(
    buffers,
    whole(where, 'bufferView', `${path}.indices`),
    offsets[0],
    count,
    path,
  );
  const replaced = await values.read(buffers, whole(what, 'bufferView', `${path}.values`), offsets[1], count, path);
  for (let i = 0; i < count; i++) {
    const element = indices[i] * values.components;
    if (!(element >= 0 && element < target.length)) throw invalid(`${path}.indices`, 'inside of the accessor');
    for (let k = 0; k < values.components; k++) target[element + k] = replaced[i * values.components + k];
  }
}

function zeros(count: number, components: number, path: string): Float64Array {
  if (count > MOST_UNBACKED_ELEMENTS)
    throw invalid(`${path}.count`, `at most ${MOST_UNBACKED_ELEMENTS} without a buffer view`);
  return new Float64Array(count * components);
}

function elementCount(accessor: JsonObject, path: string): number {
  const count = whole(accessor, 'count', path);
  if (count > MOST_ELEMENTS) {
    throw new PalpableError(
      'too-large',
      `In the glTF, ${path}.count is ${count}, more than can be loaded; simplify the mesh.`,
    );
  }
  return count;
}

function componentType(accessor: JsonObject, path: string): ComponentType {
  const type = COMPONENT_TYPES[whole(accessor, 'componentType', path)];
  if (type === undefined) throw invalid(`${path}.componentType`, 'one of 5120, 5121, 5122, 5123, 5125, 5126');
  return type;
}
