/** Edges by cost, the smallest first; equal ones by their vertices, so that the order is the same everywhere. */
export class EdgeHeap {
  /** The edge that `pop` took last. */
  from = 0;
  to = 0;
  version = 0;

  private readonly costs: number[] = [];
  private readonly ends: number[] = [];
  private readonly others: number[] = [];
  private readonly versions: number[] = [];
  private readonly order: number[] = [];

  push(cost: number, from: number, to: number, version: number): void {
    const entry = this.costs.length;
    this.costs.push(cost);
    this.ends.push(from);
    this.others.push(to);
    this.versions.push(version);
    const { order } = this;
    let at = order.length;
    order.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isBefore(entry, order[parent])) break;
      order[at] = order[parent];
      at = parent;
    }
    order[at] = entry;
  }

  /** False when there is none left. */
  pop(): boolean {
    const { order } = this;
    if (order.length === 0) return false;
    const top = order[0];
    const last = order.pop()!;
    if (order.length > 0) this.sink(last);
    this.from = this.ends[top];
    this.to = this.others[top];
    this.version = this.versions[top];
    return true;
  }

  private sink(entry: number): void {
    const { order } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= order.length) break;
      if (child + 1 < order.length && this.isBefore(order[child + 1], order[child])) child++;
      if (!this.isBefore(order[child], entry)) break;
      order[at] = order[child];
      at = child;
    }
    order[at] = entry;
  }

  private isBefore(a: number, b: number): boolean {
    if (this.costs[a] !== this.costs[b]) return this.costs[a] < this.costs[b];
    return this.ends[a] !== this.ends[b] ? this.ends[a] < this.ends[b] : this.others[a] < this.others[b];
  }
}
