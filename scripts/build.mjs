// Builds the engine, the command line, the lab and the studio. Quick when nothing changed. Runs after every `npm ci`.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildKernels } from './build-kernels.mjs';
import { listFiles } from './lib/files.mjs';
import { requireNode } from './lib/install.mjs';
import { repositoryRoot, runNode, runTool } from './lib/run.mjs';

const packages = join(repositoryRoot, 'packages');
const studio = join(packages, 'studio');

requireNode();
if (!existsSync(join(repositoryRoot, 'node_modules', 'typescript'))) {
  console.error('The compiler is not installed: run `npm ci` (with development packages), which also builds.');
  process.exit(1);
}
await buildKernels();
buildLibraries();
await bundleEngine();
if (!process.argv.includes('--no-studio')) buildStudio();

function buildLibraries() {
  const members = ['engine', 'cli', 'lab'].map((name) => join(packages, name));
  for (const member of members) removeStaleOutput(member);
  if (runTool('tsc', ['-b', ...members]) !== 0) process.exit(1);
}

/**
 * The compiler never deletes: what it wrote for a source that is gone or renamed would stay, and be packed.
 *
 * @param {string} member
 */
function removeStaleOutput(member) {
  const dist = join(member, 'dist');
  for (const file of listFiles(dist)) {
    const source = file.replace(/\.(js|d\.ts)(\.map)?$/, '.ts');
    if (source !== file && !file.startsWith('node/') && !existsSync(join(member, 'src', source)))
      rmSync(join(dist, file));
  }
}

/**
 * For Node, which opens files one by one, the engine in three instead of 360: every command and every thread of a servo
 * starts in half the time. Bundlers take the single modules, to leave out what a page does not use.
 */
async function bundleEngine() {
  const engine = join(packages, 'engine');
  const outDir = join(engine, 'dist', 'node');
  const entry = ['index', 'advanced'].map((name) => join(engine, 'src', `${name}.ts`));
  if (timeOf(join(outDir, 'index.js')) > timeOf(join(engine, 'dist', '.tsbuildinfo'))) return;
  const { build } = await import('vite');
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      lib: { entry, formats: ['es'], fileName: (_, name) => `${name}.js` },
      outDir,
      target: 'esnext',
      minify: false,
      sourcemap: true,
      // Constants stay constants: what the compiler takes for a variable goes to the heap.
      rolldownOptions: { output: { chunkFileNames: 'shared.js', topLevelVar: false } },
    },
  });
}

/**
 * @param {string} file
 * @returns {number} when it was written, ms; 0 if it does not exist
 */
function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function buildStudio() {
  const hasStudio = ['ts', 'js', 'mjs'].some((ending) => existsSync(join(studio, `vite.config.${ending}`)));
  if (!hasStudio) return;
  if (runNode([join(repositoryRoot, 'scripts', 'prepare-gallery.mjs')]) !== 0) process.exit(1);
  const stampFile = join(studio, 'dist', '.build-stamp');
  const stamp = hashStudioSources();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  if (runTool('vite', ['build', '--logLevel', 'warn'], { cwd: studio }) !== 0) process.exit(1);
  writeFileSync(stampFile, stamp);
}

/** A hash of everything that the studio is built from. */
function hashStudioSources() {
  const hash = createHash('sha256').update(readFileSync(join(repositoryRoot, 'package-lock.json')));
  for (const folder of [studio, join(packages, 'engine', 'dist'), join(repositoryRoot, 'scenes')]) {
    const isOutput = (/** @type {string} */ name) => folder === studio && name === 'dist';
    for (const file of listFiles(folder, (name) => name !== 'node_modules' && !isOutput(name))) {
      if (file.endsWith('.tsbuildinfo') || file.endsWith('.test.ts')) continue;
      hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
    }
  }
  return hash.digest('hex');
}
