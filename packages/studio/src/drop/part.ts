/** A mesh file that the user brought, and what is known of it before it is prepared. */
import type { BodyFile, ErrorCode, LengthUnit, MeshAudit } from '@palpable/engine';
import { metresPerUnit } from '@palpable/engine/advanced';

export type PartRole = 'tool' | 'environment' | 'addition';

/** As read, with one unit of the file as a metre; STEP files state their own. */
export interface ReadPart {
  readonly fileName: string;
  /** What the thread that prepares it reads: the file, or its triangles where the file alone would not do. */
  readonly bytes: Uint8Array;
  /** The other file where TetGen keeps a mesh in two. */
  readonly second?: Uint8Array | undefined;
  readonly format: BodyFile['format'];
  readonly audit: MeshAudit;
  readonly warnings: readonly string[];
}

/** The same with what the user chose. */
export interface Part extends ReadPart {
  readonly unit: LengthUnit;
  readonly role: PartRole;
  /** Whether it gives way. */
  readonly isSoft: boolean;
}

export type FromPartThread =
  | { readonly kind: 'progress'; readonly stage: string; readonly fraction: number | undefined }
  /** From now on the CAD kernel is at work, and cannot be asked how far it is. */
  | { readonly kind: 'cutting' }
  | { readonly kind: 'read'; readonly part: ReadPart }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string };

export interface ToPartThread {
  readonly file: File;
  /** Files that came with it, in which a glTF or a TetGen mesh may keep its data. */
  readonly companions: readonly File[];
}

/** A part that measures more than this many units is hardly one of so many metres. */
const LONGEST_IN_METRES = 5;

/** What one unit of the file probably is; glTF files are in metres by their standard, STEP files become so. */
export function guessUnit({ format, audit }: Pick<ReadPart, 'format' | 'audit'>): LengthUnit {
  if (format === 'gltf' || format === 'step') return 'm';
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
export function guessRoles(parts: readonly Pick<Part, 'audit' | 'unit'>[]): PartRole[] {
  if (parts.length === 1) return ['environment'];
  const lengths = parts.map(({ audit, unit }) => metresPerUnit(unit) * Math.max(...audit.size));
  const smallest = lengths.indexOf(Math.min(...lengths));
  return parts.map((_, index) => (index === smallest ? 'tool' : 'environment'));
}
