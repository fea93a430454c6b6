// Before packing: a package's tarball carries the documents that the repository keeps once, at its root. The copies
// are ignored by git. Run by npm in the folder of the package.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './lib/run.mjs';

for (const file of ['LICENSE', 'CHANGELOG.md', 'THIRD-PARTY-NOTICES.md']) {
  copyFileSync(join(repositoryRoot, file), join(process.cwd(), file));
}
