import { PalpableError } from '../base/errors.js';
import type { BuildHooks } from '../base/progress.js';
import type { ElasticBody } from '../elasticity/elastic-body.js';
import { buildField, type FieldOptions } from '../field/build-field.js';
import type { DistanceField } from '../field/distance-field.js';
import { fieldMoments } from '../field/field-moments.js';
import { buildConvexHierarchyOnWorkers, type HierarchyOptions } from '../hierarchy/build-hierarchy.js';
import type { ConvexHierarchy } from '../hierarchy/convex-hierarchy.js';
import { enclosingSphere } from '../hierarchy/enclosing-sphere.js';
import { type HierarchyContent, packHierarchy, unpackHierarchy } from '../hierarchy/pack-hierarchy.js';
import { auditMesh, type MeshAudit } from '../mesh/audit.js';
import { type MassProperties, massProperties, massPropertiesFromMoments } from '../mesh/mass-properties.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildShell } from '../shell/build-shell.js';
import type { PointShell, ShellOptions } from '../shell/point-shell.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { checkElasticPlan } from './check-elastic-plan.js';
import { type Container, packContainer, unpackContainer } from './container.js';
import type { NumberArray } from './pack-array.js';
import { type ElasticContent, packElastic, unpackElastic } from './pack-elastic.js';
import { type FieldContent, packField, unpackField } from './pack-field.js';
import { type ElasticHooks, type PreparedElasticOptions, prepareElastic } from './prepare-elastic.js';

/** A body as everything after preparation needs it. What a file of the kind `.palpable` holds. */
export interface PreparedBody {
  /** Cleaned, metres, body frame. */
  readonly mesh: TriangleMesh;
  /** Of this mesh. */
  readonly audit: MeshAudit;
  /** For a density of 1 kg/m³: scale mass and inertia by the real one. Null when there is no volume, as for a sheet. */
  readonly unitMass: MassProperties | null;
  /** Where `unitMass` is from: exact from the closed mesh, or the winding-number solid on the field. */
  readonly massFrom: 'mesh' | 'field' | 'nothing';
  /** Signed distances (m), for the body that is touched; null if it was not asked for, as the parts below. */
  readonly field: DistanceField | null;
  /** Points on the surface, for the body that touches. */
  readonly shell: PointShell | null;
  /** Convex pieces in levels of detail, for `modular`. */
  readonly hierarchy: ConvexHierarchy | null;
  /** How it bends, for `deformable`. */
  readonly elastic: ElasticBody | null;
}

/** How finely to build the convex hierarchy of a body. */
export interface PreparedHierarchyOptions {
  /** How far the leaves may be from the surface, as a share of the body's radius; a thousandth unless given. */
  readonly tolerance?: number;
}

/** What to prepare for a body besides its mesh, audit and mass properties. */
export interface PrepareOptions {
  /** With the defaults of `FieldOptions` unless given; null for none. */
  readonly field?: FieldOptions | null;
  /** With the defaults of `ShellOptions` unless given; null for none. */
  readonly shell?: ShellOptions | null;
  /** None unless given: only `modular` asks for one, and building it takes longer than the rest. */
  readonly hierarchy?: PreparedHierarchyOptions | null;
  /** None unless given: only `deformable` asks for one. */
  readonly elastic?: PreparedElasticOptions | null;
}

/**
 * Audits a cleaned mesh and builds its field, its shell and, if wanted, its convex hierarchy and its elasticity.
 * `tetrahedra` are what fills the mesh, if that is known; else an elastic body is filled with new ones.
 *
 * @example
 * ```ts
 * import { createBox, encodeAsset, prepareBody } from '@palpable/engine';
 *
 * const body = await prepareBody(
 *   createBox(0.1, 0.1, 0.04),
 *   { field: { resolution: 64 }, shell: { spacing: 0.002 } },
 *   { onProgress: (stage, fraction) => console.log(stage, fraction) },
 * );
 * const bytes = encodeAsset(body); // to be kept as a file and read again by `decodeAsset`
 * console.log(body.unitMass?.volume, body.shell?.count, bytes.length);
 * ```
 */
