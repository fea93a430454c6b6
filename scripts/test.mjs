// `npm test`: from a bare machine to the tests' verdict. `npm test -- contact` runs only the test files whose path
// holds "contact", without the checks. `npm run test:all` adds those that take minutes each (`*.long.test.ts`). The last
// line is always the plain count.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './lib/chromium.mjs';
import { ensureInstalled, requireNode } from './lib/install.mjs';
import { repositoryRoot, runNode, runTool } from './lib/run.mjs';
import { countTests } from './lib/test-report.mjs';

const filters = process.argv.slice(2).filter((argument) => argument !== '--all');
if (process.argv.includes('--all')) process.env.PALPABLE_TEST_ALL = '1';

requireNode();
ensureInstalled();
process.env.PALPABLE_CHROMIUM = ensureChromium();
if (runNode([script('build.mjs')]) !== 0) process.exit(1);

const checksFailed = filters.length === 0 && runNode([script('check.mjs')]) !== 0;

const report = join(repositoryRoot, 'test-output', 'vitest.json');
mkdirSync(join(repositoryRoot, 'test-output'), { recursive: true });
rmSync(report, { force: true });
const vitestCode = runTool('vitest', [
  'run',
  ...filters,
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
]);

const counts = countTests(existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined);
// Something outside a test went wrong (an unhandled rejection, a failed check): never "0 failed" beside an exit code.
if (vitestCode !== 0 && counts.failed === 0) counts.failed = 1;
if (checksFailed) {
  console.log('npm run check failed: see above; it counts as one failure.');
  counts.failed += 1;
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;

/** @param {string} name */
function script(name) {
  return join(repositoryRoot, 'scripts', name);
}
