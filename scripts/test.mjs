// `npm test`: from a bare machine to the tests' verdict. `npm test -- contact` runs only the test files whose path
// holds "contact", without the checks. `npm run test:all` adds those that take minutes each (`*.long.test.ts`). The last
// line is always the plain count.
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './lib/chromium.mjs';
import { ensureInstalled, requireNode } from './lib/install.mjs';
import { repositoryRoot, runNode, runTool, startTool } from './lib/run.mjs';
import { countTests } from './lib/test-report.mjs';

/** As `nice` has it: 0 is usual, and 3 gets half of that where there is too little for both. */
const LOW_PRIORITY = 3;

const filters = process.argv.slice(2).filter((argument) => argument !== '--all');
if (process.argv.includes('--all')) process.env.PALPABLE_TEST_ALL = '1';

requireNode();
ensureInstalled();
process.env.PALPABLE_CHROMIUM = ensureChromium();
if (runNode([script('build.mjs')]) !== 0) process.exit(1);

const checksFailed = filters.length === 0 && runNode([script('check.mjs')]) !== 0;

mkdirSync(join(repositoryRoot, 'test-output'), { recursive: true });
const reports = ['vitest', 'vitest-unit', 'vitest-browser'];
for (const name of reports) rmSync(reportFile(name), { force: true });
const codes = filters.length === 0 ? await runAll() : [runVitest('vitest', filters)];
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

/**
 * The browser tests run one by one and wait for pages; the unit tests fill what they leave idle, at a lower priority, so
 * that a page's loop does not wait for them. Tests from file to result need a machine of their own.
 *
 * @returns {Promise<readonly number[]>}
 */
async function runAll() {
  const said = join(repositoryRoot, 'test-output', 'vitest-browser.txt');
  const output = openSync(said, 'w');
  const browser = startTool('vitest', vitestArguments('vitest-browser', ['--project', 'browser']), {
    stdio: ['ignore', output, output],
  });
  const workers = `--maxWorkers=${availableParallelism()}`;
  const unit = startTool('vitest', vitestArguments('vitest-unit', ['--project', 'unit', workers]), {
    stdio: 'inherit',
  });
  // Inherited by the processes that it starts for the tests.
  if (unit.pid !== undefined) setPriority(unit.pid, LOW_PRIORITY);
  const ended = await Promise.all([browser, unit].map((child) => once(child, 'exit')));
  closeSync(output);
  process.stdout.write(readFileSync(said, 'utf8'));
  return [...ended.map(([code]) => code ?? 1), runVitest('vitest', ['--project', 'pipeline'])];
}

/**
 * @param {string} name of its report
 * @param {readonly string[]} args
 */
function runVitest(name, args) {
  return runTool('vitest', vitestArguments(name, args));
}

/**
 * @param {string} name of its report
 * @param {readonly string[]} args
 */
function vitestArguments(name, args) {
  return ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile(name)}`];
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
