import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const inRepository = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const source = (file: string) => inRepository(`packages/${file}`);
// The longer name first: an alias also takes the paths below it.
const sources = {
  '@palpable/engine/advanced': source('engine/src/advanced.ts'),
  '@palpable/engine': source('engine/src/index.ts'),
  '@palpable/cli/internal': source('cli/src/internal.ts'),
};

/** Runs that take minutes and find no more than rare defects: `npm run test:all`. */
const long = process.env.PALPABLE_TEST_ALL ? [] : ['**/*.long.test.ts'];

/** `npm test` builds before. */
const isBuilt = process.env.PALPABLE_TEST_BUILT !== undefined;

/** The built packages are loaded by Node itself, as users have them, and not transformed. */
const asBuilt = { deps: { external: [/\/packages\/[^/]+\/dist\//] } };

/** Their processes, devices and threads are to be punctual, and wait for each other most of the time. */
const LIVE = [
  ...['deformable-threads', 'faults', 'haply', 'modular-threads', 'recipe', 'recording-recovery', 'recording-thread'],
  ...['servo', 'servo-endings', 'servo-times', 'vrpn', 'vrpn-by-hand', 'vrpn-endings'],
].map((name) => `test/${name}.test.ts`);

/** What the build or another test has prepared is not prepared again; tests of the cache have their own. */
const keptBodies = { PALPABLE_CACHE: inRepository('.palpable/cache') };

/** The longest first: one that began last would leave the other cores idle. */
const LONGEST = [
  'servo-endings',
  'faults',
  'servo',
  'modular-threads',
  'golden',
  'bench',
  'reproduce',
  'pack',
  'prepare',
];

/** Those of `test/` before the unit tests, which are many and short. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      if (project.name === 'unit') return LONGEST.length + 1;
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return found < 0 ? LONGEST.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/**
 * Instead of `sources`, where they are built: the module of `dist` for each that a test imports. Loaded by Node itself,
 * loops run a fifth faster than transformed, where every imported name is read from an object each time.
 */
const builtSources = {
  name: 'built-sources',
  enforce: 'pre',
  resolveId(id: string, importer: string | undefined) {
    if (!importer || !id.startsWith('.')) return null;
    const [, package_, module] = SOURCE.exec(resolve(dirname(importer), id)) ?? [];
    return package_ && module && !module.endsWith('.fixture.js') ? `${package_}/dist/${module}` : null;
  },
} as const;
const SOURCE = /^(.*[\\/]packages[\\/](?:engine|cli|lab))[\\/]src[\\/](.*\.js)$/;

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // All cores, and one more: tests from file to result wait for processes and devices half of their time.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        // Beside the sources; other packages are taken from their sources, so that no build is needed while working.
        // `npm test` has built them and takes them from there.
        ...(isBuilt ? { plugins: [builtSources] } : { resolve: { alias: sources } }),
        test: {
          name: 'unit',
          ...(isBuilt && { server: asBuilt }),
          // Writes the kernels into the sources when theirs have changed.
          globalSetup: 'scripts/build-kernels.mjs',
          include: ['packages/*/src/**/*.test.ts'],
          exclude: long,
          // Many files in one process: to load the engine again for each would take longer than most of them.
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // From file to result: the built packages, as users have them.
        test: {
          name: 'pipeline',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', ...LIVE, ...long],
          server: asBuilt,
          env: keptBodies,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // The same, where times matter.
        test: {
          name: 'live',
          include: LIVE,
          server: asBuilt,
          env: keptBodies,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Run in Node, drive one Chromium; one by one, since software rendering takes every core, and after all others,
        // unless `npm test` runs them beside tests that then step back.
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: 'test/browser/global-setup.ts',
          fileParallelism: false,
          // Every file has a connection of its own to the browser; a process of its own would take another second.
          isolate: false,
          server: asBuilt,
          sequence: { groupOrder: 1 },
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