export async function prepareBody(
  mesh: TriangleMesh,
  options: PrepareOptions = {},
  hooks: ElasticHooks = {},
  tetrahedra: TetrahedralMesh | null = null,
): Promise<PreparedBody> {
  if (options.elastic) checkElasticPlan(mesh, tetrahedra, options.elastic, hooks.maxBytes);
  const audit = auditMesh(mesh);
  const shares = workShares(options);
  const field =
    options.field === null ? null : await buildField(mesh, options.field ?? {}, scaledHooks(hooks, 0, shares.field));
  const shell =
    options.shell === null
      ? null
      : buildShell(mesh, options.shell ?? {}, scaledHooks(hooks, shares.field, shares.shell));
  const hierarchy = options.hierarchy
    ? await buildConvexHierarchyOnWorkers(
        mesh,
        hierarchyOptions(mesh, options.hierarchy),
        scaledHooks(hooks, shares.shell, shares.hierarchy),
      )
    : null;
  const elastic = options.elastic
    ? await prepareElastic(mesh, tetrahedra, options.elastic, scaledHooks(hooks, shares.hierarchy, 1))
    : null;
  return { mesh, audit, ...massOf(mesh, audit, field), field, shell, hierarchy, elastic };
}

/** Where field, shell and hierarchy end in the whole of the work. */
function workShares({ field, shell, hierarchy, elastic }: PrepareOptions) {
  const toField = field === null ? 0 : 9;
  const toShell = toField + (shell === null ? 0 : 1);
  const toHierarchy = toShell + (hierarchy ? 10 : 0);
  const all = toHierarchy + (elastic ? 20 : 0) || 1;
  return { field: toField / all, shell: toShell / all, hierarchy: toHierarchy / all };
}

/** The share as a length. */
function hierarchyOptions({ positions }: TriangleMesh, { tolerance }: PreparedHierarchyOptions): HierarchyOptions {
  if (tolerance === undefined) return {};
  const sphere = new Float64Array(4);
  enclosingSphere(sphere, [positions]);
  return { leafTolerance: tolerance * sphere[3] };
}

/** The same listener with its fractions squeezed into a part of the whole. */
function scaledHooks(hooks: ElasticHooks, from: number, to: number): ElasticHooks & BuildHooks {
  const { onProgress } = hooks;
  if (!onProgress) return hooks;
  return { ...hooks, onProgress: (stage, fraction) => onProgress(stage, from + (to - from) * fraction) };
}

function massOf(
  mesh: TriangleMesh,
  audit: MeshAudit,
  field: DistanceField | null,
): Pick<PreparedBody, 'unitMass' | 'massFrom'> {
  if (audit.closed && audit.volume > 0) return { unitMass: massProperties(mesh, 1), massFrom: 'mesh' };
  const moments = field ? fieldMoments(field) : null;
  // Less than a voxel is what the field of a sheet has by rounding.
  const least = field ? field.voxelSize * field.voxelSize * field.voxelSize : 0;
  if (!moments || !(moments.volume > least)) return { unitMass: null, massFrom: 'nothing' };
  return { unitMass: massPropertiesFromMoments(moments, 1), massFrom: 'field' };
}

/** What the asset's JSON holds beside its arrays. */
interface AssetContent {
  readonly kind: 'body';
  readonly audit: MeshAudit;
  readonly massFrom: PreparedBody['massFrom'];
  readonly unitMass: { volume: number; mass: number; centre: [number, number, number]; inertia: number[] } | null;
  readonly field: FieldContent | null;
  readonly shell: { rootCount: number; spacing: number; seed: number } | null;
  /** Absent in assets of before there were hierarchies, and in those without one. */
  readonly hierarchy?: HierarchyContent;
  readonly elastic?: ElasticContent;
}

