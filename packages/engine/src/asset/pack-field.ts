import { PalpableError } from '../base/errors.js';
import type { DistanceField } from '../field/distance-field.js';
import { packValues, QUANTA_PER_VOXEL, unpackValues } from '../field/pack-values.js';
import type { NumberArray } from './pack-array.js';

/** What the JSON of an asset holds of a field beside its arrays. */
export interface FieldContent {
  readonly voxelSize: number;
  readonly band: number;
  readonly offset: number;
  readonly closed: boolean;
  /** Of which all values are multiples, m. Absent if the arrays hold the values themselves, as they used to. */
  readonly quantum?: number;
}

const GRID_ARRAYS = ['origin', 'cells', 'brickOf', 'brickErrors', 'bounds'] as const;
const VALUE_ARRAYS = ['coarse', 'bricks'] as const;

export function packField(field: DistanceField): { content: FieldContent; arrays: [string, NumberArray][] } {
  const { voxelSize, band, offset, closed } = field;
  const quantum = voxelSize / QUANTA_PER_VOXEL;
  const packed = packValues(field, field.brickOf, field, quantum);
  const values = packed ?? field;
  return {
    content: { voxelSize, band, offset, closed, ...(packed && { quantum }) },
    arrays: [
      ...GRID_ARRAYS.map((name): [string, NumberArray] => [name, field[name]]),
      ...VALUE_ARRAYS.map((name): [string, NumberArray] => [name, values[name]]),
    ],
  };
}

export function unpackField(
  { quantum, ...content }: FieldContent,
  take: <T extends NumberArray>(name: string) => T,
): DistanceField {
  const grid = {
    ...content,
    origin: take<Float64Array>('origin'),
    cells: take<Int32Array>('cells'),
    brickOf: take<Int32Array>('brickOf'),
    brickErrors: take<Float32Array>('brickErrors'),
    bounds: take<Float64Array>('bounds'),
  };
  if (quantum === undefined) return { ...grid, coarse: take('coarse'), bricks: take('bricks') };
  const values = unpackValues(grid, grid.brickOf, { coarse: take('coarse'), bricks: take('bricks') }, quantum);
  if (!values) {
    throw new PalpableError('asset-invalid', 'The field of this Palpable asset is not whole. Prepare it again.');
  }
  return { ...grid, ...values };
}
