/** Keys on a terminal, while no commands are typed there. */
export const KEYS = 'Space is the emergency stop, R releases it, P pauses, C continues, Q ends';

const COMMANDS: Readonly<Record<string, string>> = { ' ': 'halt', r: 'release', p: 'pause', c: 'resume' };
/** As a terminal gives them while it hands over every key: Ctrl-C, Ctrl-Z, Ctrl-\\, and our own. */
const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
  '\x03': 'SIGINT',
  q: 'SIGINT',
  '\x1a': 'SIGTSTP',
  '\x1c': 'SIGQUIT',
};

export interface TerminalKeys {
  close(): void;
}

/** Gives each key's command to `obey`, at once and without Enter. Null where there is no terminal to listen to. */
export function listenToKeys(obey: (command: string) => void): TerminalKeys | null {
  const { stdin } = process;
  if (!stdin.isTTY) return null;
  const hear = (keys: Buffer) => {
    for (const key of keys.toString().toLowerCase()) {
      if (SIGNALS[key]) process.kill(process.pid, SIGNALS[key]);
      else if (COMMANDS[key]) obey(COMMANDS[key]);
    }
  };
  const begin = () => stdin.setRawMode(true);
  begin();
  stdin.on('data', hear);
  // Whoever comes back from Ctrl-Z finds the terminal as the shell had it.
  process.on('SIGCONT', begin);
  const restore = () => stdin.setRawMode(false);
  process.on('exit', restore);
  return {
    close() {
      process.off('SIGCONT', begin);
      process.off('exit', restore);
      stdin.off('data', hear);
      restore();
      stdin.pause();
    },
  };
}
