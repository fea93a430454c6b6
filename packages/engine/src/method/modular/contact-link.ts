/**
 * What the haptic side of the modular method needs of a contact side that runs elsewhere, in another thread as a rule.
 * Neither call waits, allocates or throws.
 */
export interface ContactLink {
  /** The newest contact model, or the one of the last call when there is no newer. */
  readonly model: () => Float64Array;
  /** Hands the tool's state to the contact side. */
  readonly tell: (toolState: Float64Array) => void;
}
