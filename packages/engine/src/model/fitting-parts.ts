import { cosOf, sinOf } from '../math/portable.js';
import { createBox, createCylinder } from '../mesh/shapes.js';
import { createMesh, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { createBlocks } from './blocks.js';

/*
 * Parts with exact flat faces: the corner of Zhao, section 5.4, and the peg of section 5.3 with its hole.
 *
 * Corner and cube. The inner faces lie on x = 0, y = 0 and z = 0 and face the positive axes; a cube of side a
 * rests in it with its centre at (a/2, a/2, a/2). With 7,772 points on the corner, a cube of 0.1 m touches some 34 of
 * them per face: about 68 while it slides along two faces, about 100 in all three, as many as the paper reports (70, 98).
 * To slide: centre at (x, 0.05 − d, 0.05 − d) with x from 0.1 to 0.4 m, d the depth to which the device is held inside.
 *
 * Peg and hole. The peg stands about the origin, the hole's axis is z, its upper rim at z = 0 and its lower one at
 * −0.1 m. Start with the peg's centre at (0, 0, 0.08), which is 5 mm above the rim; push along −z; at (0, 0, −0.025) the
 * lower end is level with the lower rim and the peg is in. The hole is 1 % narrower, so each side overlaps by 0.25 mm.
 */

/** Inner length of the plates and their thickness. */
const CORNER_LENGTH = 0.6;
const CORNER_THICKNESS = 0.02;

const PEG_WIDTH = 0.05;
const PEG_LENGTH = 0.15;
/** Width of the hole in parts of the peg's. */
const HOLE_PART = 0.99;
const HOLE_BLOCK_WIDTH = 0.15;
const HOLE_DEPTH = 0.1;

/** A polygon of so many sides stands for the circle in both round parts, so that their facets are parallel. */
const ROUND_SEGMENTS = 96;

/** Three plates at right angles that meet in the origin: the cube from −thickness to length without the inner cube. */
export function createCorner(): TriangleMesh {
  const lines = [-CORNER_THICKNESS, 0, CORNER_LENGTH];
  return createBlocks([lines, lines, lines], (i, j, k) => i === 0 || j === 0 || k === 0);
}

export function createPeg(): TriangleMesh {
  return createBox(PEG_WIDTH, PEG_WIDTH, PEG_LENGTH);
}

export function createPegHole(): TriangleMesh {
  const outer = HOLE_BLOCK_WIDTH / 2;
  const inner = (PEG_WIDTH * HOLE_PART) / 2;
  const across = [-outer, -inner, inner, outer];
  return createBlocks([across, across, [-HOLE_DEPTH, 0]], (i, j) => i !== 1 || j !== 1);
}

export function createRoundPeg(): TriangleMesh {
  return createCylinder(PEG_WIDTH / 2, PEG_LENGTH, ROUND_SEGMENTS);
}

/** A square block with a round hole: four rings of vertices, each joined to the next. */
export function createRoundHole(): TriangleMesh {
  const positions: number[] = [];
  for (const [isHole, z] of [
    [true, 0],
    [false, 0],
    [false, -HOLE_DEPTH],
    [true, -HOLE_DEPTH],
  ] as const) {
    for (let i = 0; i < ROUND_SEGMENTS; i++) positions.push(...roundHolePoint(i, isHole), z);
  }
  const triangles: number[] = [];
  for (let ring = 0; ring < 4; ring++) {
    for (let i = 0; i < ROUND_SEGMENTS; i++) {
      const next = (i + 1) % ROUND_SEGMENTS;
      const a = ring * ROUND_SEGMENTS;
      const b = ((ring + 1) % 4) * ROUND_SEGMENTS;
      triangles.push(a + i, b + i, b + next, a + i, b + next, a + next);
    }
  }
  return createMesh(Float64Array.from(positions), Uint32Array.from(triangles));
}

/** On the hole, or on the square around it in the same direction; the square's corners are among the directions. */
function roundHolePoint(i: number, isHole: boolean): [number, number] {
  const angle = (2 * Math.PI * i) / ROUND_SEGMENTS;
  const x = cosOf(angle);
  const y = sinOf(angle);
  const reach = isHole ? (PEG_WIDTH * HOLE_PART) / 2 : HOLE_BLOCK_WIDTH / 2 / Math.max(Math.abs(x), Math.abs(y));
  return [x * reach, y * reach];
}
