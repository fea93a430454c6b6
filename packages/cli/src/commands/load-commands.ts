import type { Command } from 'commander';
import { addCommand, type CommandDefinition, type CommandHost } from './command.js';

/** Adds one command to its parent. */
export type CommandAdder = (parent: Command, host: CommandHost) => void;

/** By name, in the order of the help. A module is loaded when its command is wanted, which is most of what a start takes. */
export type CommandLoaders = Readonly<Record<string, (args: readonly string[]) => Promise<CommandAdder>>>;

export function adderOf<Args extends readonly unknown[], Options>(
  definition: CommandDefinition<Args, Options>,
): CommandAdder {
  return (parent, host) => addCommand(parent, host, definition);
}

/** The command that the arguments begin with; without one all of them, for the help and for mistyped names. */
export async function loadWanted(
  loaders: CommandLoaders,
  [first = '', ...rest]: readonly string[],
): Promise<CommandAdder[]> {
  const wanted = Object.hasOwn(loaders, first) ? [first] : Object.keys(loaders);
  return Promise.all(wanted.map((name) => loaders[name]!(rest)));
}
