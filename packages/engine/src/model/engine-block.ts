import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { contourSolid } from './contour-solid.js';
import {
  bar,
  bounded,
  box,
  capsule,
  cone,
  cylinder,
  halfSpace,
  intersection,
  type Solid,
  smoothUnion,
  subtract,
  torus,
  union,
} from './solids.js';
import { BEVEL_DEPTH, BEVEL_SLOPE, FEET_DROP, PILOT_HALF_WIDTH } from './starter-motor.js';

/*
 * A four-cylinder engine without its head, with the seat of the starter motor: stand-in for the part of Zhao, section
 * 5.1, of which only the field (1024³) is printed.
 *
 * Body frame: the crankshaft is parallel to x at z = 0.07, the bell housing's face is x = 0 and the pulleys are at −x;
 * z up. The starter sits on a ledge on the +y side, its nose in a hole of the bell housing.
 *
 * Poses of the starter's body frame in the engine's (no rotation):
 *  - inserted: (−0.0005, 0.2, 0.11); the pilot then has 0.4 mm of clearance all round, the feet stand 0.5 mm above the
 *    ledge and the flange 0.5 mm before the housing;
 *  - to slide along the ledge: (x, 0.2, 0.1095 − d), x from −0.13 to −0.075, the feet d deep in the ledge;
 *  - start of the insertion: (−0.045, 0.2, 0.11), the pilot 13 mm before the hole, the pinion half through; push to +x;
 *  - the insertion of fig. 18: the same, but held 4 mm too high, from (−0.045, 0.2, 0.114) along +x without letting it
 *    down. At x = −0.0187 the bevel of the pilot meets that of the hole. Their normals make an angle of atan 0.65 with the
 *    push: as long as the motor does not tilt, a push along x lies inside the friction cone above μ = 0.65, whatever its
 *    force, and outside it below.
 */

/** The starter's axis when it is in place. */
const SEAT_Y = 0.2;
const SEAT_Z = 0.11;
const PILOT_CLEARANCE = 0.0004;
const FEET_CLEARANCE = 0.0005;

const CRANK_Z = 0.07;
const HOUSING_THICKNESS = 0.02;
/** Half the width of the block where it is widest: deck, skirt and ribs end in one plane. */
const SIDE = 0.128;
const BORES = [-0.36, -0.26, -0.16, -0.06];

const CELL = 0.0065;

export function createEngineBlock(): TriangleMesh {
  const casting = smoothUnion(0.012, block(), bellHousing(), oilPan());
  const added = union(
    casting,
    bounded([-0.3, 0.11, -0.02], [0.01, 0.272, 0.09], ledge()),
    bounded([-0.42, 0.1, 0.08], [0, 0.128, 0.31], ribs(1)),
    bounded([-0.42, -0.128, 0.08], [0, -0.1, 0.31], ribs(-1)),
    bounded([-0.513, -0.185, -0.01], [-0.41, 0.1, 0.3], frontDrive()),
    bounded([-0.45, -0.22, 0.07], [-0.03, -0.08, 0.31], accessories()),
  );
  const cutAway = union(bounded([-0.41, -0.05, 0.15], [-0.01, 0.05, 0.45], bores()), pilotHole());
  const solid = subtract(added, cutAway);
  return contourSolid(solid, [-0.513, -0.22, -0.13], [0.13, 0.29, 0.35], CELL);
}

function block(): Solid {
  return union(
    box([-0.42, -0.112, 0.02], [0.01, 0.112, 0.33]),
    // The deck, and the skirt around the crankshaft.
    box([-0.42, -SIDE, 0.305], [0.01, SIDE, 0.335]),
    box([-0.42, -SIDE, 0.014], [0.01, SIDE, 0.092]),
  );
}

function bores(): Solid {
  return union(...BORES.map((x) => cylinder(2, [x, 0, 0.15], 0.3, 0.041)));
}

/** A bell around the flywheel with a lobe for the starter, open to the gearbox at +x, with a hub for the crankshaft. */
function bellHousing(): Solid {
  const disc: [number, number, number] = [0, 0, CRANK_Z];
  const lobe: [number, number, number] = [0, SEAT_Y, SEAT_Z];
  const inner = HOUSING_THICKNESS;
  // Cut off at both ends: where two parts end in one plane, blending them lets it bulge.
  const bell = intersection(
    smoothUnion(0.03, cone(0, disc, 0.1, 0.185, 0.165), cylinder(0, lobe, 0.09, 0.07)),
    box([0, -1, -1], [0.1, 1, 1]),
  );
  const rim = cylinder(0, [0.084, 0, CRANK_Z], 0.016, 0.182);
  const cavity = union(
    cone(0, [inner, 0, CRANK_Z], 0.1, 0.166, 0.148),
    cylinder(0, [inner, SEAT_Y, SEAT_Z], 0.052, 0.046),
    box([inner, 0, SEAT_Z - 0.046], [inner + 0.052, SEAT_Y, SEAT_Z + 0.046]),
  );
  const hub = union(cylinder(0, [0.01, 0, CRANK_Z], 0.04, 0.045), cylinder(0, [0.01, 0, CRANK_Z], 0.07, 0.02));
  return union(subtract(union(bell, rim), cavity), hub);
}

