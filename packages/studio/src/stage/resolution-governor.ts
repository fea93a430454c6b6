/**
 * Keeps motion fluent where drawing is slow (no graphics card, a phone, a very large window): while things move, the
 * frame may have fewer pixels; as soon as they rest, it is drawn once more with all of them.
 *
 * Measured is the time from asking for a frame to being let draw it. That follows from how long the frames before
 * took, and not from how quickly the user moves the mouse.
 */

/** Shares of the full number of pixels per side. */
const SHARES = [1, 0.75, 0.55, 0.4] as const;
/** Waits in a row that must agree before anything changes. */
const AGREEING = 3;

/** Above one wait the next lower share is taken, below the other the next higher one, milliseconds. */
export interface WaitLimits {
  readonly tooSlowMs: number;
  readonly quickEnoughMs: number;
}

export class ResolutionGovernor {
  private readonly limits: WaitLimits;
  private level = 0;
  private slowInARow = 0;
  private quickInARow = 0;

  constructor(limits: WaitLimits) {
    this.limits = limits;
  }

  /** The share to draw with while things move. */
  get movingShare(): number {
    return SHARES[this.level]!;
  }

  /** @param waitMs from asking for a frame to drawing it */
  addWait(waitMs: number): void {
    this.slowInARow = waitMs > this.limits.tooSlowMs ? this.slowInARow + 1 : 0;
    this.quickInARow = waitMs < this.limits.quickEnoughMs ? this.quickInARow + 1 : 0;
    if (this.slowInARow >= AGREEING) this.moveTo(this.level + 1);
    // Slower upwards than downwards, so that it does not swing.
    if (this.quickInARow >= 10 * AGREEING) this.moveTo(this.level - 1);
  }

  private moveTo(level: number): void {
    this.level = Math.min(SHARES.length - 1, Math.max(0, level));
    this.slowInARow = 0;
    this.quickInARow = 0;
  }
}
