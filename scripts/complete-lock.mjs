// Adds to package-lock.json the packages of other systems that npm left out (see lib/lock-file.mjs).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeLock, findMissingEntries } from './lib/lock-file.mjs';
import { repositoryRoot } from './lib/run.mjs';

const file = join(repositoryRoot, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = findMissingEntries(lock);
if (missing.length > 0) writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`);
console.log(`${missing.length} packages added to the lock file`);
