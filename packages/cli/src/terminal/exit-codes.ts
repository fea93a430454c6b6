/** How a command ends. Part of the contract with scripts that call us. */
export const ExitCode = {
  done: 0,
  /** The user's input is wrong; the message says what and where. */
  badInput: 1,
  /** A defect of ours. */
  defect: 2,
  /** A comparison that found a difference. */
  difference: 3,
  /** Ended by a signal: 128 and its number, as shells have it. Ctrl-C, a closed terminal, Ctrl-\\, a polite kill. */
  interrupted: 130,
  hungUp: 129,
  quit: 131,
  terminated: 143,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
