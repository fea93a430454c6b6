/** Many of one shape in one draw call, each given by a few numbers from which the shader builds it. */
import {
  type BufferAttribute,
  type BufferGeometry,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  type ShaderMaterial,
} from 'three';

export interface InstanceBatch<Part extends string> {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  /** By name of the shader's attribute. */
  readonly parts: Readonly<Record<Part, Float32Array>>;
  /** Draws the first so many, as they were written. */
  commit(count: number): void;
}

/** @param sizes how many numbers each attribute has per instance */
export function createInstanceBatch<Part extends string>(
  shape: BufferGeometry,
  material: ShaderMaterial,
  sizes: Readonly<Record<Part, number>>,
  capacity: number,
  renderOrder: number,
): InstanceBatch<Part> {
  const geometry = new InstancedBufferGeometry();
  geometry.setIndex(shape.getIndex());
  for (const name of ['position', 'normal']) geometry.setAttribute(name, shape.getAttribute(name) as BufferAttribute);
  const attributes = Object.entries<number>(sizes).map(([name, size]) => {
    const made = new InstancedBufferAttribute(new Float32Array(size * capacity), size).setUsage(DynamicDrawUsage);
    geometry.setAttribute(name, made);
    return [name, made] as const;
  });
  const object = new Mesh(geometry, material);
  object.frustumCulled = false;
  object.renderOrder = renderOrder;
  geometry.instanceCount = 0;
  const arrays = Object.fromEntries(attributes.map(([name, { array }]) => [name, array as Float32Array]));
  return {
    object,
    parts: arrays as Record<Part, Float32Array>,
    commit(count) {
      geometry.instanceCount = count;
      for (const [, attribute] of attributes) attribute.needsUpdate = true;
    },
  };
}
