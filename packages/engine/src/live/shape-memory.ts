import {
  createTripleReader,
  createTripleWriter,
  resetTripleBuffer,
  type TripleReader,
  type TripleWriter,
} from '../base/triple-buffer.js';

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

const HEAD_BYTES = 16;
const SLOT = 0;
const FLOATS = 4;

export function createShapeMemory(bodies: readonly ShapedBody[]): ShapeMemory {
  const buffer = new SharedArrayBuffer(HEAD_BYTES + 3 * blockBytes(bodies));
  resetTripleBuffer(new Int32Array(buffer, 0, HEAD_BYTES / 4), SLOT);
  return { buffer, bodies };
}

function blockBytes(bodies: readonly ShapedBody[]): number {
  return 4 * FLOATS * bodies.reduce((sum, { vertices }) => sum + vertices, 0);
}

/** In the order of the bodies. */
export function openShapeWriter(memory: ShapeMemory): TripleWriter<readonly BodyShape[]> {
  return createTripleWriter(headOf(memory), SLOT, viewBlocks(memory));
}

/** The drawing end of the shapes of bent bodies, in their order: places (m) and stress (Pa). */
export function openShapeReader(memory: ShapeMemory): TripleReader<readonly BodyShape[]> {
  return createTripleReader(headOf(memory), SLOT, viewBlocks(memory));
}

function headOf({ buffer }: ShapeMemory): Int32Array {
  return new Int32Array(buffer, 0, HEAD_BYTES / 4);
}

function viewBlocks({ buffer, bodies }: ShapeMemory): BodyShape[][] {
  return [0, 1, 2].map((block) => {
    let at = HEAD_BYTES + block * blockBytes(bodies);
    const floats = (count: number) => {
      const view = new Float32Array(buffer, at, count);
      at += view.byteLength;
      return view;
    };
    return bodies.map(({ vertices }) => ({ positions: floats(3 * vertices), stress: floats(vertices) }));
  });
}
