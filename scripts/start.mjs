// `npm start`: from a bare machine with Node to the studio in the browser. Arguments go on to `palpable studio`.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, requireNode } from './lib/install.mjs';
import { repositoryRoot, runNode } from './lib/run.mjs';

requireNode();
ensureInstalled();
if (runNode([join(repositoryRoot, 'scripts', 'build.mjs')]) !== 0) process.exit(1);

if (process.env.npm_lifecycle_event === 'start') endWithParent();
const command = join(repositoryRoot, 'packages', 'cli', 'bin', 'palpable.js');
process.argv = [process.execPath, command, 'studio', ...process.argv.slice(2)];
await import(pathToFileURL(command).href);

/** When npm is ended (not by Ctrl-C, which reaches us as well), it leaves us behind: no server without its owner. */
function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
