import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { contourSolid } from './contour-solid.js';
import {
  bar,
  box,
  capsule,
  cone,
  cylinder,
  halfSpace,
  intersection,
  type Solid,
  subtract,
  torus,
  turn,
  union,
} from './solids.js';

/*
 * A starter motor after the usual ones of passenger cars: stand-in for the part of Zhao, section 5.1, of which only the
 * number of shell points (8,517) is printed.
 *
 * Body frame: the axis is x, the nose points to +x, the mating face of the flange is x = 0, z up. Two flat feet below the
 * body carry it on the engine's ledge; with 8,517 points about 50 of them lie on the feet, the paper's number of contacts.
 * The pilot is square so that its faces meet those of the hole over their whole width; the bevel at its front is
 * `BEVEL_SLOPE`, see the engine block for what that does to the insertion.
 */

/** Half the width of the pilot that goes into the engine's hole. */
export const PILOT_HALF_WIDTH = 0.026;
/** How far the bevel takes the pilot's faces in, and how far it runs back along x per that. */
export const BEVEL_DEPTH = 0.012;
export const BEVEL_SLOPE = 0.65;
/** The plane of the feet, below the axis. */
export const FEET_DROP = 0.046;

const PILOT_LENGTH = 0.032;
/** Of the four edges along x. */
const PILOT_ROUNDING = 0.006;
const CELL = 0.002;

/** cos 45° */
const DIAGONAL = Math.sqrt(0.5);

export function createStarterMotor(): TriangleMesh {
  const solid = subtract(union(body(), solenoid(), flange(), nose(), feet()), ...boltHoles());
  return contourSolid(solid, [-0.152, -0.064, -FEET_DROP], [0.066, 0.064, 0.088], CELL);
}

/** The yoke with its rear cover, two through bolts and the seam between them. */
function body(): Solid {
  return union(
    cylinder(0, [-0.13, 0, 0], 0.125, 0.038),
    cone(0, [-0.142, 0, 0], 0.012, 0.03, 0.038),
    cylinder(0, [-0.15, 0, 0], 0.02, 0.012),
    cylinder(0, [-0.128, 0, 0], 0.012, 0.041),
    ...[-1, 1].map((side) =>
      capsule([-0.146, side * 0.022, side * 0.012], [-0.13, side * 0.022, side * 0.012], 0.0045),
    ),
  );
}

/** The switch on top with its cap, two terminals and the strap down to the body. */
function solenoid(): Solid {
  return union(
    cylinder(0, [-0.098, 0, 0.061], 0.093, 0.024),
    cone(0, [-0.112, 0, 0.061], 0.014, 0.017, 0.021),
    torus(0, [-0.098, 0, 0.061], 0.0215, 0.004),
    cylinder(0, [-0.126, 0.009, 0.064], 0.02, 0.0045),
    cylinder(0, [-0.126, -0.009, 0.064], 0.02, 0.0045),
    box([-0.085, -0.011, 0.03], [-0.008, 0.011, 0.05]),
    capsule([-0.119, -0.009, 0.064], [-0.119, -0.012, 0.034], 0.004),
  );
}

/** The plate at x = 0 with its two ears; their holes are cut out of the whole later. */
function flange(): Solid {
  return union(
    cylinder(0, [-0.011, 0, 0], 0.011, 0.042),
    bar(0, [-0.011, 0, 0], 0.011, 0.062, 0.012, 0.0119),
    cylinder(0, [-0.011, 0, 0.061], 0.011, 0.0265),
    box([-0.011, -0.0265, 0.02], [0, 0.0265, 0.061]),
  );
}

function boltHoles(): Solid[] {
  return [-1, 1].map((side) => cylinder(0, [-0.02, side * 0.05, 0], 0.03, 0.0045));
}

/** The pilot with its bevels, open below towards the ring gear, and the pinion on its shaft in front. */
function nose(): Solid {
  const bevels = [
    [0, 1],
    [0, -1],
    [1, 0],
    [-1, 0],
  ].map(([y, z]) => {
    const inset = PILOT_HALF_WIDTH - BEVEL_DEPTH;
    return halfSpace([PILOT_LENGTH, y * inset, z * inset], [1, y * BEVEL_SLOPE, z * BEVEL_SLOPE]);
  });
  const pilot = bar(0, [-0.002, 0, 0], PILOT_LENGTH + 0.002, PILOT_HALF_WIDTH, PILOT_HALF_WIDTH, PILOT_ROUNDING);
  return union(intersection(pilot, ...bevels), cylinder(0, [0.02, 0, 0], 0.044, 0.007), pinion());
}

/** Eight teeth: four bars across the axis, each of which gives two. */
function pinion(): Solid {
  const tooth = intersection(
    box([0.04, -0.0032, -0.0175], [0.06, 0.0032, 0.0175]),
    cone(0, [0.04, 0, 0], 0.021, 0.0225, 0.0165),
  );
  const directions = [
    [1, 0],
    [0, 1],
    [DIAGONAL, DIAGONAL],
    [DIAGONAL, -DIAGONAL],
  ] as const;
  return union(
    cylinder(0, [0.04, 0, 0], 0.02, 0.012),
    ...directions.map(([cosine, sine]) => turn(tooth, 0, cosine, sine)),
  );
}

/** Two bars across, each 8.4 × 24.4 mm below. */
function feet(): Solid {
  return union(...[-0.115, -0.03].map((x) => box([x - 0.0042, -0.0122, -FEET_DROP], [x + 0.0042, 0.0122, -0.03])));
}
