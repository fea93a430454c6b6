import {
  auditMesh,
  cleanMesh,
  type DistanceField,
  decodeAsset,
  describeAudit,
  isPalpableError,
  type MeshAudit,
  PalpableError,
  type PointShell,
  type PreparedBody,
} from '@palpable/engine';
import {
  brickCount,
  DEFAULT_RESOLUTION,
  fieldBytes,
  fieldDimensions,
  isTetrahedraName,
  type MassProperties,
  massProperties,
  sampleGradient,
} from '@palpable/engine/advanced';
import { readUserFile } from '../files/read-file.js';
import { loadMeshFile } from '../mesh/load-mesh-file.js';
import { describeHierarchy, type HierarchyReport } from '../prepare/describe-hierarchy.js';
import {
  inspectMeshed,
  inspectTetrahedra,
  type TetrahedraReport,
  tetrahedraSentences,
} from '../prepare/inspect-tetrahedra.js';
import { prepareFile } from '../prepare/prepare-file.js';
import { distance, positiveNumber, wholeNumber } from '../terminal/option-values.js';
import { formatNumber } from '../terminal/table.js';
import { type CommandContext, type CommandDefinition, printReport } from './command.js';
import {
  addCacheOption,
  addReadingOptions,
  type CacheOption,
  preparing,
  type ReadingOptions,
  readingOf,
} from './shared-options.js';

interface InspectFlags extends ReadingOptions, CacheOption {
  readonly resolution?: number;
  /** m */
  readonly offset?: number;
  readonly probe?: string;
  /** kg/m³ */
  readonly density: number;
  /** m */
  readonly elementSize?: number;
}

/** What is known of a file, as JSON says it. */
interface Report {
  readonly file: string;
  readonly format: string;
  readonly warnings: readonly string[];
  /** Of the file as it is, before any cleaning. */
  readonly audit: MeshAudit;
  /** Whether the mesh is closed once it has been cleaned, as it is before use. */
  readonly closedWhenCleaned: boolean;
  readonly mass: (Omit<MassProperties, 'inertia'> & { inertia: number[]; from: PreparedBody['massFrom'] }) | null;
  readonly field: ReturnType<typeof describeField> | null;
  readonly shell: ReturnType<typeof describeShell> | null;
  readonly hierarchy: HierarchyReport | null;
}

const MAX_BYTES = 2 ** 31;

export const inspectCommand: CommandDefinition<[file: string], InspectFlags> = {
  usage: 'inspect <file>',
  summary:
    'report on a mesh, a tetrahedral mesh or a prepared asset: audit, mass properties, field, shell, convex pieces',
  examples: [
    'palpable inspect scenes/meshes/bunny.obj',
    'palpable inspect scenes/meshes/bunny.obj --resolution 256 --probe points.csv',
    'palpable inspect scenes/meshes/bunny.obj --element-size 0.3',
  ],
  options: (command) =>
    addCacheOption(
      addReadingOptions(
        command
          .option(
            '--resolution <voxels>',
            'build a field with this many voxels along the longest side',
            wholeNumber(8, 2048),
          )
          .option('--offset <metres>', 'move the zero surface of the field this far outside', distance)
          .option('--probe <points.csv>', 'print distance and gradient at the points x,y,z of this file')
          .option('--density <kg/m³>', 'for mass and inertia', positiveNumber, 1000)
          .option(
            '--element-size <metres>',
            'fill the mesh with tetrahedra of this size and report on them',
            positiveNumber,
          ),
      ),
    ),
  async run(context, options, file) {
    if (options.probe !== undefined) {
      const probes = await probe(context, file, options, options.probe);
      printReport(context, probes, () => probesToCsv(probes).trimEnd());
      return undefined;
    }
    if (isTetrahedraName(file) || options.elementSize !== undefined) {
      const report = await reportTetrahedra(context, file, options);
      printReport(context, report, () => tetrahedraSentences(report).join('\n'));
      return undefined;
    }
    const report = file.endsWith('.palpable')
      ? await reportAsset(file, options.density)
      : await reportMesh(context, file, options);
    printReport(context, report, () => sentences(report).join('\n'));
    return undefined;
  },
};

