// In every package the folders are in the order of the data; each may import only from itself and from folders before
// it, so that there are no cycles between them, and from outside only what its package may. What the compiler cannot see
// (a type library pulled in by a comment) is looked for as well.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { listFiles } from './lib/files.mjs';
import { reportProblems } from './lib/report.mjs';
import { repositoryRoot } from './lib/run.mjs';

/**
 * @typedef {object} Layers
 * @property {readonly string[]} folders of `src`, in their order
 * @property {RegExp} outside what may be imported beside the package's own sources
 * @property {string} rule what `outside` says, in words
 * @property {boolean} [isHostless] whether it must not know the types of a host
 */

/** @type {Record<'engine' | 'cli' | 'lab' | 'studio', Layers>} */
export const layers = {
  engine: {
    folders: [
      'base',
      'math',
      'mechanics',
      'mesh',
      'model',
      'field',
      'shell',
      'hierarchy',
      'tetrahedra',
      'elasticity',
      'asset',
      'settings',
      'kernels',
      'contact',
      'complementarity',
      'friction',
      'coupling',
      'method',
      'device',
      'servo',
      'scene',
      'record',
      'live',
    ],
    outside: /^$/,
    rule: 'the engine imports nothing from outside',
    isHostless: true,
  },
  cli: {
    folders: [
      'files',
      'terminal',
      'mesh',
      'parallel',
      'device',
      'record',
      'friction',
      'prepare',
      'scene',
      'servo',
      'studio',
      'commands',
    ],
    outside: /^(?!@palpable\/(?!engine(\/advanced)?$))[^.]/,
    rule: 'of the other packages the command line imports the engine alone',
  },
  lab: {
    folders: ['play', 'reproduce', 'bench', 'commands'],
    outside: /^(?!@palpable\/(?!(engine|engine\/advanced|cli\/internal)$))[^.]/,
    rule: 'of the other packages the lab imports the engine and @palpable/cli/internal alone',
  },
  studio: {
    folders: [
      'style',
      'controls',
      'parameters',
      'scene',
      'devices',
      'threads',
      'stage',
      'plots',
      'record',
      'gallery',
      'drop',
      'app',
      'opening',
      'panel',
      'bench',
    ],
    outside: /^(?!node:|@palpable\/(?!engine(\/advanced)?$))[^.]|^\.\.\/\.\.\/package\.json$/,
    rule: 'of the other packages the studio imports the engine alone, and nothing of Node',
  },
};

const mostNames = 130;
const testImports = /^(vitest|fast-check|node:.+)$/;

/**
 * What is wrong with the imports of one file.
 *
 * @param {string} file relative to the package's src, with forward slashes
 * @param {string} text
 * @param {Layers} of
 * @returns {string[]}
 */
export function checkLayering(file, text, of = layers.engine) {
  const isTest = isTestOnly(file);
  const own = folderRank(file, of);
  if (own === undefined) return [`${file}: no such layer; the folders are ${of.folders.join(', ')}`];
  const { importedFiles, typeReferenceDirectives, libReferenceDirectives } = ts.preProcessFile(text, true, true);
  const pulled = of.isHostless ? [...typeReferenceDirectives, ...libReferenceDirectives] : [];
  const problems = pulled.map(
    (directive) => `${file}: pulls in the types of "${directive.fileName}"; the engine knows no host`,
  );
  for (const { fileName: specifier } of importedFiles) {
    const isAllowed = of.outside.test(specifier) || (isTest && testImports.test(specifier));
    const problem = isAllowed
      ? undefined
      : specifier.startsWith('.')
        ? checkInnerImport(file, own, specifier, of)
        : of.rule;
    if (problem) problems.push(`${file}: imports "${specifier}", but ${problem}`);
  }
  return problems;
}

/**
 * What is wrong with the engine's entry for users: it stays small enough to be read at one go.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function checkEntry(text) {
  const names = [...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, list]) => list.split(',').filter((name) => name.trim()));
  if (/^export (type )?\*/m.test(text)) return ['index.ts: exports all of a file; name its exports one by one'];
  if (names.length <= mostNames) return [];
  return [
    `index.ts: exports ${names.length} names, but at most ${mostNames}; what few users need goes into advanced.ts`,
  ];
}

/**
 * @param {string} file
 * @param {number} own
 * @param {string} specifier
 * @param {Layers} of
 */
function checkInnerImport(file, own, specifier, of) {
  const isTest = isTestOnly(file);
  const target = posix.join(posix.dirname(file), specifier);
  if (target.startsWith('../')) return of.rule;
  const other = folderRank(target, of);
  if (other === undefined) return 'there is no such layer';
  if (!isTest && isTestOnly(target)) return 'a source imports no test and no fixture';
  // A test may set up its case with whatever comes later.
  if (!isTest && other > own) return `${layerName(file)} comes before ${layerName(target)}`;
  return undefined;
}

/**
 * The place of a file in the order. Files beside the folders are entry points: they may import everything, and no
 * folder imports them.
 *
 * @param {string} file
 * @param {Layers} of
 */
function folderRank(file, { folders }) {
  if (!file.includes('/')) return folders.length;
  const rank = folders.indexOf(layerName(file));
  return rank < 0 ? undefined : rank;
}

/** @param {string} file */
function isTestOnly(file) {
  return /\.(test|fixture)\.[jt]sx?$/.test(file);
}

/** @param {string} file */
function layerName(file) {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : 'the entry point';
}

if (process.argv[1] === import.meta.filename) {
  let count = 0;
  const problems = Object.entries(layers).flatMap(([name, of]) => {
    const sources = join(repositoryRoot, 'packages', name, 'src');
    const files = listFiles(sources).filter((file) => /\.tsx?$/.test(file));
    count += files.length;
    const found = files.flatMap((file) => checkLayering(file, readFileSync(join(sources, file), 'utf8'), of));
    return found.map((problem) => `packages/${name}/src/${problem}`);
  });
  const entry = readFileSync(join(repositoryRoot, 'packages/engine/src/index.ts'), 'utf8');
  problems.push(...checkEntry(entry).map((problem) => `packages/engine/src/${problem}`));
  reportProblems(problems, `${count} files, each imports only from its own and earlier folders`);
}
