import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { createBlocks } from './blocks.js';

/*
 * The table of Duriez, fig. 6 to 13 (a stand-in, the paper gives no sizes): four legs, which end at z = 0, under a top
 * whose upper face lies at z = 135 mm; the z axis goes through its middle. In the braced one, stretchers along x join
 * the legs at half height, so that contacts are coupled more strongly along x than along y.
 *
 * A load goes on the middle of the top, z = 0.135; the four undersides of the legs touch the floor.
 */

const TOP_LENGTH = 0.2;
const TOP_WIDTH = 0.14;
const TOP_THICKNESS = 0.015;
const LEG_LENGTH = 0.12;
const LEG_WIDTH = 0.015;
const STRETCHER_WIDTH = 0.008;

export function createTable(): TriangleMesh {
  const heights = [0, LEG_LENGTH, LEG_LENGTH + TOP_THICKNESS];
  const across = (size: number) => [-size / 2, LEG_WIDTH - size / 2, size / 2 - LEG_WIDTH, size / 2];
  return createBlocks([across(TOP_LENGTH), across(TOP_WIDTH), heights], (i, j, k) => k === 1 || (i !== 1 && j !== 1));
}

/** Along y the stretchers cut the legs into three: cells 0 to 2 are one row of legs, 4 to 6 the other. */
export function createBracedTable(): TriangleMesh {
  const half = STRETCHER_WIDTH / 2;
  const alongX = [-TOP_LENGTH / 2, LEG_WIDTH - TOP_LENGTH / 2, TOP_LENGTH / 2 - LEG_WIDTH, TOP_LENGTH / 2];
  const side = [TOP_WIDTH / 2 - LEG_WIDTH, (TOP_WIDTH - LEG_WIDTH) / 2 - half, (TOP_WIDTH - LEG_WIDTH) / 2 + half];
  const positive = [...side, TOP_WIDTH / 2];
  const alongY = [...positive.map((y) => -y).reverse(), ...positive];
  const heights = [0, LEG_LENGTH / 2 - half, LEG_LENGTH / 2 + half, LEG_LENGTH, LEG_LENGTH + TOP_THICKNESS];
  return createBlocks([alongX, alongY, heights], (i, j, k) => {
    const isStretcher = k === 1 && (j === 1 || j === 5);
    const isLeg = i !== 1 && j !== 3;
    return k === 3 || isStretcher || isLeg;
  });
}
