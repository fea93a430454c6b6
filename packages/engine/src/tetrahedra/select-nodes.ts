import { square } from '../math/portable.js';
/** Nodes within the axis-aligned box from `min` to `max`, borders included; body frame, metres. Rising. */
export function nodesInBox(positions: Float64Array, min: ArrayLike<number>, max: ArrayLike<number>): Uint32Array {
  return nodesWhere(
    positions,
    (x, y, z) => x >= min[0] && x <= max[0] && y >= min[1] && y <= max[1] && z >= min[2] && z <= max[2],
  );
}

/** Nodes no further than `radius` from `centre`; body frame, metres. Rising. */
export function nodesInBall(positions: Float64Array, centre: ArrayLike<number>, radius: number): Uint32Array {
  return nodesWhere(
    positions,
    (x, y, z) => square(x - centre[0]) + square(y - centre[1]) + square(z - centre[2]) <= square(radius),
  );
}

function nodesWhere(positions: Float64Array, holds: (x: number, y: number, z: number) => boolean): Uint32Array {
  const nodes: number[] = [];
  for (let node = 0; node < positions.length / 3; node++) {
    if (holds(positions[3 * node], positions[3 * node + 1], positions[3 * node + 2])) nodes.push(node);
  }
  return Uint32Array.from(nodes);
}
