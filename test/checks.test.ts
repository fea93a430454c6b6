import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkLock, checkSize, checkText } from '../scripts/check-hygiene.mjs';
import { checkEntry, checkLayering, layers } from '../scripts/check-layering.mjs';
import { extractExamples, extractSnippets } from '../scripts/check-snippets.mjs';
import { findChromium } from '../scripts/lib/chromium.mjs';
import { listProjectFiles } from '../scripts/lib/files.mjs';
import { isAtLeast, isInstalled } from '../scripts/lib/install.mjs';
import { completeLock } from '../scripts/lib/lock-file.mjs';
import { countTests } from '../scripts/lib/test-report.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palpable-checks-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('layering', () => {
  it('keeps the entry for users small', () => {
    const names = Array.from({ length: 131 }, (_, k) => `type name${k}`);
    expect(checkEntry(`export { ${names.slice(1).join(', ')} } from './a.js';`)).toEqual([]);
    expect(checkEntry(`export { ${names.join(', ')} } from './a.js';`)).toEqual([expect.stringContaining('131 names')]);
    expect(checkEntry("export * from './a.js';")).toEqual([expect.stringContaining('one by one')]);
  });

  it.each([
    ['field/a.ts', "import { x } from '../mesh/x.js';"],
    ['field/a.ts', "import { x } from './x.js';"],
    ['index.ts', "export { x } from './record/x.js';"],
    ['base/a.test.ts', "import { it } from 'vitest'; import fc from 'fast-check'; import 'node:fs';"],
    ['base/a.test.ts', "import { x } from '../field/x.js';"],
  ])('accepts in %s: %s', (file, text) => {
    expect(checkLayering(file, text)).toEqual([]);
  });

  it.each([
    ['mesh/a.ts', "import { x } from '../field/x.js';", 'mesh comes before field'],
    ['mesh/a.ts', "import type { X } from '../field/x.js';", 'mesh comes before field'],
    ['mesh/a.ts', "export * from '../shell/x.js';", 'mesh comes before shell'],
    ['mesh/a.ts', "const x = await import('../servo/x.js');", 'mesh comes before servo'],
    ['mesh/a.ts', "import { x } from '../index.js';", 'mesh comes before the entry point'],
    ['mesh/a.ts', "import { readFileSync } from 'node:fs';", 'nothing from outside'],
    ['mesh/a.ts', "import { Mesh } from 'three';", 'nothing from outside'],
    ['mesh/a.ts', "import { x } from '../../../cli/src/x.js';", 'nothing from outside'],
    ['mesh/a.ts', "import { x } from './b.test.js';", 'no test and no fixture'],
    ['mesh/a.ts', "import { x } from './b.fixture.js';", 'no test and no fixture'],
    ['mesh/a.ts', '/// <reference lib="dom" />', 'knows no host'],
    ['mesh/a.ts', '/// <reference types="node" />', 'knows no host'],
    ['mesh/a.test.ts', "import { Mesh } from 'three';", 'nothing from outside'],
    ['utilities/a.ts', '', 'no such layer'],
  ])('refuses in %s: %s', (file, text, reason) => {
    expect(checkLayering(file, text)).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    [
      'cli',
      'scene/a.ts',
      "import 'node:fs'; import { x } from '@palpable/engine'; import { y } from '../prepare/y.js';",
    ],
    ['cli', 'scene/a.ts', "import { x } from '@palpable/engine/advanced';"],
    [
      'lab',
      'bench/a.ts',
      "import { x } from '@palpable/cli/internal'; import { y } from '../play/y.js'; import 'three';",
    ],
    ['studio', 'panel/a.tsx', "import { x } from '../app/x.js'; import { render } from 'preact';"],
  ] as const)('accepts in %s, %s: %s', (name, file, text) => {
    expect(checkLayering(file, text, layers[name])).toEqual([]);
  });

  it.each([
    ['cli', 'prepare/a.ts', "import { x } from '../scene/x.js';", 'prepare comes before scene'],
    ['cli', 'scene/a.ts', "import { x } from '@palpable/lab';", 'the engine alone'],
    ['cli', 'scene/a.ts', "import { x } from '@palpable/engine/mesh/x.js';", 'the engine alone'],
    ['lab', 'play/a.ts', "import { x } from '../bench/x.js';", 'play comes before bench'],
    ['lab', 'bench/a.ts', "import { x } from '@palpable/cli';", '@palpable/cli/internal alone'],
    ['lab', 'bench/a.ts', "import { x } from '../../../cli/src/x.js';", '@palpable/cli/internal alone'],
    ['studio', 'stage/a.ts', "import { x } from '../app/x.js';", 'stage comes before app'],
    ['studio', 'stage/a.ts', "import { readFileSync } from 'node:fs';", 'nothing of Node'],
  ] as const)('refuses in %s, %s: %s', (name, file, text, reason) => {
    expect(checkLayering(file, text, layers[name])).toEqual([expect.stringContaining(reason)]);
  });
});

