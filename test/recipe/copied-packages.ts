// The recipes of CONTRIBUTING.md are followed in a copy of the built packages.
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { expect } from 'vitest';
import { repositoryRoot } from '../../scripts/lib/run.mjs';

const PARTS = {
  engine: ['package.json', 'dist'],
  cli: ['package.json', 'dist', 'bin'],
  studio: ['package.json', 'src', 'index.html', 'bench.html', 'vite.config.ts'],
};

/** A folder of its own with copies of these packages, beside everything else that is installed. */
export function copyPackages(...names: (keyof typeof PARTS)[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'palpable-recipe-'));
  for (const name of names) {
    for (const part of PARTS[name]) {
      cpSync(join(repositoryRoot, 'packages', name, part), join(packageIn(folder, name), part), { recursive: true });
    }
  }
  if (names.includes('engine')) loadModules(join(packageIn(folder, 'engine'), 'package.json'));
  // The studio finds its gallery from where it is.
  if (names.includes('studio')) cpSync(join(repositoryRoot, 'scenes'), join(folder, 'scenes'), { recursive: true });
  const modules = join(repositoryRoot, 'node_modules');
  for (const name of readdirSync(modules)) {
    if (name.startsWith('.') || name === '@palpable') continue;
    symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  }
  return folder;
}

/** Node loads single modules here too: what is added is one of them, and is not bundled. */
function loadModules(file: string): void {
  const description = JSON.parse(readFileSync(file, 'utf8'));
  for (const entry of Object.values<{ node?: string }>(description.exports)) delete entry.node;
  writeFileSync(file, JSON.stringify(description));
}

export function packageIn(folder: string, name: keyof typeof PARTS): string {
  return name === 'studio' ? join(folder, 'packages', name) : join(folder, 'node_modules', '@palpable', name);
}

/** The command line of such a folder. */
export function palpableIn(folder: string) {
  const program = join(packageIn(folder, 'cli'), 'bin', 'palpable.js');
  const env = { ...process.env, PALPABLE_CACHE: join(folder, 'cache') };
  return (...args: string[]) => promisify(execFile)(process.execPath, [program, ...args], { cwd: folder, env });
}

/** Adds a file to the engine of such a folder, as the compiler would. */
export function addToEngine(folder: string, file: string, source: string): void {
  const path = join(packageIn(folder, 'engine'), 'dist', file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(path), { recursive: true });
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  writeFileSync(path, ts.transpileModule(source, { compilerOptions }).outputText);
}

/** Changes one line of a file of the engine, and begins it with an import. */
export function changeInEngine(folder: string, file: string, found: string, put: string, imported: string): void {
  const source = readFileSync(join(repositoryRoot, 'packages/engine/src', file), 'utf8');
  expect(source).toContain(found);
  expect(existsSync(join(packageIn(folder, 'engine'), 'dist', file.replace(/\.ts$/, '.js')))).toBe(true);
  addToEngine(folder, file, `${imported}\n${source.replace(found, put)}`);
}

/** The text of a recipe. */
export function recipe(title: string): string {
  return readFileSync(join(repositoryRoot, 'CONTRIBUTING.md'), 'utf8').split(`## ${title}`)[1]!.split('\n## ')[0]!;
}

/** Follows "Add a method": a folder, and its name in one file. */
export function addMethod(folder: string): void {
  const definition = /```typescript\n([\s\S]*?)```/.exec(recipe('Add a method'))![1]!.replace(/^ {3}/gm, '');
  addToEngine(folder, 'method/capped/definition.ts', definition);
  changeInEngine(
    folder,
    'method/methods.ts',
    'const definitions = [',
    'const definitions = [capped, ',
    "import { capped } from './capped/definition.js';",
  );
}