function reportTetrahedra(context: CommandContext, file: string, options: InspectFlags): Promise<TetrahedraReport> {
  const { elementSize } = options;
  if (isTetrahedraName(file)) return inspectTetrahedra(file, readingOf(options).reading);
  return inspectMeshed(file, {
    ...readingOf(options),
    elementSize: elementSize!,
    ...preparing(context, options),
  });
}

/** Distances in the units of the file, as the points are. */
async function probe(context: CommandContext, file: string, options: InspectFlags, points: string): Promise<Probe[]> {
  const wanted = await readProbePoints(points);
  if (file.endsWith('.palpable')) {
    const { field } = await readAsset(file);
    if (!field) {
      throw new PalpableError('option-invalid', `${file}: The asset has no field to probe; prepare it with one.`, file);
    }
    return probeField(field, 1, wanted);
  }
  const resolution = options.resolution ?? DEFAULT_RESOLUTION;
  const { body, unitScale } = await prepareWithField(context, file, options, resolution);
  return probeField(body.field!, unitScale, wanted);
}

function prepareWithField(context: CommandContext, file: string, options: InspectFlags, resolution: number) {
  return prepareFile(file, {
    ...readingOf(options),
    prepare: {
      field: { resolution, ...(options.offset !== undefined && { offset: options.offset }) },
      shell: null,
    },
    ...preparing(context, options),
  });
}

async function readAsset(file: string): Promise<PreparedBody> {
  const bytes = await readUserFile(file, MAX_BYTES);
  try {
    return decodeAsset(bytes);
  } catch (error) {
    throw isPalpableError(error) ? error.at(file) : error;
  }
}

async function reportAsset(file: string, density: number): Promise<Report> {
  const body = await readAsset(file);
  return {
    file,
    format: 'palpable asset',
    warnings: [],
    audit: body.audit,
    closedWhenCleaned: body.audit.closed,
    mass: massOf(body, density),
    field: body.field && describeField(body.field),
    shell: body.shell && describeShell(body.shell),
    hierarchy: body.hierarchy && describeHierarchy(body.hierarchy),
  };
}

async function reportMesh(context: CommandContext, path: string, options: InspectFlags): Promise<Report> {
  const { reading, cleaning } = readingOf(options);
  const file = await loadMeshFile(path, reading);
  const audit = auditMesh(file.mesh);
  const { mesh } = cleanMesh(file.mesh, cleaning);
  const cleaned = auditMesh(mesh);
  const common = {
    file: path,
    format: file.format,
    warnings: file.warnings,
    audit,
    closedWhenCleaned: cleaned.closed,
    shell: null,
    hierarchy: null,
  };
  if (options.resolution === undefined && cleaned.closed && cleaned.volume > 0) {
    const mass = massProperties(mesh, options.density);
    return { ...common, mass: { ...mass, inertia: [...mass.inertia], from: 'mesh' }, field: null };
  }
  // An open mesh has mass only through its field; a coarse one is enough to say how much.
  const { body } = await prepareWithField(context, path, options, options.resolution ?? DEFAULT_RESOLUTION);
  return { ...common, mass: massOf(body, options.density), field: describeField(body.field!) };
}

function massOf({ unitMass, massFrom }: PreparedBody, density: number): Report['mass'] {
  if (!unitMass) return null;
  return {
    volume: unitMass.volume,
    mass: unitMass.mass * density,
    centre: unitMass.centre,
    inertia: [...unitMass.inertia].map((value) => value * density),
    from: massFrom,
  };
}