describe('hygiene', () => {
  // Put together here, so that this file itself stays clean.
  const path = (...parts: string[]) => ['', ...parts].join('/');
  const registry = ['https:', '', ['registry', 'example', 'org'].join('.'), 'three'].join('/');
  const off = (name: string) => `it.${name}('x', () => {});`;

  it.each([
    ['a.md', `See packages/engine and https://example.org${path('root', 'home', 'x')}, or ~${path('home', 'x')}.`],
    ['a.ts', `const page = 'http://127.0.0.1:7437/'; const url = new URL('..${path('root', 'x.js')}', base);`],
    ['a.test.ts', "it('skips what is only a number', () => {});"],
    ['package-lock.json', '{ "resolved": "packages/cli", "link": true }'],
    ['packages/engine/src/mesh/a.ts', 'const x = sinOf(Math.sqrt(2) * 2 ** -26);'],
  ])('accepts in %s: %s', (file, text) => {
    expect(checkText(file, text)).toEqual([]);
  });

  it.each([
    ['a.md', `cd ${path('home', 'ada', 'palpable')}`, 'absolute path'],
    ['a.ts', `const file = '${path('root', 'x.stl')}';`, 'absolute path'],
    ['a.json', `{ "file": "${path('Users', 'ada', 'x.stl')}" }`, 'absolute path'],
    ['a.json', `{ "file": "C:${'\\\\'}Users${'\\\\'}ada" }`, 'absolute path'],
    ['package-lock.json', `{ "integrity": "${registry}" }`, 'package registry'],
    ['.npmrc', `${'registry'}=https://example.org`, 'package registry'],
    ['package-lock.json', '{ "resolved": "https://example.org/three.tgz" }', 'download address'],
    ['a.test.ts', off('only'), 'switched off or runs alone'],
    ['a.test.ts', off('skip'), 'switched off or runs alone'],
    ['a.test.ts', off('todo'), 'switched off or runs alone'],
    ['a.test.ts', `describe.concurrent.${'skip'}('x', () => {});`, 'switched off or runs alone'],
    ['a.ts', `// ${'TO'}${'DO'}: later`, 'unfinished work'],
    ['packages/engine/src/mesh/a.ts', 'const x = Math.sin(1);', 'last bit differs'],
    ['packages/engine/src/mesh/a.ts', 'const x = y ** 2;', 'last bit differs'],
  ])('refuses in %s: %s', (file, text, reason) => {
    expect(checkText(file, `first line\n${text}`)).toEqual([expect.stringMatching(`^${file}:2: .*${reason}`)]);
  });

  it('refuses files above 3 MiB', () => {
    expect(checkSize('a.stl', 3 * 1024 * 1024)).toEqual([]);
    expect(checkSize('a.stl', 3 * 1024 * 1024 + 1)).toEqual([expect.stringContaining('at most 3 MiB')]);
  });

  it('refuses a lock file without the packages of other systems, and can complete it', () => {
    const tool = { version: '1.0.0', dev: true, optionalDependencies: { '@a/tool-linux-arm64-musl': '1.0.0' } };
    const lock = { packages: { '': {}, 'node_modules/tool': tool } };
    expect(checkLock(lock)).toEqual([expect.stringContaining('node_modules/@a/tool-linux-arm64-musl is missing')]);
    const complete = completeLock(lock);
    expect(checkLock(complete)).toEqual([]);
    expect(Object.entries(complete.packages)[1]).toEqual([
      'node_modules/@a/tool-linux-arm64-musl',
      { version: '1.0.0', cpu: ['arm64'], dev: true, libc: ['musl'], optional: true, os: ['linux'] },
    ]);
  });

  it('looks at new files but not at ignored ones, with and without git', () => {
    mkdirSync(join(folder, 'dist'));
    for (const file of ['a.ts', 'dist/a.js']) writeFileSync(join(folder, file), '');
    expect(listProjectFiles(folder)).toEqual(['a.ts']);
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    writeFileSync(join(folder, '.gitignore'), 'dist/\n');
    expect(listProjectFiles(folder)).toEqual(['.gitignore', 'a.ts']);
  });
});

