/**
 * What the haptic side of a method needs of a contact side that runs elsewhere, in another thread as a rule. Neither call
 * waits, allocates or throws.
 */
export interface ContactLink {
  /** The newest contact model, or the one of the last call when there is no newer. */
  readonly model: () => Float64Array;
  /** Hands the state of the tool, or of all bodies, to the contact side. */
  readonly tell: (state: Float64Array) => void;
}
