// `npm test`: from a bare machine to the tests' verdict. `npm test -- contact` runs only the test files whose path
// holds "contact", without the checks. `npm run test:all` adds those that take minutes each (`*.long.test.ts`). The last
// line is always the plain count.
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './lib/chromium.mjs';
import { ensureInstalled, requireNode } from './lib/install.mjs';
import { repositoryRoot, runNode, startNode, startTool } from './lib/run.mjs';
import { countTests } from './lib/test-report.mjs';

/** As `nice` has it: 0 is usual, and 5 gets a third of that where there is too little for both. */
const LOW_PRIORITY = 5;

const filters = process.argv.slice(2).filter((argument) => argument !== '--all');
if (process.argv.includes('--all')) process.env.PALPABLE_TEST_ALL = '1';

requireNode();
ensureInstalled();
process.env.PALPABLE_CHROMIUM = ensureChromium();
if (runNode([script('build.mjs')]) !== 0) process.exit(1);
process.env.PALPABLE_TEST_BUILT = '1';

mkdirSync(join(repositoryRoot, 'test-output'), { recursive: true });
const reports = ['vitest', 'vitest-live', 'vitest-browser'];
for (const name of reports) rmSync(reportFile(name), { force: true });
const { checksFailed, codes } = filters.length === 0 ? await runAll() : await runSome();
const counts = countTests({ testResults: reports.flatMap(takeResults) });
const vitestCode = Math.max(...codes);
// Something outside a test went wrong (an unhandled rejection, a failed check): never "0 failed" beside an exit code.
if (vitestCode !== 0 && counts.failed === 0) counts.failed = 1;
if (checksFailed) {
  console.log('npm run check failed: see above; it counts as one failure.');
  counts.failed += 1;
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;

/** @typedef {{ checksFailed: boolean, codes: readonly number[] }} Ended */

/** @returns {Promise<Ended>} */
async function runSome() {
  return { checksFailed: false, codes: [await ended(startVitest('vitest', filters))] };
}

/**
 * Two lanes. Pages, devices and servos wait for each other and want to be punctual; the checks and the tests that only
 * compute fill what they leave idle, at a lower priority.
 *
 * @returns {Promise<Ended>}
 */
async function runAll() {
  const said = join(repositoryRoot, 'test-output', 'vitest-punctual.txt');
  const output = openSync(said, 'w');
  const punctual = async () => {
    const codes = [];
    for (const name of ['browser', 'live']) {
      const stdio = /** @type {const} */ (['ignore', output, output]);
      codes.push(await ended(startVitest(`vitest-${name}`, ['--project', name], { stdio: [...stdio] })));
    }
    return codes;
  };
  const computing = async () => {
    const checks = await ended(stepBack(startNode([script('check.mjs')])));
    const workers = `--maxWorkers=${availableParallelism()}`;
    const tests = startVitest('vitest', ['--project', 'pipeline', '--project', 'unit', workers]);
    return [checks, await ended(stepBack(tests))];
  };
  const [codes, [checks, tests]] = await Promise.all([punctual(), computing()]);
  closeSync(output);
  process.stdout.write(readFileSync(said, 'utf8'));
  return { checksFailed: checks !== 0, codes: [...codes, tests] };
}

/**
 * What it starts steps back with it.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function stepBack(child) {
  if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY);
  return child;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>} its exit code
 */
async function ended(child) {
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

/**
 * @param {string} name of its report
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
function startVitest(name, args, options = { stdio: 'inherit' }) {
  const json = `--outputFile.json=${reportFile(name)}`;
  return startTool('vitest', ['run', ...args, '--reporter=default', '--reporter=json', json], options);
}

/**
 * @param {string} name of a report that may be missing
 * @returns {import('./lib/test-report.mjs').FileResult[]}
 */
function takeResults(name) {
  return existsSync(reportFile(name)) ? JSON.parse(readFileSync(reportFile(name), 'utf8')).testResults : [];
}

/** @param {string} name */
function reportFile(name) {
  return join(repositoryRoot, 'test-output', `${name}.json`);
}

/** @param {string} name */
function script(name) {
  return join(repositoryRoot, 'scripts', name);
}
