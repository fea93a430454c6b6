import { adderOf, type CommandLoaders } from '@palpable/cli/internal';

/** What the command line adds to its program where the lab is installed. */
export const commands: CommandLoaders = {
  reproduce: async () => adderOf((await import('./commands/reproduce.js')).reproduceCommand),
  bench: async (args) => (await import('./commands/bench.js')).loadBenchCommands(args),
};
