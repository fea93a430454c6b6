// The browser of the browser tests: Chromium or Chrome as the system has it, nothing downloaded by npm.
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

const programNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const knownPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * The path of a Chromium, or undefined. PALPABLE_CHROMIUM and CHROME_PATH go before what the system has.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 */
export function findChromium(env = process.env) {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = [
    ...[env.PALPABLE_CHROMIUM, env.CHROME_PATH].filter((path) => path !== undefined),
    ...programNames.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...knownPlaces,
  ];
  return candidates.find(isExecutable);
}

/** Finds a Chromium, installs Debian's when we may, else ends the process with one line that says what to do. */
export function ensureChromium() {
  const found = findChromium() ?? installChromium();
  if (found) return found;
  console.error(
    'The browser tests need Chromium: install it (Debian, Ubuntu: sudo apt-get install chromium fonts-dejavu-core) ' +
      'or set PALPABLE_CHROMIUM to the path of a Chromium or Chrome.',
  );
  process.exit(1);
}

function installChromium() {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return undefined;
  console.log('Installing Chromium (apt-get) …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], { env });
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], { env });
  return findChromium();
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
