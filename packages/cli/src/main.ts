import { Command, type CommanderError } from 'commander';
import { addBenchCommands } from './commands/bench.js';
import { addCommand, type CommandHost, formatExamples } from './commands/command.js';
import { devicesCommand } from './commands/devices.js';
import { inspectCommand } from './commands/inspect.js';
import { prepareCommand } from './commands/prepare.js';
import { recordingCommand } from './commands/recording.js';
import { replayCommand } from './commands/replay.js';
import { reproduceCommand } from './commands/reproduce.js';
import { runSceneCommand } from './commands/run.js';
import { servoCommand } from './commands/servo.js';
import { solveCommand } from './commands/solve.js';
import { studioCommand } from './commands/studio.js';
import { validateCommand } from './commands/validate.js';
import { ExitCode } from './terminal/exit-codes.js';
import { isBrokenPipe, runCommand } from './terminal/run-command.js';
import { palpableVersion } from './terminal/version.js';

/** Runs one command line, without the `node palpable` in front, and gives back its exit code. */
export async function runPalpable(args: readonly string[]): Promise<ExitCode> {
  endQuietlyWithoutReader(process.stdout);
  endQuietlyWithoutReader(process.stderr);
  const host: CommandHost = { stdout: process.stdout, stderr: process.stderr, exitCode: ExitCode.done };
  const program = createProgram(host);
  return runCommand(async () => {
    await program.parseAsync([...args], { from: 'user' });
    return host.exitCode;
  }, host);
}

function createProgram(host: CommandHost): Command {
  const program = new Command('palpable')
    .description(
      'Haptic rendering in six degrees of freedom: prepare meshes, inspect and measure, feel them in the studio.',
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
  addCommand(program, host, prepareCommand);
  addCommand(program, host, inspectCommand);
  addCommand(program, host, validateCommand);
  addCommand(program, host, runSceneCommand);
  addCommand(program, host, replayCommand);
  addCommand(program, host, recordingCommand);
  addCommand(program, host, solveCommand);
  addCommand(program, host, reproduceCommand);
  addBenchCommands(program, host);
  addCommand(program, host, servoCommand);
  addCommand(program, host, devicesCommand);
  addCommand(program, host, studioCommand);
  return program;
}

/** `palpable … | head`: when the reader leaves, we are done. */
function endQuietlyWithoutReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error) => {
    if (!isBrokenPipe(error)) throw error;
    process.exit(ExitCode.done);
  });
}