/** The hole for the starter's pilot: the pilot's own faces and bevels, a little further out, but with sharp corners. */
function pilotHole(): Solid {
  const narrow = PILOT_HALF_WIDTH + PILOT_CLEARANCE;
  const wide = narrow + BEVEL_DEPTH;
  const from: [number, number, number] = [-0.01, SEAT_Y, SEAT_Z];
  const straight = bar(0, from, 0.05, narrow, narrow, 0);
  const sides = [
    [0, 1],
    [0, -1],
    [1, 0],
    [-1, 0],
  ].map(([y, z]) => halfSpace([0, SEAT_Y + y * wide, SEAT_Z + z * wide], [1, y * BEVEL_SLOPE, z * BEVEL_SLOPE]));
  return union(
    straight,
    intersection(box([-0.004, SEAT_Y - wide, SEAT_Z - wide], [0.02, SEAT_Y + wide, SEAT_Z + wide]), ...sides),
  );
}

function oilPan(): Solid {
  return union(
    box([-0.425, -0.14, 0.006], [0.005, 0.14, 0.022]),
    box([-0.4, -0.105, -0.045], [-0.02, 0.105, 0.02], 0.02),
    box([-0.19, -0.095, -0.115], [-0.03, 0.095, 0], 0.025),
    cylinder(1, [-0.11, -0.112, -0.085], 0.03, 0.012),
  );
}

/** The shelf under the starter with a lip outside and gussets below. */
function ledge(): Solid {
  const top = SEAT_Z - FEET_DROP - FEET_CLEARANCE;
  const gussets = [-0.27, -0.145, -0.02].map((x) =>
    intersection(
      box([x - 0.009, 0.11, top - 0.08], [x + 0.009, 0.26, top - 0.01]),
      halfSpace([x, 0.26, top - 0.02], [0, 1, -2]),
    ),
  );
  return union(
    box([-0.3, 0.11, top - 0.02], [0.01, 0.272, top]),
    box([-0.3, 0.256, top - 0.02], [0.01, 0.272, top + 0.018]),
    ...gussets,
  );
}

/** Stiffening ribs on one side (1 or −1 along y), and core plugs between them. */
function ribs(side: 1 | -1): Solid {
  const upright = [-0.41, -0.31, -0.21, -0.11].map((x) =>
    box([x - 0.01, side > 0 ? 0.1 : -SIDE, 0.08], [x + 0.01, side > 0 ? SIDE : -0.1, 0.31]),
  );
  const plugs = BORES.map((x) => cylinder(1, [x, side > 0 ? 0.1 : -0.121, 0.24], 0.021, 0.026));
  return union(...upright, ...plugs);
}

/** Timing cover and three pulleys with grooves. */
function frontDrive(): Solid {
  return union(
    box([-0.445, -0.1, 0.01], [-0.41, 0.1, 0.3], 0.012),
    pulley(0, CRANK_Z, 0.075),
    pulley(0, 0.225, 0.055),
    pulley(-0.14, 0.2, 0.042),
  );
}

function pulley(y: number, z: number, radius: number): Solid {
  return union(
    subtract(
      cylinder(0, [-0.513, y, z], 0.052, radius),
      torus(0, [-0.487, y, z], radius + 0.002, 0.012),
      subtract(cylinder(0, [-0.53, y, z], 0.032, radius * 0.72), cylinder(0, [-0.53, y, z], 0.05, radius * 0.34)),
    ),
    cylinder(0, [-0.47, y, z], 0.06, radius * 0.4),
  );
}

/** On the −y side: alternator behind its pulley, oil filter, and the water neck in front. */
function accessories(): Solid {
  return union(
    cylinder(0, [-0.45, -0.135, 0.2], 0.09, 0.05),
    cone(0, [-0.36, -0.135, 0.2], 0.016, 0.05, 0.036),
    cylinder(1, [-0.2, -0.2, 0.11], 0.1, 0.036),
    cone(1, [-0.2, -0.212, 0.11], 0.013, 0.028, 0.036),
    cylinder(1, [-0.2, -0.15, 0.11], 0.035, 0.048),
    capsule([-0.05, -0.1, 0.26], [-0.05, -0.16, 0.29], 0.02),
  );
}
