/** Which points a line in a plot needs, and where its axis ends. */

/**
 * Indices of the points that a line of so many pixels needs: of each pixel the lowest and the highest in the order in
 * which they come, so that no peak is lost; the first and the last always.
 */
export function thinned(values: Float64Array, pixels: number): number[] {
  const count = values.length;
  if (count <= 2 * pixels) return Array.from({ length: count }, (_, i) => i);
  const kept = [0];
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const from = Math.floor((pixel * count) / pixels);
    const to = Math.floor(((pixel + 1) * count) / pixels);
    let low = from;
    let high = from;
    for (let i = from; i < to; i += 1) {
      if (values[i]! < values[low]!) low = i;
      if (values[i]! > values[high]!) high = i;
    }
    for (const i of [Math.min(low, high), Math.max(low, high), pixel === pixels - 1 ? count - 1 : 0]) {
      if (i > kept.at(-1)!) kept.push(i);
    }
  }
  return kept;
}

/** A round number not below `value`: 1, 2 or 5 times a power of ten. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value * (1 - 1e-9))!;
}
