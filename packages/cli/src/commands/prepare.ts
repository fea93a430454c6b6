import { basename, extname, join } from 'node:path';
import { brickCount, type ConvexHierarchy, PalpableError, type PrepareOptions } from '@palpable/engine';
import { InvalidArgumentError } from 'commander';
import { makeFolder, openAssetCache, writeAtomically } from '../prepare/asset-cache.js';
import { describeHierarchy } from '../prepare/describe-hierarchy.js';
import { prepareFile } from '../prepare/prepare-file.js';
import { printJson } from '../terminal/json.js';
import { distance, positiveNumber, wholeNumber } from '../terminal/option-values.js';
import { printTable } from '../terminal/table.js';
import type { CommandDefinition } from './command.js';
import {
  addReadingOptions,
  addShellOptions,
  type ReadingOptions,
  readingOf,
  type ShellFlags,
  shellOf,
} from './shared-options.js';

interface PrepareFlags extends ReadingOptions, ShellFlags {
  readonly resolution: number;
  readonly offset?: number;
  readonly hierarchy?: true;
  readonly hierarchyTolerance?: number;
  readonly out: string;
  readonly cache?: string;
}

export const prepareCommand: CommandDefinition<[meshes: string[]], PrepareFlags> = {
  usage: 'prepare <mesh...>',
  summary:
    'build the distance field, the point shell and the convex pieces of meshes, into the cache and as asset files',
  examples: [
    'palpable prepare scenes/meshes/bunny.obj scenes/meshes/teapot.obj --out assets',
    'palpable prepare gear.step --unit mm --resolution 512',
    'palpable prepare scenes/meshes/teapot.obj --hierarchy',
  ],
  options: (command) =>
    addShellOptions(
      addReadingOptions(
        command
          .option('--resolution <voxels>', 'voxels of the field along the longest side', wholeNumber(8, 2048), 256)
          .option('--offset <metres>', 'put the surface this far outside: gives thin sheets a thickness', distance),
      ),
    )
      .option('--hierarchy', 'build convex pieces with levels of detail as well, for the method "modular"')
      .option(
        '--hierarchy-tolerance <share>',
        'the same, the finest pieces at most this share of the radius off the surface (default: 0.001)',
        shareOfRadius,
      )
      .option('--out <folder>', 'where to write the asset files', '.')
      .option('--cache <folder>', 'where prepared assets are kept (default: the folder of the system for caches)'),
  async run(context, options, meshes) {
    const names = meshes.map((path) => `${basename(path, extname(path))}.palpable`);
    checkDistinct(names);
    const cache = openAssetCache(options.cache);
    const rows = [];
    for (const [index, path] of meshes.entries()) {
      const started = performance.now();
      const { body, asset, fromCache, statistics } = await prepareFile(path, {
        ...readingOf(options),
        prepare: {
          field: { resolution: options.resolution, ...(options.offset !== undefined && { offset: options.offset }) },
          shell: shellOf(options),
          ...hierarchyOf(options),
        },
        cache,
        onProgress: (stage, fraction) => context.progress.update(`${path}: ${stage}`, fraction),
        signal: context.interrupt(),
      });
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
    }
    context.progress.done();
    if (context.json) printJson(rows, context.stdout);
    else printTable(rows, context.stdout);
    return undefined;
  },
};

/** Nothing at all without the flags, so that the key in the cache stays what it was. */
function hierarchyOf({ hierarchy, hierarchyTolerance: tolerance }: PrepareFlags): Pick<PrepareOptions, 'hierarchy'> {
  if (tolerance !== undefined) return { hierarchy: { tolerance } };
  return hierarchy ? { hierarchy: {} } : {};
}

function hierarchyColumns(hierarchy: ConvexHierarchy) {
  const { pieces, levels } = describeHierarchy(hierarchy);
  return { pieces, levels };
}

const MOST_SHARE = 0.1;

function shareOfRadius(text: string): number {
  const share = positiveNumber(text);
  if (share <= MOST_SHARE) return share;
  throw new InvalidArgumentError(`Give a share of the radius, above 0 and at most ${MOST_SHARE}.`);
}

function checkDistinct(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) {
    throw new PalpableError(
      'option-invalid',
      `Two of the meshes would both be written to ${twice}: prepare them one after the other, with --out for each.`,
    );
  }
}
