import { join } from 'node:path';
import { startStudioServer } from '../../packages/cli/dist/studio/server.js';
import { repositoryRoot } from './run.mjs';

export const studioRoot = join(repositoryRoot, 'packages', 'studio', 'dist');

export function serveStudio(root = studioRoot) {
  return startStudioServer({ root, port: 0 });
}
