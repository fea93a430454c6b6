import { availableParallelism, cpus, totalmem } from 'node:os';

/** The machine that a measurement was made on; a number without it says nothing. */
export type MachineInfo = ReturnType<typeof machineInfo>;

export function machineInfo() {
  return {
    cpu: cpus()[0]?.model.trim().replace(/\s+/g, ' ') || process.arch,
    cores: availableParallelism(),
    memoryGib: Math.round((totalmem() / 2 ** 30) * 10) / 10,
    node: process.versions.node,
    system: `${process.platform} ${process.arch}`,
  };
}

/** One line for the heading of a benchmark. */
export function describeMachine(machine: MachineInfo = machineInfo()): string {
  const { cpu, cores, memoryGib, node, system } = machine;
  return `${cpu}, ${cores} ${cores === 1 ? 'core' : 'cores'}, ${memoryGib} GiB, Node ${node}, ${system}`;
}