/** Writes a prepared body as the bytes of an asset file (`.palpable`); `decodeAsset` reads them back bit by bit. */
export function encodeAsset(body: PreparedBody): Uint8Array {
  const { mesh, audit, massFrom, unitMass, field, shell, hierarchy, elastic } = body;
  const sampled = field && packField(field);
  const packed = hierarchy && packHierarchy(hierarchy);
  const bent = elastic && packElastic(elastic);
  const arrays = new Map<string, NumberArray>([
    ['mesh.positions', mesh.positions],
    ['mesh.triangles', mesh.triangles],
  ]);
  if (sampled) for (const [name, array] of sampled.arrays) arrays.set(`field.${name}`, array);
  if (shell)
    for (const name of [...SHELL_ARRAYS, 'cone', 'along', 'share'] as const) arrays.set(`shell.${name}`, shell[name]);
  if (packed) for (const [name, array] of packed.arrays) arrays.set(`hierarchy.${name}`, array);
  if (bent) for (const [name, array] of bent.arrays) arrays.set(`elastic.${name}`, array);
  const content: AssetContent = {
    kind: 'body',
    audit,
    massFrom,
    unitMass: unitMass && { ...unitMass, centre: [...unitMass.centre], inertia: [...unitMass.inertia] },
    field: sampled?.content ?? null,
    shell: shell && { rootCount: shell.rootCount, spacing: shell.spacing, seed: shell.seed },
    ...(packed && { hierarchy: packed.content }),
    ...(bent && { elastic: bent.content }),
  };
  return packContainer(content, arrays);
}

/** Reads what `encodeAsset` wrote; throws a `PalpableError` of code `asset-invalid` for anything else. */
export function decodeAsset(bytes: Uint8Array): PreparedBody {
  const container = unpackContainer(bytes);
  const content = container.content as AssetContent;
  if (content?.kind !== 'body') {
    throw new PalpableError('asset-invalid', 'This Palpable asset holds something other than a body.');
  }
  const { field, shell, unitMass, hierarchy, elastic } = content;
  return {
    mesh: { positions: take(container, 'mesh.positions'), triangles: take(container, 'mesh.triangles') },
    audit: content.audit,
    massFrom: content.massFrom,
    unitMass: unitMass && { ...unitMass, inertia: Float64Array.from(unitMass.inertia) },
    field: field && unpackField(field, (name) => take(container, `field.${name}`)),
    shell: shell && decodeShell(container, shell),
    hierarchy: hierarchy ? unpackHierarchy(hierarchy, (name) => container.arrays.get(`hierarchy.${name}`)) : null,
    elastic: elastic ? unpackElastic(elastic, (name) => take(container, `elastic.${name}`)) : null,
  };
}

function decodeShell(container: Container, shell: { rootCount: number; spacing: number; seed: number }): PointShell {
  const arrays = takeAll<PointShell>(container, 'shell', SHELL_ARRAYS);
  const count = arrays.points.length / 3;
  // Assets of before there were points on edges have none of these.
  const ofFaces = (name: 'cone' | 'along' | 'share', usual: number, size = count) =>
    (container.arrays.get(`shell.${name}`) as Float64Array | undefined) ?? new Float64Array(size).fill(usual);
  return {
    ...shell,
    ...arrays,
    cone: ofFaces('cone', 1),
    along: ofFaces('along', 0, 3 * count),
    share: ofFaces('share', 1),
    count,
  };
}

const SHELL_ARRAYS = [
  'points',
  'normals',
  'triangles',
  'levelEnds',
  'radius',
  'reach',
  'childStart',
  'childCount',
] as const;

function takeAll<T>(container: Container, prefix: string, names: readonly (keyof T & string)[]) {
  const entries = names.map((name) => [name, take(container, `${prefix}.${name}`)]);
  return Object.fromEntries(entries) as Pick<T, (typeof names)[number]> as T;
}

function take<T extends NumberArray>(container: Container, name: string): T {
  const array = container.arrays.get(name);
  if (!array)
    throw new PalpableError('asset-invalid', `This Palpable asset lacks its part "${name}". Prepare it again.`);
  return array as T;
}
