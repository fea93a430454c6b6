import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What `palpable reproduce --json` says. */
export interface Report {
  readonly claims: readonly { readonly claim: string; readonly measured: string; readonly met: boolean }[];
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, number | string>>[]>>;
  readonly files: readonly string[];
}

/** Short runs of experiments in a folder of their own, which is gone when the tests of the file are over. */
export function quickRuns(): (name: string) => Report {
  const folder = mkdtempSync(join(tmpdir(), 'palpable-reproduce-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return (name) => {
    const program = join(repository, 'packages/cli/bin/palpable.js');
    const args = [program, 'reproduce', name, '--quick', '--json', '--out', join(folder, name)];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      cwd: folder,
      env: { ...process.env, PALPABLE_CACHE: join(folder, 'cache') },
    });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Report;
  };
}
