/** A mesh file that the user brought, and what is known of it before it is prepared. */
import type { LengthUnit, MeshAudit, MeshFormat } from '@palpable/engine';

export type PartRole = 'tool' | 'environment' | 'addition';

/** As read, with one unit of the file as a metre. */
export interface ReadPart {
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly format: MeshFormat;
  readonly audit: MeshAudit;
  readonly warnings: readonly string[];
}

/** The same with what the user chose. */
export interface Part extends ReadPart {
  readonly unit: LengthUnit;
  readonly role: PartRole;
}

export type FromPartThread =
  | { readonly kind: 'read'; readonly part: Omit<ReadPart, 'bytes'> }
  | { readonly kind: 'failed'; readonly message: string };

export interface ToPartThread {
  readonly bytes: Uint8Array;
  readonly fileName: string;
}

/** A part that measures more than this many units is hardly one of so many metres. */
const LONGEST_IN_METRES = 5;

/** What one unit of the file probably is; glTF files are in metres by their standard. */
export function guessUnit({ format, audit }: Pick<ReadPart, 'format' | 'audit'>): LengthUnit {
  if (format === 'gltf') return 'm';
  return Math.max(...audit.size) > LONGEST_IN_METRES ? 'mm' : 'm';
}

/** The audit of the same mesh with every coordinate times `factor`. */
export function scaleAudit(audit: MeshAudit, factor: number): MeshAudit {
  const stretch = ([x, y, z]: readonly [number, number, number]) =>
    [factor * x, factor * y, factor * z] as readonly [number, number, number];
  return {
    ...audit,
    size: stretch(audit.size),
    bounds: { min: stretch(audit.bounds.min), max: stretch(audit.bounds.max) },
    area: factor ** 2 * audit.area,
    volume: factor ** 3 * audit.volume,
  };
}

/** One part stands still and the smaller one is held; a single one is brought to the tool that is there. */
export function guessRoles(parts: readonly ReadPart[]): PartRole[] {
  if (parts.length === 1) return ['environment'];
  const lengths = parts.map(({ audit }) => Math.max(...audit.size));
  const smallest = lengths.indexOf(Math.min(...lengths));
  return parts.map((_, index) => (index === smallest ? 'tool' : 'environment'));
}
