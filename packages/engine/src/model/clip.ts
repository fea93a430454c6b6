import { asinOf, cosOf, sinOf } from '../math/portable.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { createSection, extrudeSection, type SectionPoint } from './section.js';

/*
 * The clip that snaps on a pipe of 20 mm (Duriez, fig. 14 to 18; a stand-in, the paper gives no sizes): a ring that opens
 * towards −z, with lips bent outward that lead the pipe in, and on top a handle.
 *
 * The ring's centre is the origin and its axis y, so that a pipe at the clip's own pose is snapped in with 0.1 mm of
 * clearance. The mouth is 16 mm wide at its narrowest, at z = −7.3 mm: each side gives way by 2 mm.
 * The handle is the box −7 … 7 mm, −6 … 6 mm, up to z = 28 mm; what lies above z = 16 mm is what a hand holds (the
 * nodes of Dirichlet). The lips end at z = −11.5 mm: with its centre below z = −18 mm a pipe does not yet touch them.
 * Its volume is 4.47 cm³: the 15 g of the paper are 3,350 kg/m³.
 *
 * As a curved beam held at the handle (E = 700 MPa, 2.5 mm thick, 12 mm wide) a side needs some 10 N to give way by
 * 2 mm, at a strain of 2 % in the ring near the handle.
 *
 * Section, seen along y: `angle` runs from the top, towards +x; ring, bend and lip follow one middle line.
 */

const INNER_RADIUS = 0.0101;
const WALL = 0.0025;
const WIDTH = 0.012;
/** Radius of the bend's middle line. */
const BEND_RADIUS = 0.00275;
/** Half the narrowest distance between the two sides. */
const HALF_MOUTH = 0.008;
/** How far the lip leans outward from straight down. */
const LIP_ANGLE = (40 * Math.PI) / 180;
const LIP_LENGTH = 0.002;
const HANDLE_HALF_WIDTH = 0.007;
const HANDLE_TOP = 0.028;

const MIDDLE_RADIUS = INNER_RADIUS + WALL / 2;
const OUTER_RADIUS = INNER_RADIUS + WALL;
/** The bend follows where its side towards the pipe is to come nearest to x = HALF_MOUTH. */
const BEND_START = Math.PI - asinOf((HALF_MOUTH + BEND_RADIUS + WALL / 2) / (MIDDLE_RADIUS + BEND_RADIUS));
const HANDLE_ANGLE = asinOf(HANDLE_HALF_WIDTH / OUTER_RADIUS);

/** Parts of the handle's width, of the ring on each side, of the bend, of the lip, through the wall, along z and y. */
const HANDLE_PARTS = 12;
const RING_PARTS = 18;
const BEND_PARTS = 7;
const LIP_PARTS = 2;
const WALL_PARTS = 1;
const HANDLE_RISE_PARTS = 5;
const WIDTH_PARTS = 6;

export function createClip(): TriangleMesh {
  // From the tip on the side of +x over the top to the other: counter-clockwise, as sections are.
  const rows = [...sideRows().reverse(), ...ringRows(), ...sideRows().map(mirrored)];
  const lines = Array.from({ length: WIDTH_PARTS + 1 }, (_, i) => WIDTH * (i / WIDTH_PARTS - 0.5));
  return extrudeSection(createSection([rows, handleRows()]), lines);
}

/** Across the wall at a point of the middle line; `outward` is the unit direction away from the pipe. */
function wallRow(middle: SectionPoint, outward: SectionPoint): SectionPoint[] {
  return Array.from({ length: WALL_PARTS + 1 }, (_, i) => {
    const offset = WALL * (i / WALL_PARTS - 0.5);
    return [middle[0] + offset * outward[0], middle[1] + offset * outward[1]];
  });
}

function ringRow(angle: number): SectionPoint[] {
  const outward: SectionPoint = [sinOf(angle), cosOf(angle)];
  return wallRow([MIDDLE_RADIUS * outward[0], MIDDLE_RADIUS * outward[1]], outward);
}

/** Directions of the columns under the handle, from +x to −x, equally spaced along x. */
function handleAngles(): number[] {
  return Array.from({ length: HANDLE_PARTS + 1 }, (_, i) =>
    asinOf((HANDLE_HALF_WIDTH * (HANDLE_PARTS - 2 * i)) / (HANDLE_PARTS * OUTER_RADIUS)),
  );
}

/** The ring under the handle without the two rows that the sides begin with. */
function ringRows(): SectionPoint[][] {
  return handleAngles().slice(1, -1).map(ringRow);
}

/** From the handle down to the tip of the lip, on the side of +x. */
function sideRows(): SectionPoint[][] {
  const rows: SectionPoint[][] = [];
  for (let i = 0; i <= RING_PARTS; i++) {
    rows.push(ringRow(HANDLE_ANGLE + ((BEND_START - HANDLE_ANGLE) * i) / RING_PARTS));
  }
  const centre: SectionPoint = [
    (MIDDLE_RADIUS + BEND_RADIUS) * sinOf(BEND_START),
    (MIDDLE_RADIUS + BEND_RADIUS) * cosOf(BEND_START),
  ];
  // Downwards, the direction away from the pipe changes from the ring's back to the lip's.
  const lipDirection = Math.PI / 2 - LIP_ANGLE;
  for (let i = 1; i <= BEND_PARTS; i++) {
    const angle = BEND_START + ((lipDirection - BEND_START) * i) / BEND_PARTS;
    rows.push(lipRow(centre, angle, 0));
  }
  for (let i = 1; i <= LIP_PARTS; i++) rows.push(lipRow(centre, lipDirection, (LIP_LENGTH * i) / LIP_PARTS));
  return rows;
}

/** A row `along` beyond the point of the bend where the direction away from the pipe is `angle`. */
function lipRow(centre: SectionPoint, angle: number, along: number): SectionPoint[] {
  const outward: SectionPoint = [sinOf(angle), cosOf(angle)];
  const x = centre[0] - BEND_RADIUS * outward[0] + along * outward[1];
  const z = centre[1] - BEND_RADIUS * outward[1] - along * outward[0];
  return wallRow([x, z], outward);
}

function mirrored(row: readonly SectionPoint[]): SectionPoint[] {
  return row.map(([x, z]) => [-x, z]);
}

/** Columns from the ring's outside up to the flat top. */
function handleRows(): SectionPoint[][] {
  return handleAngles().map((angle) => {
    const foot = ringRow(angle)[WALL_PARTS];
    return Array.from({ length: HANDLE_RISE_PARTS + 1 }, (_, i) => [
      foot[0],
      foot[1] + ((HANDLE_TOP - foot[1]) * i) / HANDLE_RISE_PARTS,
    ]);
  });
}
