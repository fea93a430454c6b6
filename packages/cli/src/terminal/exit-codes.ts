/** How a command ends. Part of the contract with scripts that call us. */
export const ExitCode = {
  done: 0,
  /** The user's input is wrong; the message says what and where. */
  badInput: 1,
  /** A defect of ours. */
  defect: 2,
  /** A comparison that found a difference. */
  difference: 3,
  /** Ended by Ctrl-C: 128 and the number of the signal, as shells have it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
