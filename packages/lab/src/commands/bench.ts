import { adderOf, type CommandAdder, type CommandLoaders, formatExamples, loadWanted } from '@palpable/cli/internal';

const COMMANDS: CommandLoaders = {
  field: async () => adderOf((await import('../bench/field.js')).benchFieldCommand),
  contact: async () => adderOf((await import('../bench/contact.js')).benchContactCommand),
  friction: async () => adderOf((await import('../bench/friction.js')).benchFrictionCommand),
  'god-object': async () => adderOf((await import('../bench/god-object.js')).benchGodObjectCommand),
  modular: async () => adderOf((await import('../bench/modular.js')).benchModularCommand),
  deformable: async () => adderOf((await import('../bench/deformable.js')).benchDeformableCommand),
  peers: async () => adderOf((await import('../bench/peers.js')).benchPeersCommand),
  physics: async () => adderOf((await import('../bench/physics.js')).benchPhysicsCommand),
  stability: async () => adderOf((await import('../bench/stability.js')).benchStabilityCommand),
  servo: async () => adderOf((await import('../bench/servo.js')).benchServoCommand),
  studio: async () => adderOf((await import('../bench/studio.js')).benchStudioCommand),
  soak: async () => adderOf((await import('../bench/soak.js')).benchSoakCommand),
  fuzz: async () => adderOf((await import('../bench/fuzz.js')).benchFuzzCommand),
  faults: async () => adderOf((await import('../bench/faults.js')).benchFaultsCommand),
};

/** `palpable bench …`: the measurements that the claims of the documents rest on. */
export async function loadBenchCommands(args: readonly string[]): Promise<CommandAdder> {
  const wanted = await loadWanted(COMMANDS, args);
  return (program, host) => {
    const bench = program
      .command('bench')
      .description(
        'measure this machine: field building, every method against formulas, contact queries, friction, god object, modular, deformable bodies, other libraries, long runs, hostile files',
      )
      .addHelpText('after', formatExamples(['palpable bench contact', 'palpable bench fuzz --count 500']));
    for (const add of wanted) add(bench, host);
  };
}
