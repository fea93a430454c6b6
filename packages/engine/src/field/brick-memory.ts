import { BRICK_SIZE } from './distance-field.js';

/** Values of bricks by cell, in memory that is used again: thousands of bricks would otherwise be left to the collector. */
export class BrickMemory {
  private readonly bricks = new Map<number, Float64Array>();
  private readonly spare: Float64Array[] = [];

  get(cell: number): Float64Array | undefined {
    return this.bricks.get(cell);
  }

  /** Keeps a copy, until `clear`. */
  keep(cell: number, values: Float64Array): void {
    const copy = this.spare.pop() ?? new Float64Array(BRICK_SIZE);
    copy.set(values);
    this.bricks.set(cell, copy);
  }

  clear(): void {
    for (const brick of this.bricks.values()) this.spare.push(brick);
    this.bricks.clear();
  }
}
