import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (file: string) => fileURLToPath(new URL(`packages/${file}`, import.meta.url));
const sources = {
  '@palpable/engine': source('engine/src/index.ts'),
  '@palpable/cli/internal': source('cli/src/internal.ts'),
};

export default defineConfig({
  test: {
    // All cores: by default one of them is left to the watcher, which on two cores is half of them.
    maxWorkers: availableParallelism(),
    projects: [
      {
        // Beside the sources; other packages are taken from their sources, so that no build is needed while working.
        resolve: { alias: sources },
        test: { name: 'unit', include: ['packages/*/src/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      {
        // From file to result: the built packages, as users have them.
        test: {
          name: 'pipeline',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Live loops, sockets and killed processes on a machine that may be busy: a defect fails twice.
          retry: 1,
        },
      },
      {
        // Run in Node, drive Chromium; after all others and one by one, since software rendering takes every core.
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 180_000,
          hookTimeout: 180_000,
          retry: 1,
        },
      },
    ],
  },
});
