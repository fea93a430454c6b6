/** Gives out what has the largest key first. */
export class Heap<T> {
  private readonly items: T[] = [];
  private readonly keys: number[] = [];

  get size(): number {
    return this.items.length;
  }

  push(item: T, key: number): void {
    const { items, keys } = this;
    let at = items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent]! >= key) break;
      this.put(at, items[parent]!, keys[parent]!);
      at = parent;
    }
    this.put(at, item, key);
  }

  /** Of a heap that is not empty. */
  pop(): T {
    const { items, keys } = this;
    const first = items[0]!;
    const [item, key] = [items.pop()!, keys.pop()!];
    const count = items.length;
    if (count === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child + 1 < count && keys[child + 1]! > keys[child]!) child += 1;
      if (child >= count || keys[child]! <= key) break;
      this.put(at, items[child]!, keys[child]!);
      at = child;
    }
    this.put(at, item, key);
    return first;
  }

  private put(at: number, item: T, key: number): void {
    this.items[at] = item;
    this.keys[at] = key;
  }
}
