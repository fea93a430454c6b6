/** Units with the smallest value that is told in them, from large to small. */
export const LENGTHS: readonly Unit[] = [['m', 1], ['mm', 1e-3], ['µm', 1e-6]]; // biome-ignore format: a table
export const AREAS: readonly Unit[] = [['m²', 1], ['cm²', 1e-4], ['mm²', 1e-6]]; // biome-ignore format: a table
export const VOLUMES: readonly Unit[] = [['m³', 1], ['cm³', 1e-6], ['mm³', 1e-9]]; // biome-ignore format: a table

type Unit = readonly [name: string, size: number];

/** A quantity in the unit in which people would say it, to four digits. */
export function inUnit(value: number, units: readonly Unit[]): string {
  const [name, size] =
    units.find(([, smallest]) => Math.abs(value) >= smallest) ?? (value === 0 ? units[0] : units.at(-1)!);
  return `${Number((value / size).toPrecision(4))} ${name}`;
}
