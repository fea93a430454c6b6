import { readFileSync } from 'node:fs';

const UNIT_BOX = readFileSync(new URL('../data/meshes/unit-box.step', import.meta.url), 'utf8');

/** A STEP file of one box with its corner at the origin, sizes in millimetres. */
export function writeStepBox(sizes: readonly [number, number, number]): string {
  return UNIT_BOX.replace(/CARTESIAN_POINT\('',\(([^)]*)\)\)/g, (_, place: string) => {
    const corner = place.split(',').map((part, axis) => (Number(part) * sizes[axis]!).toFixed(6));
    return `CARTESIAN_POINT('',(${corner.join(',')}))`;
  });
}
