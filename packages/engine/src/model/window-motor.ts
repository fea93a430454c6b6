import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { contourSolid } from './contour-solid.js';
import { bar, box, capsule, cone, cylinder, type Solid, subtract, torus, union } from './solids.js';

/*
 * The motor of a window lifter: stand-in for the part of Zhao, section 5.2, of which only the field (256³) is printed.
 *
 * Body frame: y is the axis of gear and drum, x that of the electric motor. The three mounting pads lie in the plane
 * y = 0 and face −y; everything else is above it. Pressed on a flat part of the door, the pads cover as many of the
 * door's 30,017 points as the paper counts contacts, about 55.
 */

const CELL = 0.0018;
const SIN_60 = Math.sqrt(3) / 2;
/** Distance of the mounting pads from the drum's axis, and their radius. */
const PAD_DISTANCE = 0.05;
const PAD_RADIUS = 0.017;
/** Directions of the pads in the plane of x and z. */
const PADS = [
  [0.5, SIN_60],
  [-1, 0],
  [0.5, -SIN_60],
].map(([x, z]) => [x * PAD_DISTANCE, z * PAD_DISTANCE] as const);

export function createWindowMotor(): TriangleMesh {
  const solid = subtract(union(gearbox(), wormHousing(), mounts(), electricMotor(), drum()), ...screwHoles());
  return contourSolid(solid, [-0.07, 0, -0.064], [0.155, 0.054, 0.064], CELL);
}

/** A flat can with ribs between hub and rim. */
function gearbox(): Solid {
  const spokes = PADS.map(([x, z]) => capsule([0, 0.0235, 0], [-0.62 * x, 0.0235, -0.62 * z], 0.0028));
  return union(
    cylinder(1, [0, 0.004, 0], 0.0195, 0.039),
    subtract(cylinder(1, [0, 0.02, 0], 0.0065, 0.039), cylinder(1, [0, 0.02, 0], 0.02, 0.034)),
    ...spokes,
  );
}

/** The worm lies beside the gear and goes over into the motor. */
function wormHousing(): Solid {
  return union(
    bar(0, [-0.03, 0.0145, -0.032], 0.085, 0.0105, 0.0125, 0.005),
    box([0.006, 0.0045, -0.034], [0.046, 0.0235, 0.004]),
  );
}

/** A flattened can with a rounded end, and the connector at its neck. */
function electricMotor(): Solid {
  return union(
    bar(0, [0.052, 0.0195, -0.032], 0.072, 0.0175, 0.0215, 0.0125),
    cone(0, [0.124, 0.0195, -0.032], 0.006, 0.0165, 0.012),
    cylinder(0, [0.124, 0.0195, -0.032], 0.012, 0.0065),
    bar(0, [0.048, 0.0165, -0.032], 0.01, 0.0145, 0.0195, 0.005),
    box([0.034, 0.007, -0.004], [0.056, 0.023, 0.024], 0.002),
  );
}

/** Three ears at the rim, whose pads stand 4 mm proud of the gearbox. */
function mounts(): Solid {
  return union(...PADS.map(([x, z]) => cylinder(1, [x, 0, z], 0.011, PAD_RADIUS)));
}

function screwHoles(): Solid[] {
  return PADS.map(([x, z]) => cylinder(1, [x, -0.01, z], 0.04, 0.004));
}

/** The cable drum with its groove, and the end of the shaft. */
function drum(): Solid {
  return union(
    subtract(cylinder(1, [0, 0.03, 0], 0.02, 0.026), torus(1, [0, 0.041, 0], 0.0275, 0.0048)),
    cylinder(1, [0, 0.02, 0], 0.034, 0.008),
    cylinder(1, [0, 0.0225, 0], 0.009, 0.013),
  );
}
