/**
 * A uniform grid over scattered points, for "which points lie nearer than one cell size?". Only occupied cells take
 * memory: they are hashed into a table about as long as the point list, so that a few small parts far apart cost no
 * more than one compact body.
 *
 * The hash keeps cells that follow each other in x side by side in the table; the 27 cells around a point are
 * therefore nine short runs.
 */

/**
 * The most points looked at for one query. Even samplings stay far below it; hundreds of surfaces lying on one another
 * would otherwise make the work quadratic. Beyond it the answer is incomplete, which costs evenness, nothing else.
 */
const MAX_VISITS_PER_QUERY = 1024;

const HASH_FACTOR_Y = 73856093;
const HASH_FACTOR_Z = 19349663;

export class PointGrid {
  /** Results of the last `collect`: indices of the points, in the numbering of the list given to the constructor. */
  found = new Uint32Array(64);
  /** Squared distance of each found point, m². */
  foundDistanceSquared = new Float64Array(64);

  private readonly inverseCellSize: number;
  private readonly cellSizeSquared: number;
  private readonly mask: number;
  private readonly bucketStart: Uint32Array;
  /** Everything below is in bucket order. */
  private readonly members: Uint32Array;
  private readonly memberPositions: Float64Array;
  private readonly memberCellY: Int32Array;
  private readonly memberCellZ: Int32Array;

  /** `subset` names the points (indices into `positions`) that the grid holds, each once. */
  constructor(positions: Float64Array, subset: Uint32Array, cellSize: number) {
    const count = subset.length;
    this.inverseCellSize = 1 / cellSize;
    this.cellSizeSquared = cellSize * cellSize;
    let tableSize = 8;
    while (tableSize < count) tableSize *= 2;
    this.mask = tableSize - 1;
    this.bucketStart = new Uint32Array(tableSize + 1);
    this.members = new Uint32Array(count);
    this.memberPositions = new Float64Array(3 * count);
    this.memberCellY = new Int32Array(count);
    this.memberCellZ = new Int32Array(count);
    this.fill(positions, subset);
  }

  private fill(positions: Float64Array, subset: Uint32Array): void {
    const { bucketStart, inverseCellSize } = this;
    const buckets = new Uint32Array(subset.length);
    for (let i = 0; i < subset.length; i++) {
      const at = 3 * subset[i];
      const cellX = Math.floor(positions[at] * inverseCellSize);
      const cellY = Math.floor(positions[at + 1] * inverseCellSize);
      const cellZ = Math.floor(positions[at + 2] * inverseCellSize);
      buckets[i] = this.bucketOf(cellX, cellY, cellZ);
      bucketStart[buckets[i] + 1]++;
    }
    for (let bucket = 0; bucket <= this.mask; bucket++) bucketStart[bucket + 1] += bucketStart[bucket];
    const next = bucketStart.slice();
    for (let i = 0; i < subset.length; i++) {
      const point = subset[i];
      const slot = next[buckets[i]]++;
      this.members[slot] = point;
      for (let axis = 0; axis < 3; axis++) this.memberPositions[3 * slot + axis] = positions[3 * point + axis];
      this.memberCellY[slot] = Math.floor(positions[3 * point + 1] * inverseCellSize);
      this.memberCellZ[slot] = Math.floor(positions[3 * point + 2] * inverseCellSize);
    }
  }

  private bucketOf(cellX: number, cellY: number, cellZ: number): number {
    return (cellX + Math.imul(cellY, HASH_FACTOR_Y) + Math.imul(cellZ, HASH_FACTOR_Z)) & this.mask;
  }

  /**
   * Finds the points nearer than the cell size to (x, y, z), the point itself included; returns how many, listed in
   * `found` and `foundDistanceSquared` until the next call.
   */
  collect(x: number, y: number, z: number): number {
    const { inverseCellSize, cellSizeSquared, mask, bucketStart, memberPositions, memberCellY, memberCellZ } = this;
    const cellX = Math.floor(x * inverseCellSize);
    const cellY = Math.floor(y * inverseCellSize);
    const cellZ = Math.floor(z * inverseCellSize);
    let count = 0;
    let visits = 0;
    for (let row = 0; row < 9; row++) {
      // Wrapped to 32 bits like the stored cells, so that huge coordinates still compare equal.
      const rowY = (cellY + (row % 3) - 1) | 0;
      const rowZ = (cellZ + Math.floor(row / 3) - 1) | 0;
      const firstBucket = this.bucketOf(cellX - 1, rowY, rowZ);
      for (let step = 0; step < 3; step++) {
        const bucket = (firstBucket + step) & mask;
        const end = bucketStart[bucket + 1];
        for (let slot = bucketStart[bucket]; slot < end; slot++) {
          // Other rows can share the bucket; without this a point could be found twice.
          if (memberCellY[slot] !== rowY || memberCellZ[slot] !== rowZ) continue;
          if (++visits > MAX_VISITS_PER_QUERY) return count;
          const dx = memberPositions[3 * slot] - x;
          const dy = memberPositions[3 * slot + 1] - y;
          const dz = memberPositions[3 * slot + 2] - z;
          const distanceSquared = dx * dx + dy * dy + dz * dz;
          if (distanceSquared >= cellSizeSquared) continue;
          if (count === this.found.length) this.growResults();
          this.found[count] = this.members[slot];
          this.foundDistanceSquared[count] = distanceSquared;
          count++;
        }
      }
    }
    return count;
  }

  private growResults(): void {
    const found = new Uint32Array(2 * this.found.length);
    found.set(this.found);
    this.found = found;
    const distances = new Float64Array(found.length);
    distances.set(this.foundDistanceSquared);
    this.foundDistanceSquared = distances;
  }
}
