/**
 * Moves the `wanted` items with the smallest keys to the front of `items` (in no order), in linear time on average and
 * without allocation. Equal keys are told apart by the item, so that the choice does not depend on the order they came
 * in. `keys[n]` belongs to `items[n]`.
 */
export function selectSmallest(items: Uint32Array, keys: Float64Array, count: number, wanted: number): void {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const border = partition(items, keys, low, high);
    if (border === wanted || border === wanted - 1) return;
    if (border < wanted) low = border + 1;
    else high = border - 1;
  }
}

/** Puts the item in the middle where it belongs between `low` and `high`, and gives that place. */
function partition(items: Uint32Array, keys: Float64Array, low: number, high: number): number {
  swap(items, keys, (low + high) >> 1, high);
  const key = keys[high];
  const item = items[high];
  let border = low;
  for (let n = low; n < high; n += 1) {
    if (keys[n] < key || (keys[n] === key && items[n] < item)) {
      swap(items, keys, n, border);
      border += 1;
    }
  }
  swap(items, keys, border, high);
  return border;
}

function swap(items: Uint32Array, keys: Float64Array, a: number, b: number): void {
  const item = items[a];
  items[a] = items[b];
  items[b] = item;
  const key = keys[a];
  keys[a] = keys[b];
  keys[b] = key;
}
