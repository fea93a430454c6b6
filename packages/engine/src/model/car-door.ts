import { length2 } from '../math/portable.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { createPressedSheet, type PlaneFunction } from './pressed-sheet.js';

/*
 * The inner panel of a front door with the frame of its window: stand-in for the part of Zhao, section 5.2, of which only
 * the shell (30,017 points) is printed. A closed sheet of 4 mm; real ones have under 1 mm, but a penalty contact needs
 * something to press into.
 *
 * Body frame: x along the car, z up, y from the outer skin to the cabin. The large flat floor of the panel has its cabin
 * side on y = 0.002 exactly.
 *
 * Poses of the window motor's body frame in the door's (no rotation):
 *  - to slide on the floor: (x, 0.002 − d, 0.3), x from 0.32 to 0.46, its pads d deep in the panel;
 *  - start of the insertion: (0.605, 0.03, 0.25), its pads before the service opening; push along −y;
 *  - inserted: (0.605, −0.09, 0.25), all of it behind the panel. The opening leaves about 4 mm all round.
 */

const THICKNESS = 0.004;
const CELL = 0.0075;
/** Where the panel ends and the frame of the window begins. */
const BELT = 0.62;

export function createCarDoor(): TriangleMesh {
  return createPressedSheet({
    outline: doorOutline,
    relief: doorRelief,
    thickness: THICKNESS,
    low: [0, 0],
    high: [1.05, 1.05],
    cell: CELL,
  });
}

/** The panel and the frame above it, without the window and the openings. */
const doorOutline: PlaneFunction = (x, z) => {
  const panel = roundedBox(x, z, 0, 0, 1.05, BELT + 0.05, 0.06);
  const whole = Math.min(panel, frame(x, z, 0));
  return Math.max(whole, -Math.max(frame(x, z, 0.045), BELT + 0.045 - z), -openings(x, z));
};

/** The pillar leans: a quadrangle from the belt up, `inset` smaller all round. */
function frame(x: number, z: number, inset: number): number {
  const front = 0.8 * (0.32 - x) + 0.6 * (z - 0.7) + inset;
  const rear = x - 1.03 + 0.12 * (z - BELT) + inset;
  const top = z - 1.02 + 0.12 * (x - 0.6) * (x - 0.6) + inset;
  return smoothMax(smoothMax(front, top, 0.08), smoothMax(rear, BELT - 0.04 - z, 0.02), 0.08);
}

/** Service opening for the window motor, loudspeaker, lock, three for the hand, and screw holes. */
function openings(x: number, z: number): number {
  return Math.min(
    serviceOpening(x, z),
    length2(x - 0.2, z - 0.17) - 0.085,
    roundedBox(x, z, 0.885, 0.29, 0.965, 0.42, 0.03),
    roundedBox(x, z, 0.1, 0.36, 0.24, 0.46, 0.035),
    roundedBox(x, z, 0.36, 0.09, 0.56, 0.16, 0.034),
    roundedBox(x, z, 0.64, 0.44, 0.8, 0.52, 0.03),
    length2(x - 0.07, z - 0.3) - 0.013,
    length2(x - 0.98, z - 0.12) - 0.013,
    length2(x - 0.98, z - 0.52) - 0.013,
  );
}

/** The outline of the window motor, a box around it, and 4 mm. */
function serviceOpening(x: number, z: number): number {
  return roundedBox(x, z, 0.534, 0.186, 0.746, 0.314, 0.03);
}

/** How far the sheet stands towards the cabin: a rim, the floor at 0, ribs, a step for the armrest, the leaning frame. */
const doorRelief: PlaneFunction = (x, z) => {
  const border = roundedBox(x, z, 0, 0, 1.05, BELT + 0.05, 0.06);
  const rim = 0.028 * rise(border, -0.065, -0.025);
  const belt = 0.03 * rise(z, BELT - 0.07, BELT - 0.025);
  const lean = z > BELT ? -0.35 * (z - BELT) * (z - BELT) : 0;
  const speaker = 0.012 * rise(-length2(x - 0.2, z - 0.17), -0.13, -0.1);
  const hand = 0.014 * rise(-roundedBox(x, z, 0.1, 0.36, 0.24, 0.46, 0.035), -0.045, -0.012);
  const lock = 0.012 * rise(-roundedBox(x, z, 0.885, 0.29, 0.965, 0.42, 0.03), -0.045, -0.012);
  const bosses = Math.max(speaker, hand, lock);
  return Math.max(rim, belt, bosses, ribs(x, z)) + lean;
};

/** Long beads pressed into the floor, away from the place where the motor slides. */
function ribs(x: number, z: number): number {
  const beads = [
    segment(x, z, 0.34, 0.42, 0.58, 0.5),
    segment(x, z, 0.8, 0.12, 0.84, 0.5),
    segment(x, z, 0.6, 0.11, 0.74, 0.11),
  ];
  return 0.009 * rise(-Math.min(...beads), -0.028, -0.004);
}

/** From 0 at `low` to 1 at `high`, with even ends. */
function rise(value: number, low: number, high: number): number {
  const t = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return t * t * (3 - 2 * t);
}

function smoothMax(a: number, b: number, radius: number): number {
  const blend = Math.max(radius - Math.abs(a - b), 0);
  return Math.max(a, b) + (blend * blend) / (4 * radius);
}

function roundedBox(
  x: number,
  z: number,
  lowX: number,
  lowZ: number,
  highX: number,
  highZ: number,
  radius: number,
): number {
  const dx = Math.abs(x - (lowX + highX) / 2) - (highX - lowX) / 2 + radius;
  const dz = Math.abs(z - (lowZ + highZ) / 2) - (highZ - lowZ) / 2 + radius;
  return length2(Math.max(dx, 0), Math.max(dz, 0)) + Math.min(Math.max(dx, dz), 0) - radius;
}

function segment(x: number, z: number, fromX: number, fromZ: number, toX: number, toZ: number): number {
  const [wx, wz] = [toX - fromX, toZ - fromZ];
  const t = Math.min(1, Math.max(0, ((x - fromX) * wx + (z - fromZ) * wz) / (wx * wx + wz * wz)));
  return length2(x - fromX - t * wx, z - fromZ - t * wz);
}
