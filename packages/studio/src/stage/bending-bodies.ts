/** The bodies of the stage that bend, by their names: where their vertices are, and how hard they are strained. */
import type { TriangleMesh } from '@palpable/engine';
import type { BodyShape } from '@palpable/engine/advanced';
import { Box3, Color, type Matrix4, Vector3 } from 'three';
import type { BendingSurface } from './bending-surface.js';
import { rampTable, STRESS_RAMP, TABLE_STEPS } from './colours.js';

export interface BendingPart {
  readonly name: string;
  /** What it is drawn by, perhaps with other bodies, and the first of its vertices there. */
  readonly surface: BendingSurface;
  readonly start: number;
  /** At rest, in the body's frame. */
  readonly rest: TriangleMesh;
  /** From the body's frame to that of the surface. */
  readonly toSurface: Matrix4;
}

/** What moves by less of the body's size cannot be seen. */
const SEEN_MOTION = 1e-4;
/** And of the scale. */
const SEEN_STRESS = 0.01;

interface DrawnPart extends BendingPart {
  /** m, three numbers per vertex, body frame. */
  readonly positions: Float32Array;
  /** Von Mises, Pa, one number per vertex. */
  readonly stress: Float32Array;
  /** Least motion that can be seen, m. */
  readonly seenMotion: number;
}

export function createBendingBodies(parts: readonly BendingPart[]) {
  const drawn = parts.map((part): DrawnPart => {
    const positions = Float32Array.from(part.rest.positions);
    const size = new Box3().setFromArray(positions).getSize(new Vector3());
    return {
      ...part,
      positions,
      stress: new Float32Array(positions.length / 3),
      seenMotion: SEEN_MOTION * Math.max(...size),
    };
  });
  const surfaces = new Set(parts.map(({ surface }) => surface));
  const largest = { displacement: 0, stress: 0 };
  let top = 1;
  const measure = () => {
    largest.displacement = Math.max(0, ...drawn.map(largestDisplacement));
    largest.stress = Math.max(0, ...drawn.map(({ stress }) => stress.reduce((most, one) => Math.max(most, one), 0)));
  };
  const draw = () => {
    for (const part of drawn) {
      place(part);
      paint(part, top);
    }
    for (const surface of surfaces) surface.refresh();
  };
  draw();
  return {
    /** Farthest that a vertex is from where it was at rest, m, and the largest stress, Pa. */
    largest,
    /** The newest shapes of the bodies of these names; false when nothing changes that can be seen. */
    show(names: readonly string[], shapes: readonly BodyShape[]) {
      const news = drawn.filter((part) => {
        const shape = shapes[names.indexOf(part.name)];
        if (!shape || !isSeen(part, shape, top)) return false;
        part.positions.set(shape.positions);
        part.stress.set(shape.stress);
        return true;
      });
      if (news.length === 0) return false;
      measure();
      draw();
      return true;
    },
    /** Undeformed. */
    relax() {
      for (const { positions, stress, rest } of drawn) {
        positions.set(rest.positions);
        stress.fill(0);
      }
      measure();
      draw();
    },
    /** The stress of the strongest colour, Pa. */
    setTop(wished: number) {
      if (wished === top) return;
      top = wished;
      draw();
    },
    /** The colour of what is drawn by the same surface and does not bend. */
    setGround(surface: BendingSurface, colour: string) {
      const ground = new Color(colour);
      for (let n = 0; n < surface.colours.length; n += 3) ground.toArray(surface.colours, n);
      draw();
    },
  };
}

/** Measured from what is drawn, so that many small steps do not get lost. */
function isSeen({ positions, stress, seenMotion }: DrawnPart, shape: BodyShape, top: number): boolean {
  for (let n = 0; n < positions.length; n += 1) {
    if (Math.abs(positions[n]! - shape.positions[n]!) > seenMotion) return true;
  }
  for (let n = 0; n < stress.length; n += 1) {
    if (Math.abs(stress[n]! - shape.stress[n]!) > SEEN_STRESS * top) return true;
  }
  return false;
}

function largestDisplacement({ positions, rest }: DrawnPart): number {
  let most = 0;
  for (let n = 0; n < positions.length; n += 3) {
    const x = positions[n]! - rest.positions[n]!;
    const y = positions[n + 1]! - rest.positions[n + 1]!;
    const z = positions[n + 2]! - rest.positions[n + 2]!;
    most = Math.max(most, x * x + y * y + z * z);
  }
  return Math.sqrt(most);
}

const point = new Vector3();

function place({ positions, surface, start, toSurface }: DrawnPart): void {
  for (let n = 0; n < positions.length; n += 3) {
    point
      .fromArray(positions, n)
      .applyMatrix4(toSurface)
      .toArray(surface.places, 3 * start + n);
  }
}

/** As the renderer wants them: linear. */
const stressColours = rampTable(STRESS_RAMP).map(([red, green, blue]) => new Color().setRGB(red, green, blue, 'srgb'));

function paint({ stress, surface, start }: DrawnPart, top: number): void {
  for (let n = 0; n < stress.length; n += 1) {
    const step = Math.round((TABLE_STEPS - 1) * Math.min(1, stress[n]! / top));
    stressColours[step]!.toArray(surface.colours, 3 * (start + n));
  }
}
