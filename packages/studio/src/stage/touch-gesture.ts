/** What pointers and fingers on the screen mean. Pixels, y downwards. */
import { type PerspectiveCamera, type Raycaster, Vector2 } from 'three';

const place = new Vector2();

/** Points a ray from the eye through a place of the window. */
export function aimRay(
  ray: Raycaster,
  canvas: HTMLCanvasElement,
  camera: PerspectiveCamera,
  x: number,
  y: number,
): void {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  ray.setFromCamera(place.set(((x - left) / width) * 2 - 1, 1 - ((y - top) / height) * 2), camera);
}

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

/** The shorter rotation, −π to π. */
export function angleBetween(from: number, to: number): number {
  const turn = (to - from) % (2 * Math.PI);
  if (turn > Math.PI) return turn - 2 * Math.PI;
  return turn < -Math.PI ? turn + 2 * Math.PI : turn;
}
