import { type DistanceField, PalpableError, sampleGradient } from '@palpable/engine';
import { readUserFile } from '../files/read-file.js';

/** Distance and gradient at a point, in the units of the mesh file; negative inside. */
export type Probe = ReturnType<typeof probeField>[number];

type Point = readonly [number, number, number];

const MAX_BYTES = 2 ** 28;

/** Reads a CSV file with the header `x,y,z`; a bad line is told with its number. */
export async function readProbePoints(path: string): Promise<Point[]> {
  const text = Buffer.from(await readUserFile(path, MAX_BYTES)).toString('utf8');
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const columns = lines[0]!.split(',').map((name) => name.trim().toLowerCase());
  const [x, y, z] = ['x', 'y', 'z'].map((name) => columns.indexOf(name));
  if (x! < 0 || y! < 0 || z! < 0) {
    throw new PalpableError(
      'format-invalid',
      `${path}, line 1: found "${lines[0]!.slice(0, 60)}", expected a header with the columns x,y,z.`,
      path,
    );
  }
  const points: Point[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue;
    const cells = line.split(',');
    const point = [x!, y!, z!].map((column) => toNumber(cells[column]));
    if (!point.every(Number.isFinite)) {
      throw new PalpableError(
        'format-invalid',
        `${path}, line ${index + 1}: found "${line.slice(0, 60)}", expected three finite numbers x,y,z.`,
        path,
      );
    }
    points.push(point as unknown as Point);
  }
  return points;
}

/** An empty cell is not zero. */
function toNumber(cell: string | undefined): number {
  return cell === undefined || cell.trim() === '' ? Number.NaN : Number(cell);
}

/** `unitScale` is metres per unit of the points. */
export function probeField(field: DistanceField, unitScale: number, points: readonly Point[]) {
  const gradient = new Float64Array(3);
  return points.map(([x, y, z]) => {
    const distance = sampleGradient(gradient, field, x * unitScale, y * unitScale, z * unitScale) / unitScale;
    return { x, y, z, distance, gx: gradient[0]!, gy: gradient[1]!, gz: gradient[2]! };
  });
}

export function probesToCsv(probes: readonly Probe[]): string {
  const rows = probes.map(({ x, y, z, distance, gx, gy, gz }) => [x, y, z, distance, gx, gy, gz].join(','));
  return `${['x,y,z,distance,gx,gy,gz', ...rows].join('\n')}\n`;
}
