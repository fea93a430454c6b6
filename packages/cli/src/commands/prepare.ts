import { basename, extname, join } from 'node:path';
import { encodeAsset, PalpableError, type PrepareOptions } from '@palpable/engine';
import {
  auditTetrahedra,
  type BodyRegion,
  brickCount,
  type ConvexHierarchy,
  DEFAULT_RESOLUTION,
  type ElasticBody,
  type PreparedElasticOptions,
} from '@palpable/engine/advanced';
import { InvalidArgumentError } from 'commander';
import { makeFolder, writeAtomically } from '../files/write-file.js';
import { openAssetCache } from '../prepare/asset-cache.js';
import { describeHierarchy } from '../prepare/describe-hierarchy.js';
import { prepareFile } from '../prepare/prepare-file.js';
import { printJson } from '../terminal/json.js';
import { distance, positiveNumber, wholeNumber } from '../terminal/option-values.js';
import { formatNumber, printTable } from '../terminal/table.js';
import type { CommandDefinition } from './command.js';
import {
  addCacheOption,
  addReadingOptions,
  addShellOptions,
  type CacheOption,
  type ReadingOptions,
  readingOf,
  type ShellFlags,
  shellOf,
} from './shared-options.js';

interface PrepareFlags extends ReadingOptions, ShellFlags, CacheOption {
  readonly resolution: number;
  /** m */
  readonly offset?: number;
  readonly hierarchy?: true;
  /** As a fraction of the radius. */
  readonly hierarchyTolerance?: number;
  readonly elastic?: true;
  readonly poisson?: number;
  /** m */
  readonly elementSize?: number;
  readonly fixed?: readonly BodyRegion[];
  readonly touchable?: BodyRegion;
  readonly modes?: number;
  /** Pa */
  readonly young: number;
  /** kg/m³ */
  readonly density: number;
  readonly out: string;
}

