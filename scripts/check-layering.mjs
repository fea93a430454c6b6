// The engine's folders are the way of the data; each may import only from itself and from folders before it, and
// nothing from outside. What the compiler cannot see (a type library pulled in by a comment) is looked for as well.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { listFiles } from './lib/files.mjs';
import { reportProblems } from './lib/report.mjs';
import { repositoryRoot } from './lib/run.mjs';

/** The order of the folders of packages/engine/src. */
export const folderOrder = [
  'base',
  'math',
  'mesh',
  'model',
  'field',
  'shell',
  'hierarchy',
  'tetrahedra',
  'elasticity',
  'asset',
  'contact',
  'complementarity',
  'friction',
  'method',
  'coupling',
  'device',
  'servo',
  'scene',
  'record',
  'live',
];

const testImports = /^(vitest|fast-check|node:.+)$/;

/**
 * What is wrong with the imports of one file.
 *
 * @param {string} file relative to packages/engine/src, with forward slashes
 * @param {string} text
 * @returns {string[]}
 */
export function checkLayering(file, text) {
  const isTest = isTestOnly(file);
  const own = folderRank(file);
  if (own === undefined) return [`${file}: no such layer; the folders are ${folderOrder.join(', ')}`];
  const { importedFiles, typeReferenceDirectives, libReferenceDirectives } = ts.preProcessFile(text, true, true);
  const problems = [...typeReferenceDirectives, ...libReferenceDirectives].map(
    (directive) => `${file}: pulls in the types of "${directive.fileName}"; the engine knows no host`,
  );
  for (const { fileName: specifier } of importedFiles) {
    const problem = specifier.startsWith('.')
      ? checkInnerImport(file, own, specifier, isTest)
      : isTest && testImports.test(specifier)
        ? undefined
        : 'the engine imports nothing from outside';
    if (problem) problems.push(`${file}: imports "${specifier}", but ${problem}`);
  }
  return problems;
}

/**
 * @param {string} file
 * @param {number} own
 * @param {string} specifier
 * @param {boolean} isTest
 */
function checkInnerImport(file, own, specifier, isTest) {
  const target = posix.join(posix.dirname(file), specifier);
  if (target.startsWith('../')) return 'the engine imports nothing from outside its sources';
  const other = folderRank(target);
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
 */
function folderRank(file) {
  if (!file.includes('/')) return folderOrder.length;
  const rank = folderOrder.indexOf(layerName(file));
  return rank < 0 ? undefined : rank;
}

/** @param {string} file */
function isTestOnly(file) {
  return /\.(test|fixture)\.[jt]s$/.test(file);
}

/** @param {string} file */
function layerName(file) {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : 'the entry point';
}

if (process.argv[1] === import.meta.filename) {
  const sources = join(repositoryRoot, 'packages', 'engine', 'src');
  const files = listFiles(sources).filter((file) => file.endsWith('.ts'));
  const problems = files.flatMap((file) => checkLayering(file, readFileSync(join(sources, file), 'utf8')));
  reportProblems(problems, `${files.length} files, each imports only from its own and earlier folders`);
}
