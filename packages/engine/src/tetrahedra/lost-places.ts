import type { DistanceField } from '../field/distance-field.js';
import { sampleGradient } from '../field/sample-field.js';
import { cube } from '../math/portable.js';
import { lengthAt } from '../math/vectors.js';
import type { CutLattice } from './cut-lattice.js';

/** Walls of a solid that are too thin for the elements. */
export interface LostPlaces {
  /** m³, estimated */
  readonly volume: number;
  /** Typical thickness of these walls, metres, to two digits; 0 when nothing was lost. */
  readonly thickness: number;
  /** An element size that would fill them, metres, to two digits; 0 when nothing was lost. */
  readonly suggestedSize: number;
}

/** Walls of this many element sizes are filled wherever they lie in the lattice; see the test. */
const SIZES_PER_WALL = 1.5;
/** Depths below this, in parts of the lattice's side, are what flat facets leave of a curved surface. */
const SHALLOW = 0.01;
/** Strides of the way into a wall, in parts of the lattice's side, and how many: up the slope of an edge, until past it. */
const STRIDE = 0.1;
const MAX_STRIDES = 24;

/** Where a lattice tetrahedron is looked at, as weights of its corners: the middles of its edges and faces, and its own. */
const PROBES: readonly (readonly [number, number, number, number])[] = [
  [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1],
  [0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0], [1, 1, 1, 1],
]; // biome-ignore format: a table

/** Looks into the lattice tetrahedra that were left empty for walls of the solid. */
export class LostSearch {
  private readonly field: DistanceField;
  private readonly cut: CutLattice;
  private readonly corners = [0, 1, 2, 3].map(() => new Float64Array(3));
  private readonly gradient = new Float64Array(3);
  /** Of the wall at every probe that found one, metres. */
  private readonly thicknesses: number[] = [];

  constructor(field: DistanceField, cut: CutLattice) {
    this.field = field;
    this.cut = cut;
  }

  look(places: Int32Array, nodes: Int32Array): void {
    const { cut, corners } = this;
    // A node further off than the longest edge has nothing of the solid in its tetrahedra.
    for (let corner = 0; corner < 4; corner++) if (cut.distanceAt(nodes[corner]) > cut.lattice.side) return;
    for (let corner = 0; corner < 4; corner++) {
      const at = 3 * corner;
      cut.positionOf(corners[corner], nodes[corner], places[at], places[at + 1], places[at + 2]);
    }
    for (const weights of PROBES) {
      const sum = weights[0] + weights[1] + weights[2] + weights[3];
      let [x, y, z] = [0, 0, 0];
      for (let corner = 0; corner < 4; corner++) {
        const share = weights[corner] / sum;
        x += share * corners[corner][0];
        y += share * corners[corner][1];
        z += share * corners[corner][2];
      }
      this.probe(x, y, z);
    }
  }

  /**
   * Climbs inward, along the gradient as it turns: twice the greatest depth on the way is the thickness of a wall. Where
   * it is more than elements need, the solid goes on behind the place: that is a chamfered edge, not a lost wall.
   */
  private probe(x: number, y: number, z: number): void {
    const { gradient, field } = this;
    const { side } = this.cut.lattice;
    let deepest = -sampleGradient(gradient, field, x, y, z);
    if (deepest < SHALLOW * side) return;
    const stride = STRIDE * side;
    let [px, py, pz] = [x, y, z];
    for (let step = 0; step < MAX_STRIDES; step++) {
      const length = lengthAt(gradient, 0);
      if (length === 0) break;
      px -= (stride * gradient[0]) / length;
      py -= (stride * gradient[1]) / length;
      pz -= (stride * gradient[2]) / length;
      deepest = Math.max(deepest, -sampleGradient(gradient, field, px, py, pz));
      if (2 * deepest >= SIZES_PER_WALL * side) return;
    }
    this.thicknesses.push(2 * deepest);
  }

  result(): LostPlaces {
    const { thicknesses } = this;
    if (thicknesses.length === 0) return { volume: 0, thickness: 0, suggestedSize: 0 };
    const thickness = thicknesses.sort((a, b) => a - b)[thicknesses.length >> 1];
    return {
      volume: (thicknesses.length / PROBES.length) * (cube(this.cut.lattice.side) / 12),
      thickness: twoDigits(thickness),
      suggestedSize: twoDigits(thickness / SIZES_PER_WALL),
    };
  }
}

function twoDigits(value: number): number {
  return Number(value.toPrecision(2));
}
