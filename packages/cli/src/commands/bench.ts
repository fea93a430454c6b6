import type { Command } from 'commander';
import { benchContactCommand } from './bench-contact.js';
import { benchFieldCommand } from './bench-field.js';
import { benchFrictionCommand } from './bench-friction.js';
import { benchFuzzCommand } from './bench-fuzz.js';
import { benchGodObjectCommand } from './bench-god-object.js';
import { benchModularCommand } from './bench-modular.js';
import { benchServoCommand } from './bench-servo.js';
import { benchSoakCommand } from './bench-soak.js';
import { benchStabilityCommand } from './bench-stability.js';
import { benchStudioCommand } from './bench-studio.js';
import { addCommand, type CommandHost, formatExamples } from './command.js';

/** `palpable bench …`: the measurements that the claims of the documents rest on. */
export function addBenchCommands(program: Command, host: CommandHost): void {
  const bench = program
    .command('bench')
    .description(
      'measure this machine: field building, contact queries, friction, god object, modular, long runs, hostile files',
    )
    .addHelpText('after', formatExamples(['palpable bench contact', 'palpable bench fuzz --count 500']));
  addCommand(bench, host, benchFieldCommand);
  addCommand(bench, host, benchContactCommand);
  addCommand(bench, host, benchFrictionCommand);
  addCommand(bench, host, benchGodObjectCommand);
  addCommand(bench, host, benchModularCommand);
  addCommand(bench, host, benchStabilityCommand);
  addCommand(bench, host, benchServoCommand);
  addCommand(bench, host, benchStudioCommand);
  addCommand(bench, host, benchSoakCommand);
  addCommand(bench, host, benchFuzzCommand);
}