export const prepareCommand: CommandDefinition<[meshes: string[]], PrepareFlags> = {
  usage: 'prepare <mesh...>',
  summary:
    'build distance field, point shell, convex pieces and elasticity of meshes, into the cache and into ' +
    'asset files',
  examples: [
    'palpable prepare scenes/meshes/bunny.obj scenes/meshes/teapot.obj --out assets',
    'palpable prepare gear.step --unit mm --resolution 512',
    'palpable prepare scenes/meshes/teapot.obj --hierarchy',
    'palpable prepare clip.stl --unit mm --elastic --element-size 0.0015 --fixed -0.02,-0.02,0.016,0.02,0.02,0.03',
  ],
  options: (command) =>
    addCacheOption(
      addShellOptions(
        addReadingOptions(
          command
            .option(
              '--resolution <voxels>',
              'voxels of the field along the longest side',
              wholeNumber(8, 2048),
              DEFAULT_RESOLUTION,
            )
            .option('--offset <metres>', 'move the surface this far outside: gives thin sheets a thickness', distance),
        ),
      )
        .option('--hierarchy', 'also build convex pieces with levels of detail, for the method "modular"')
        .option(
          '--hierarchy-tolerance <share>',
          'the same, with the finest pieces off the surface by at most this fraction of the radius (default: 0.001)',
          shareOfRadius,
        )
        .option('--elastic', 'also compute how the body bends, for the method "deformable"; needs --fixed')
        .option('--poisson <ratio>', "with --elastic: Poisson's ratio, 0 to 0.49 (default: 0.35)", poissonRatio)
        .option(
          '--element-size <metres>',
          'with --elastic: size of the tetrahedra (default: a twentieth of the longest side; files of tetrahedra bring their own)',
          positiveNumber,
        )
        .option(
          '--fixed <box>',
          'with --elastic: the held region, x0,y0,z0,x1,y1,z1 in metres in the frame of the mesh; can be repeated',
          collectBoxes,
        )
        .option('--touchable <box>', 'with --elastic: only this part of the surface can be touched (default: all)', box)
        .option('--modes <number>', 'with --elastic: vibrations to keep (default: 20)', wholeNumber(0, 60))
        .option('--young <pascals>', 'only to report the frequencies of vibrations', positiveNumber, 1e9)
        .option('--density <kg/m3>', 'only to report the frequencies of vibrations', positiveNumber, 1000)
        .option('--out <folder>', 'where to write the asset files', '.'),
    ),
  async run(context, options, meshes) {
    const names = meshes.map((path) => `${basename(path, extname(path))}.palpable`);
    checkDistinct(names);
    const elastic = elasticOf(options);
    const cache = openAssetCache(options.cache, { required: options.cache !== undefined });
    const rows = [];
    const bent: { readonly file: string; readonly report: ElasticReport }[] = [];
    for (const [index, path] of meshes.entries()) {
      const started = performance.now();
      const { body, fromCache, statistics } = await prepareFile(path, {
        ...readingOf(options),
        prepare: {
          field: { resolution: options.resolution, ...(options.offset !== undefined && { offset: options.offset }) },
          shell: shellOf(options),
          ...hierarchyOf(options),
          ...elastic,
        },
        cache,
        onProgress: (stage, fraction) => context.progress.update(`${path}: ${stage}`, fraction),
        signal: context.interrupt(),
      });
      const asset = encodeAsset(body);
      await makeFolder(options.out, '--out');
      const file = join(options.out, names[index]!);
      await writeAtomically(file, asset);
      rows.push({
        asset: file,
        triangles: body.mesh.triangles.length / 3,
        bricks: brickCount(body.field!),
        points: body.shell!.count,
        ...(body.hierarchy && hierarchyColumns(body.hierarchy)),
        megabytes: Math.round(asset.length / 1e5) / 10,
        'nodes computed': statistics?.nodesComputed ?? 0,
        seconds: Math.round(performance.now() - started) / 1000,
        from: fromCache ? 'cache' : 'built',
      });
      if (body.elastic) bent.push({ file, report: describeElastic(body.elastic, options) });
    }
    context.progress.done();
    if (context.json) {
      printJson(
        rows.map((row, index) => ({ ...row, ...(bent[index] && { elastic: bent[index].report }) })),
        context.stdout,
      );
      return undefined;
    }
    printTable(rows, context.stdout);
    for (const { file, report } of bent) {
      context.stdout.write(`${file}: ${elasticSentences(report).join('\n  ')}\n`);
    }
    return undefined;
  },
};

/** Nothing at all without the flags, so that the key in the cache stays what it was. */
function hierarchyOf({ hierarchy, hierarchyTolerance: tolerance }: PrepareFlags): Pick<PrepareOptions, 'hierarchy'> {
  if (tolerance !== undefined) return { hierarchy: { tolerance } };
  return hierarchy ? { hierarchy: {} } : {};
}

