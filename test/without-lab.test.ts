// The command line as it is installed: without the lab, which the repository alone has.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../', import.meta.url));
const source = join(repository, 'packages', 'cli');
const folder = mkdtempSync(join(tmpdir(), 'palpable-without-lab-'));
const installed = join(folder, 'node_modules', '@palpable', 'cli');

beforeAll(() => {
  for (const part of ['bin', 'dist', 'package.json']) {
    cpSync(join(source, part), join(installed, part), { recursive: true });
  }
  const { dependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(repository, 'node_modules', name), link, 'junction');
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function palpable(...args: string[]) {
  const program = join(installed, 'bin', 'palpable.js');
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', timeout: 60_000 });
}

it('lists the commands of the lab', () => {
  const { status, stdout } = palpable('--help');
  expect(status).toBe(0);
  for (const name of ['prepare', 'reproduce', 'bench', 'studio'])
    expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
});

it.each([
  ['bench', 'contact', '--poses', '3'],
  ['bench', '--help'],
  ['reproduce', 'list'],
])('says where to get %s', (name, ...args) => {
  const { status, stdout, stderr } = palpable(name, ...args);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^palpable: ${name} is not part .*clone the repository.*\\n$`));
});

it('is packed without benchmarks, tests and fixtures', () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json'], { cwd: source, encoding: 'utf8' });
  const files: string[] = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path);
  expect(files).toContain('dist/main.js');
  expect(files.filter((file) => /bench|reproduce|fixture|\.test\.|^src/.test(file))).toEqual([]);
});
