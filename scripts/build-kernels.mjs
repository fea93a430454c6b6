// Compiles packages/engine/kernels, in AssemblyScript, to WebAssembly, and writes it into a module of the engine. That is
// committed, so that the sources work as they are; `--check` fails if it is not what the sources give.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportProblems } from './lib/report.mjs';
import { repositoryRoot } from './lib/run.mjs';

const folder = join(repositoryRoot, 'packages', 'engine', 'kernels');
const source = 'disc-sum.ts';
const output = join(repositoryRoot, 'packages', 'engine', 'src', 'kernels', 'kernel-module.ts');
const options = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--noExportMemory', '--enable', 'simd'];

/** What Vitest runs before the unit tests, which use the sources. */
export { buildKernels as setup };

/** Compiles what has changed since the last time; quick if nothing has. */
export async function buildKernels() {
  const stamp = hashSources();
  if (existsSync(output) && readFileSync(output, 'utf8').includes(stamp)) return;
  writeFileSync(output, await compileModule(stamp));
}

/** @param {string} stamp */
async function compileModule(stamp) {
  const { default: asc } = await import('assemblyscript/asc');
  /** @type {Uint8Array | undefined} */
  let binary;
  const { error, stderr } = await asc.main([source, '--outFile', 'kernels.wasm', ...options], {
    readFile: (name) => (name === source ? readFileSync(join(folder, source), 'utf8') : null),
    writeFile: (name, contents) => {
      if (name === 'kernels.wasm' && typeof contents !== 'string') binary = contents;
    },
    listFiles: () => [],
  });
  if (error || !binary) throw new Error(`The kernels do not compile.\n${stderr}`);
  return `// Made by scripts/build-kernels.mjs from packages/engine/kernels: ${stamp}
/** The kernels as WebAssembly, ${binary.length} bytes, in base64. */
export const KERNEL_MODULE =
  '${Buffer.from(binary).toString('base64')}';
`;
}

/** Of the sources, of how they are compiled and by what. */
function hashSources() {
  const { version } = JSON.parse(
    readFileSync(join(repositoryRoot, 'node_modules', 'assemblyscript', 'package.json'), 'utf8'),
  );
  return createHash('sha256')
    .update(readFileSync(join(folder, source)))
    .update(options.join(' '))
    .update(version)
    .digest('hex');
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--check')) {
    const isSame = existsSync(output) && readFileSync(output, 'utf8') === (await compileModule(hashSources()));
    const problem =
      'packages/engine/src/kernels/kernel-module.ts: not what packages/engine/kernels gives; run `npm run build`';
    reportProblems(isSame ? [] : [problem], 'the kernels are those of their sources');
  } else await buildKernels();
}
