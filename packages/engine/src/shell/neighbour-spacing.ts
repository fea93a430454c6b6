import { dot } from '../math/vectors.js';
import { PointGrid } from './point-grid.js';
import { type EliminationInput, idealSpacing, OPPOSITE_SIDE_COSINE } from './sample-elimination.js';

/** More points than have a place around one point, with some to spare for uneven sets. */
const MAX_NEAR = 16;

/**
 * Mean distance between neighbouring points on the same side of the material. Two points are neighbours when no third
 * one lies in the ball between them (the Gabriel graph): in a hexagonal lattice these are the six nearest, and at the
 * border of an open sheet, unlike "the six nearest", only the ones that are there. Points further apart than two ideal
 * spacings are no neighbours; without any pair, the ideal spacing is returned.
 */
export function measureSpacing(input: EliminationInput): number {
  const count = input.normalIndex.length;
  const ideal = idealSpacing(input.area, count);
  const grid = new PointGrid(input.positions, Uint32Array.from(input.normalIndex.keys()), 2 * ideal);
  const near = new NearList(input);
  let sum = 0;
  let pairs = 0;
  for (let point = 0; point < count; point++) {
    near.gather(point, grid);
    for (let i = 0; i < near.count; i++) {
      if (near.isBlocked(i)) continue;
      sum += Math.sqrt(near.distanceSquared[i]);
      pairs++;
    }
  }
  return pairs > 0 ? sum / pairs : ideal;
}

/** The points nearest to one point on its side of the material, nearest first. */
class NearList {
  count = 0;
  readonly distanceSquared = new Float64Array(MAX_NEAR);
  private readonly points = new Uint32Array(MAX_NEAR);
  private readonly input: EliminationInput;

  constructor(input: EliminationInput) {
    this.input = input;
  }

  gather(point: number, grid: PointGrid): void {
    const { positions, normals, normalIndex } = this.input;
    const found = grid.collect(positions[3 * point], positions[3 * point + 1], positions[3 * point + 2]);
    const a = 3 * normalIndex[point];
    this.count = 0;
    for (let i = 0; i < found; i++) {
      const other = grid.found[i];
      const b = 3 * normalIndex[other];
      const cosine = dot(normals, a, normals, b);
      if (other !== point && cosine >= OPPOSITE_SIDE_COSINE) this.insert(other, grid.foundDistanceSquared[i]);
    }
  }

  private insert(point: number, distanceSquared: number): void {
    if (this.count === MAX_NEAR && distanceSquared >= this.distanceSquared[MAX_NEAR - 1]) return;
    let at = Math.min(this.count, MAX_NEAR - 1);
    for (; at > 0 && this.distanceSquared[at - 1] > distanceSquared; at--) {
      this.distanceSquared[at] = this.distanceSquared[at - 1];
      this.points[at] = this.points[at - 1];
    }
    this.distanceSquared[at] = distanceSquared;
    this.points[at] = point;
    this.count = Math.min(this.count + 1, MAX_NEAR);
  }

  /** Whether a nearer point lies in the ball that has the point and its neighbour number `i` as poles (Thales). */
  isBlocked(i: number): boolean {
    const { positions } = this.input;
    const far = 3 * this.points[i];
    for (let j = 0; j < i; j++) {
      const between = 3 * this.points[j];
      const dx = positions[between] - positions[far];
      const dy = positions[between + 1] - positions[far + 1];
      const dz = positions[between + 2] - positions[far + 2];
      if (this.distanceSquared[j] + dx * dx + dy * dy + dz * dz < this.distanceSquared[i]) return true;
    }
    return false;
  }
}