function describeField(field: DistanceField) {
  const [x, y, z] = fieldDimensions(field);
  return {
    voxelSize: field.voxelSize,
    voxels: [x, y, z],
    bricks: brickCount(field),
    bytes: fieldBytes(field),
    band: field.band,
    offset: field.offset,
    closed: field.closed,
  };
}

function describeShell(shell: PointShell) {
  return {
    points: shell.count,
    levels: shell.levelEnds.length,
    spacing: shell.spacing,
    seed: shell.seed,
  };
}

function sentences(report: Report): string[] {
  const { file, format, warnings, audit, closedWhenCleaned, mass, field, shell, hierarchy } = report;
  const lines = [`${file} (${format})`, ...warnings, ...describeAudit(audit)];
  if (closedWhenCleaned && !audit.closed) {
    lines.push('After cleaning (nearly coincident vertices welded, triangles oriented outward) it is closed.');
  }
  if (mass) {
    const from = mass.from === 'mesh' ? 'exact, from the mesh' : 'of the winding-number solid, summed over the field';
    const [x, y, z] = mass.centre.map(formatNumber);
    lines.push(
      `Mass ${formatNumber(mass.mass)} kg, volume ${formatNumber(mass.volume)} m³ (${from}).`,
      `Centre of mass (${x}, ${y}, ${z}) m; inertia about it, row by row: ${mass.inertia.map(formatNumber).join(', ')} kg m².`,
    );
  } else {
    lines.push('No volume, so no mass: give the field an offset (--offset) to turn a sheet into a plate.');
  }
  if (field) {
    lines.push(
      `Field: ${field.voxels.join(' × ')} voxels of ${formatNumber(field.voxelSize * 1000)} mm, ${field.bricks} bricks, ${formatNumber(field.bytes / 1e6)} MB.`,
    );
  }
  if (shell) {
    lines.push(
      `Shell: ${shell.points} points in ${shell.levels} levels, ${formatNumber(shell.spacing * 1000)} mm apart.`,
    );
  }
  if (hierarchy) lines.push(...hierarchySentences(hierarchy));
  return lines;
}

function hierarchySentences({ pieces, nodes, levels, radius, deviations }: HierarchyReport): string[] {
  const share = (length: number) => `${formatNumber((100 * length) / radius)} %`;
  const rows = deviations.map(({ level, nodes: count, deviation }) => `${level}: ${count} (${share(deviation)})`);
  return [
    `Hierarchy: ${pieces} convex pieces, ${nodes} nodes in ${levels} levels, radius ${formatNumber(radius * 1000)} mm.`,
    `Nodes by level, with their largest distance from the surface as a fraction of the radius: ${rows.join(', ')}.`,
  ];
}

/** Distance and gradient at a point, in the units of the mesh file; negative inside. */
export type Probe = ReturnType<typeof probeField>[number];

type Point = readonly [number, number, number];

const MAX_POINT_BYTES = 2 ** 28;

/** Reads a CSV file with the header `x,y,z`; a bad line is reported with its number. */
export async function readProbePoints(path: string): Promise<Point[]> {
  const text = Buffer.from(await readUserFile(path, MAX_POINT_BYTES)).toString('utf8');
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const columns = lines[0]!.split(',').map((name) => name.trim().toLowerCase());
  const [x, y, z] = ['x', 'y', 'z'].map((name) => columns.indexOf(name));
  if (x! < 0 || y! < 0 || z! < 0) {
    const message = `${path}, line 1: found "${lines[0]!.slice(0, 60)}", expected a header with the columns x,y,z.`;
    throw new PalpableError('format-invalid', message, path);
  }
  const points: Point[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue;
    const cells = line.split(',');
    const point = [x!, y!, z!].map((column) => toNumber(cells[column]));
    if (!point.every(Number.isFinite)) {
      const message = `${path}, line ${index + 1}: found "${line.slice(0, 60)}", expected three finite numbers x,y,z.`;
      throw new PalpableError('format-invalid', message, path);
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
