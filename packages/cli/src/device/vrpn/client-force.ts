import type { ForceField } from './payloads.js';

/** ms. A wrench of our own type that is not renewed for so long is over; its senders renew it every 2 ms. */
export const WRENCH_VALID_MS = 20;
/** ms. So long the force of a client that has lost sight of the hand takes to end. */
const BLIND_FADE_MS = 20;

/**
 * What one client wants the hand to feel. A standard client states a field once, and it holds until changed; a client
 * that knows our wrench sends both, and then the wrench counts, because it has the torque and an end.
 */
export class ClientForce {
  #field: ForceField | undefined;
  readonly #wrench = new Float64Array(6);
  #wrenchMs = Number.NEGATIVE_INFINITY;
  #speaksWrench = false;
  /** What is set now ends between these two times. */
  #fadeFromMs = Number.POSITIVE_INFINITY;
  #fadeMs = 0;
  #isBlind = false;
  /** What a blind client has set: it counts when the client sees again. */
  #nextField: ForceField | undefined;

  /** True for a standard client whose field could push, wherever the hand is now. */
  get holdsField(): boolean {
    return !this.#speaksWrench && this.#field !== undefined && canPush(this.#field);
  }

  setField(field: ForceField): void {
    if (this.#isBlind) this.#nextField = field;
    else {
      this.#field = field;
      this.#fadeFromMs = Number.POSITIVE_INFINITY;
    }
  }

  setWrench(wrench: Float64Array, nowMs: number): void {
    this.#speaksWrench = true;
    if (this.#isBlind) return;
    this.#wrench.set(wrench);
    this.#wrenchMs = nowMs;
    this.#fadeFromMs = Number.POSITIVE_INFINITY;
  }

  /** What is set now ends within `durationMs`, whatever else happens; the next field or wrench counts in full. */
  fade(nowMs: number, durationMs: number): void {
    if (this.#fadeFromMs !== Number.POSITIVE_INFINITY) return;
    this.#fadeFromMs = nowMs;
    this.#fadeMs = durationMs;
  }

  /** Whoever does not know where the hand is must not push it. */
  setBlind(isBlind: boolean, nowMs: number): void {
    if (isBlind === this.#isBlind) return;
    this.#isBlind = isBlind;
    if (isBlind) this.fade(nowMs, BLIND_FADE_MS);
    else if (this.#nextField !== undefined) this.setField(this.#nextField);
    this.#nextField = undefined;
  }

  /** Its client has left. */
  clear(): void {
    this.#field = undefined;
    this.#nextField = undefined;
    this.#wrenchMs = Number.NEGATIVE_INFINITY;
  }

  /** The wrench for a hand at `position`; false when it is nothing. */
  evaluate(out: Float64Array, position: ArrayLike<number>, nowMs: number): boolean {
    out.fill(0);
    const gain = this.#gain(nowMs);
    if (gain === 0) return false;
    if (this.#speaksWrench) {
      if (nowMs - this.#wrenchMs <= WRENCH_VALID_MS) out.set(this.#wrench);
    } else if (this.#field !== undefined) evaluateField(out, this.#field, position);
    for (let k = 0; k < 6; k += 1) out[k] *= gain;
    return out.some((part) => part !== 0);
  }

  #gain(nowMs: number): number {
    if (nowMs <= this.#fadeFromMs) return 1;
    const left = 1 - (nowMs - this.#fadeFromMs) / this.#fadeMs;
    if (left > 0) return left;
    this.#field = undefined;
    this.#wrenchMs = Number.NEGATIVE_INFINITY;
    return 0;
  }
}

function canPush({ force, jacobian, radius }: ForceField): boolean {
  const isSome = (part: number) => part !== 0;
  return radius > 0 && (Array.from(force).some(isSome) || Array.from(jacobian).some(isSome));
}

function evaluateField(out: Float64Array, { origin, force, jacobian, radius }: ForceField, at: ArrayLike<number>) {
  const [dx, dy, dz] = [at[0] - origin[0], at[1] - origin[1], at[2] - origin[2]];
  if (dx * dx + dy * dy + dz * dz > radius * radius || radius <= 0) return;
  for (let row = 0; row < 3; row += 1) {
    out[row] = force[row] + jacobian[3 * row] * dx + jacobian[3 * row + 1] * dy + jacobian[3 * row + 2] * dz;
  }
}
