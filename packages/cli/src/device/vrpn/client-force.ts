import type { ForceField } from './payloads.js';

/** ms. A wrench of our own type that is not renewed for so long is over; its senders renew it every 2 ms. */
export const WRENCH_VALID_MS = 20;

/**
 * What one client wants the hand to feel. A standard client states a field once, and it holds until changed; a client
 * that knows our wrench sends both, and then the wrench counts, because it has the torque and an end.
 */
export class ClientForce {
  #field: ForceField | undefined;
  readonly #wrench = new Float64Array(6);
  #wrenchMs = Number.NEGATIVE_INFINITY;
  #speaksWrench = false;

  setField(field: ForceField): void {
    this.#field = field;
  }

  setWrench(wrench: Float64Array, nowMs: number): void {
    this.#wrench.set(wrench);
    this.#wrenchMs = nowMs;
    this.#speaksWrench = true;
  }

  /** Its client has left, or cannot be trusted until it speaks again. */
  clear(): void {
    this.#field = undefined;
    this.#wrenchMs = Number.NEGATIVE_INFINITY;
  }

  /** The wrench for a hand at `position`; false when it is nothing. */
  evaluate(out: Float64Array, position: ArrayLike<number>, nowMs: number): boolean {
    out.fill(0);
    if (this.#speaksWrench) {
      if (nowMs - this.#wrenchMs <= WRENCH_VALID_MS) out.set(this.#wrench);
    } else if (this.#field !== undefined) evaluateField(out, this.#field, position);
    return out.some((part) => part !== 0);
  }
}

function evaluateField(out: Float64Array, { origin, force, jacobian, radius }: ForceField, at: ArrayLike<number>) {
  const [dx, dy, dz] = [at[0] - origin[0], at[1] - origin[1], at[2] - origin[2]];
  if (dx * dx + dy * dy + dz * dz > radius * radius || radius <= 0) return;
  for (let row = 0; row < 3; row += 1) {
    out[row] = force[row] + jacobian[3 * row] * dx + jacobian[3 * row + 1] * dy + jacobian[3 * row + 2] * dz;
  }
}
