// `npm run golden`: renews the pinned bits of test/golden after a change that is wanted. Node and Chromium must agree.
import { ensureChromium } from './lib/chromium.mjs';
import { ensureInstalled, requireNode } from './lib/install.mjs';
import { repositoryRoot, runNode, runTool } from './lib/run.mjs';

requireNode();
ensureInstalled();
process.env.PALPABLE_CHROMIUM = ensureChromium();
process.env.PALPABLE_RENEW_GOLDEN = '1';
process.chdir(repositoryRoot);
if (runNode(['scripts/build.mjs']) !== 0) process.exit(1);
process.exitCode = runTool('vitest', ['run', '--project', 'pipeline', 'test/golden']);
