/** Every node of a binary tree before those beneath it; node 0 is the root, −1 no child. */
export function topDown(child: Int32Array, nodeCount: number): Int32Array {
  const order = new Int32Array(nodeCount);
  let count = 1;
  for (let n = 0; n < count; n += 1) {
    for (let side = 0; side < 2; side += 1) {
      const below = child[2 * order[n] + side];
      if (below < 0 || count === nodeCount) continue;
      order[count] = below;
      count += 1;
    }
  }
  return order.subarray(0, count);
}
