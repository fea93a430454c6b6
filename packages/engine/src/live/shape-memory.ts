import type { TripleReader, TripleWriter } from '../base/triple-buffer.js';
import { type BlockLayout, createTripleMemory, openTripleReader, openTripleWriter } from '../base/triple-memory.js';

/**
 * The surfaces of elastic bodies as they are deformed, from the thread that works them out to whoever draws them. Single
 * precision: of every vertex its place in the body's frame and the stress there. Can be sent to a worker.
 */
export interface ShapeMemory {
  readonly buffer: SharedArrayBuffer;
  readonly bodies: readonly ShapedBody[];
}

export interface ShapedBody {
  readonly name: string;
  readonly vertices: number;
}

/** The bent surface of one body: places of its vertices (m, body frame) and von Mises stress (Pa). */
export interface BodyShape {
  /** m, three numbers per vertex, body frame. */
  readonly positions: Float32Array;
  /** Von Mises, Pa, one number per vertex. */
  readonly stress: Float32Array;
}

const FLOATS = 4;

export function createShapeMemory(bodies: readonly ShapedBody[]): ShapeMemory {
  return { buffer: createTripleMemory(layoutOf(bodies)), bodies };
}

/** In the order of the bodies. */
export function openShapeWriter({ buffer, bodies }: ShapeMemory): TripleWriter<readonly BodyShape[]> {
  return openTripleWriter(buffer, layoutOf(bodies));
}

/** The drawing end of the shapes of bent bodies, in their order: places (m) and stress (Pa). */
export function openShapeReader({ buffer, bodies }: ShapeMemory): TripleReader<readonly BodyShape[]> {
  return openTripleReader(buffer, layoutOf(bodies));
}

function layoutOf(bodies: readonly ShapedBody[]): BlockLayout<readonly BodyShape[]> {
  return {
    bytes: 4 * FLOATS * bodies.reduce((sum, { vertices }) => sum + vertices, 0),
    view(memory, offset) {
      let at = offset;
      const floats = (count: number) => {
        const view = new Float32Array(memory, at, count);
        at += view.byteLength;
        return view;
      };
      return bodies.map(({ vertices }) => ({ positions: floats(3 * vertices), stress: floats(vertices) }));
    },
  };
}