/** Only what is given, so that equal settings have equal keys in the cache. */
function elasticOf({
  elastic,
  poisson,
  elementSize,
  fixed,
  touchable,
  modes,
}: PrepareFlags): Pick<PrepareOptions, 'elastic'> {
  if (!elastic) {
    const given = Object.entries({ poisson, elementSize, fixed, touchable, modes }).find(
      ([, value]) => value !== undefined,
    );
    if (!given) return {};
    const flag = `--${given[0].replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new PalpableError('option-invalid', `${flag} is for bodies that bend; add --elastic.`, flag);
  }
  if (!fixed) {
    const message =
      '--elastic: Nothing holds the body (no Dirichlet nodes), so it has no shape at rest under a load; name the held ' +
      'region as --fixed x0,y0,z0,x1,y1,z1, in metres in the frame of the mesh.';
    throw new PalpableError('option-invalid', message, '--fixed');
  }
  const options: PreparedElasticOptions = {
    poisson: poisson ?? DEFAULT_POISSON,
    modes: modes ?? DEFAULT_MODES,
    fixed,
    ...(elementSize !== undefined && { elementSize }),
    ...(touchable && { touchable }),
  };
  return { elastic: options };
}

/** As of scenes. */
const DEFAULT_POISSON = 0.35;
const DEFAULT_MODES = 20;
const MOST_POISSON = 0.49;

function poissonRatio(text: string): number {
  const ratio = text.trim() === '' ? Number.NaN : Number(text);
  if (ratio >= 0 && ratio <= MOST_POISSON) return ratio;
  throw new InvalidArgumentError(
    `Give a number from 0 to ${MOST_POISSON}: at 0.5 a material is incompressible, and linear elements lock. ` +
      'Plastics have about 0.35, steel 0.3, rubber 0.49.',
  );
}

/** "x0,y0,z0,x1,y1,z1": two opposite corners, in any order. */
function box(text: string): BodyRegion {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (numbers.length !== 6 || !numbers.every(Number.isFinite)) {
    throw new InvalidArgumentError('Give two opposite corners as six numbers in metres: x0,y0,z0,x1,y1,z1.');
  }
  const corner = (choose: (a: number, b: number) => number) =>
    [0, 1, 2].map((axis) => choose(numbers[axis]!, numbers[3 + axis]!)) as [number, number, number];
  return { min: corner(Math.min), max: corner(Math.max) };
}

function collectBoxes(text: string, before: readonly BodyRegion[] = []): readonly BodyRegion[] {
  return [...before, box(text)];
}

function hierarchyColumns(hierarchy: ConvexHierarchy) {
  const { pieces, levels } = describeHierarchy(hierarchy);
  return { pieces, levels };
}

const MOST_SHARE = 0.1;

function shareOfRadius(text: string): number {
  const share = positiveNumber(text);
  if (share <= MOST_SHARE) return share;
  throw new InvalidArgumentError(`Give a fraction of the radius, above 0 and at most ${MOST_SHARE}.`);
}

function checkDistinct(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) {
    const message = `Two of the meshes would both be written to ${twice}: prepare them separately, with --out for each.`;
    throw new PalpableError('option-invalid', message);
  }
}

/** What is known of the elasticity in an asset, as JSON says it. */
export type ElasticReport = ReturnType<typeof describeElastic>;

const SHOWN_FREQUENCIES = 5;

export function describeElastic(
  body: ElasticBody,
  { young, density }: { readonly young: number; readonly density: number },
) {
  const { compliance, modeShapes, modeStiffness, fixedVertices } = body;
  const audit = auditTetrahedra(body.tetrahedra);
  return {
    nodes: audit.nodes,
    tetrahedra: audit.tetrahedra,
    /** Degrees. */
    smallestDihedral: (audit.smallestDihedral * 180) / Math.PI,
    surfaceNodes: body.surfaceNodes.length,
    /** Of these, and held ones. */
    touchableNodes: body.columnCount,
    fixedNodes: fixedVertices.reduce((sum, isFixed) => sum + isFixed, 0),
    /** Of the compliance and the modes, in memory and in the asset. */
    megabytes: (compliance.byteLength + modeShapes.byteLength) / 1e6,
    /** Of the slowest vibrations for this modulus and density, Hz. */
    young,
    density,
    frequencies: Array.from(modeStiffness.slice(0, SHOWN_FREQUENCIES), (stiffness) => {
      return Math.sqrt((stiffness * young) / density) / (2 * Math.PI);
    }),
  };
}

export function elasticSentences(report: ElasticReport): string[] {
  const { nodes, tetrahedra, smallestDihedral, surfaceNodes, touchableNodes, fixedNodes, frequencies } = report;
  const size =
    `${formatNumber(tetrahedra)} tetrahedra on ${formatNumber(nodes)} nodes, smallest dihedral angle ` +
    `${formatNumber(smallestDihedral)}°; ${formatNumber(surfaceNodes)} nodes on the surface, ${formatNumber(touchableNodes)} ` +
    `of them touchable and ${formatNumber(fixedNodes)} held; ${formatNumber(report.megabytes)} MB.`;
  if (frequencies.length === 0) return [size];
  const sounds = frequencies.map((hertz) => formatNumber(hertz)).join(', ');
  return [
    size,
    `Slowest vibrations at E = ${formatNumber(report.young)} Pa and ${formatNumber(report.density)} kg/m³: ${sounds} Hz.`,
  ];
}
