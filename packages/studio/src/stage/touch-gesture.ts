/** What fingers on the screen mean together. Pixels, y downwards. */

export interface TouchGesture {
  /** Of the finger or fingers beside the first. */
  readonly x: number;
  readonly y: number;
  /** From the first to them. */
  readonly spread: number;
  /** The same as an angle, clockwise on the screen, rad. */
  readonly angle: number;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

export function gestureOf(first: Place, others: readonly Place[]): TouchGesture {
  let x = 0;
  let y = 0;
  for (const other of others) {
    x += other.x / others.length;
    y += other.y / others.length;
  }
  return { x, y, spread: Math.hypot(x - first.x, y - first.y), angle: Math.atan2(y - first.y, x - first.x) };
}

/** The short way round, −π to π. */
export function turnBetween(from: number, to: number): number {
  const turn = (to - from) % (2 * Math.PI);
  if (turn > Math.PI) return turn - 2 * Math.PI;
  return turn < -Math.PI ? turn + 2 * Math.PI : turn;
}
