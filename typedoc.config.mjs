// The reference of the engine's two entries, built by `npm run check` into the ignored folder `test-output/api`. Every
// export needs a doc comment and every link must lead somewhere.

export default {
  name: '@palpable/engine',
  entryPoints: ['packages/engine/src/index.ts', 'packages/engine/src/advanced.ts'],
  tsconfig: 'packages/engine/tsconfig.json',
  readme: 'packages/engine/README.md',
  out: 'test-output/api',
  // The sources are in the package; links to a host would have to be kept true.
  disableSources: true,
  excludePrivate: true,
  logLevel: 'Warn',
  requiredToBeDocumented: ['Function', 'Class', 'Interface', 'TypeAlias', 'Variable', 'Method'],
  validation: { notDocumented: true, invalidLink: true, notExported: false },
  treatWarningsAsErrors: true,
};
