import { Command, type CommanderError } from 'commander';
import { type CommandHost, formatExamples } from './commands/command.js';
import { adderOf, type CommandLoaders, loadWanted } from './commands/load-commands.js';
import { ExitCode } from './terminal/exit-codes.js';
import { endQuietlyWithoutReader } from './terminal/interrupt.js';
import { runCommand, type Streams } from './terminal/run-command.js';
import { palpableVersion } from './terminal/version.js';

/** In the order of the help. */
const COMMANDS: CommandLoaders = {
  prepare: async () => adderOf((await import('./commands/prepare.js')).prepareCommand),
  inspect: async () => adderOf((await import('./commands/inspect.js')).inspectCommand),
  validate: async () => adderOf((await import('./commands/validate.js')).validateCommand),
  run: async () => adderOf((await import('./commands/run.js')).runSceneCommand),
  replay: async () => adderOf((await import('./commands/replay.js')).replayCommand),
  recording: async () => adderOf((await import('./commands/recording.js')).recordingCommand),
  solve: async () => adderOf((await import('./commands/solve.js')).solveCommand),
  reproduce: async (args) => (await import('./commands/lab-commands.js')).loadLabCommand('reproduce', args),
  bench: async (args) => (await import('./commands/lab-commands.js')).loadLabCommand('bench', args),
  servo: async () => adderOf((await import('./commands/servo.js')).servoCommand),
  devices: async () => adderOf((await import('./commands/devices.js')).devicesCommand),
  studio: async () => adderOf((await import('./commands/studio.js')).studioCommand),
};

/** Runs one command line as a process, without the `node palpable` in front, and gives back its exit code. */
export function runPalpable(args: readonly string[]): Promise<ExitCode> {
  endQuietlyWithoutReader(process.stdout);
  endQuietlyWithoutReader(process.stderr);
  return runCommandLine(args, process);
}

/** The same inside of a process that does other things as well. */
export async function runCommandLine(args: readonly string[], { stdout, stderr }: Streams): Promise<ExitCode> {
  const host: CommandHost = { stdout, stderr, exitCode: ExitCode.done };
  return runCommand(async () => {
    const program = await createProgram(host, args);
    await program.parseAsync([...args], { from: 'user' });
    return host.exitCode;
  }, host);
}

async function createProgram(host: CommandHost, args: readonly string[]): Promise<Command> {
  const program = new Command('palpable')
    .description(
      'Haptic rendering in six degrees of freedom: inspect and prepare meshes, feel them live, measure and compare.',
    )
    .version(palpableVersion(), '--version', 'print the version')
    .helpOption('--help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .configureOutput({
      writeOut: (text) => host.stdout.write(text),
      writeErr: (text) => host.stderr.write(text),
      // One line: what is wrong and, when there is one, the name that was probably meant.
      outputError: (text, write) => write(text.replace(/^error: /, 'palpable: ').replace('\n(Did', ' (Did')),
    })
    .showSuggestionAfterError()
    .exitOverride((error: CommanderError) => {
      throw error;
    })
    .addHelpText('after', formatExamples(['palpable inspect bunny.stl', 'palpable studio']));
  for (const add of await loadWanted(COMMANDS, args)) add(program, host);
  return program;
}
