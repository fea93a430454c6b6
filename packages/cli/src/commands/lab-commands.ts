import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PalpableError } from '@palpable/engine';
import { adderOf, type CommandAdder, type CommandLoaders } from './load-commands.js';

/** Benchmarks and experiments: a package of the repository that is not published. It exports loaders of its commands. */
const LAB = '@palpable/lab';

interface Lab {
  readonly commands: CommandLoaders;
}

/** The commands of the lab by name, with what the help says of them. */
const SUMMARIES = {
  reproduce: 'repeat an experiment of a paper and compare: list names them, all runs every one',
  bench:
    'measure this machine: field building, contact queries, friction, god object, modular, deformable bodies, long runs, hostile files',
} as const;

/** The lab's own command; where the lab is not installed, one that says where to get it. */
export async function loadLabCommand(name: keyof typeof SUMMARIES, args: readonly string[]): Promise<CommandAdder> {
  const address = findLab();
  if (address === undefined) return missingCommand(name);
  const { commands }: Lab = await import(address);
  return commands[name]!(args);
}

function findLab(): string | undefined {
  try {
    const address = import.meta.resolve(LAB);
    return existsSync(fileURLToPath(address)) ? address : undefined;
  } catch {
    return undefined;
  }
}

function missingCommand(name: keyof typeof SUMMARIES): CommandAdder {
  return adderOf({
    usage: `${name} [arguments...]`,
    summary: SUMMARIES[name],
    examples: [`palpable ${name}`],
    options: (command) => command.allowUnknownOption().helpOption(false),
    async run() {
      const message =
        `${name} is not part of the installed program: clone the repository of Palpable, run \`npm ci\` there and ` +
        `use its packages/cli/bin/palpable.js.`;
      throw new PalpableError('option-invalid', message);
    },
  });
}