describe('snippets', () => {
  it('finds the TypeScript of a document and its lines', () => {
    const markdown = ['# Title', '```ts', 'const a = 1;', '```', '```sh', 'ls', '```', '```typescript', 'b();', '```'];
    expect(extractSnippets(markdown.join('\n'))).toEqual([
      { line: 3, code: 'const a = 1;\n' },
      { line: 9, code: 'b();\n' },
    ]);
  });

  it('takes them from doc comments as well', () => {
    const source = [
      '/**',
      ' * Says it.',
      ' *',
      ' * @example',
      ' * ```ts',
      ' * say(',
      ' *   1,',
      ' * );',
      ' * ```',
      ' */',
    ];
    expect(extractExamples(source.join('\n'))).toEqual([{ line: 6, code: 'say(\n  1,\n);\n' }]);
  });
});

describe('counting tests', () => {
  it('counts a file that could not be loaded as a failure', () => {
    const file = (status: string, ...statuses: string[]) => ({
      status,
      assertionResults: statuses.map((each) => ({ status: each })),
    });
    const testResults = [
      file('passed', 'passed', 'passed', 'pending'),
      file('failed', 'failed', 'passed'),
      file('failed'),
    ];
    expect(countTests({ testResults })).toEqual({ passed: 3, failed: 2, skipped: 1 });
    expect(countTests(undefined)).toEqual({ passed: 0, failed: 0, skipped: 0 });
  });
});

describe('setting up a machine', () => {
  it('compares versions by number', () => {
    expect(isAtLeast('20.19.0', '20.19')).toBe(true);
    expect(isAtLeast('22.1.0', '20.19')).toBe(true);
    expect(isAtLeast('20.9.0', '20.19')).toBe(false);
    expect(isAtLeast('18.20.0', '20.19')).toBe(false);
  });

  it('notices missing and outdated packages, but not those of other systems', () => {
    const lock = (version: string) => ({
      packages: {
        '': {},
        'packages/engine': { version: '0.1.0' },
        'node_modules/a': { version },
        'node_modules/for-another-system': { version: '1.0.0', optional: true },
      },
    });
    const write = (file: string, value: unknown) => writeFileSync(join(folder, file), JSON.stringify(value));
    mkdirSync(join(folder, 'node_modules'));
    write('package-lock.json', lock('1.0.0'));
    expect(isInstalled(folder)).toBe(false);
    write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '1.0.0' } } });
    expect(isInstalled(folder)).toBe(true);
    write('package-lock.json', lock('1.0.1'));
    expect(isInstalled(folder)).toBe(false);
    write('node_modules/.package-lock.json', { packages: {} });
    expect(isInstalled(folder)).toBe(false);
  });

  it('takes the Chromium it is told, else one on the path', () => {
    const program = (name: string) => {
      const file = join(folder, name);
      writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
      return file;
    };
    const onPath = program('chromium');
    const told = program('my-browser');
    expect(findChromium({ PATH: folder })).toBe(onPath);
    expect(findChromium({ PATH: folder, PALPABLE_CHROMIUM: told })).toBe(told);
    expect(findChromium({ PATH: folder, CHROME_PATH: told })).toBe(told);
    expect(findChromium({ PATH: folder, PALPABLE_CHROMIUM: join(folder, 'gone') })).toBe(onPath);
  });
});
