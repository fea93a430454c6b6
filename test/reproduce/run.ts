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

/** Runs of experiments in a folder of their own, which is gone when the tests of the file are over. */
export function reproduceIn(...options: string[]): (name: string) => Report {
  const folder = mkdtempSync(join(tmpdir(), 'palpable-reproduce-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return (name) => {
    const program = join(repository, 'packages/cli/bin/palpable.js');
    const args = [program, 'reproduce', name, ...options, '--json', '--out', join(folder, name)];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      cwd: folder,
      env: { ...process.env, PALPABLE_CACHE: join(folder, 'cache') },
    });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Report;
  };
}

/** The claims that are not met, of those that say one of `words`, and words that no claim says. */
export function notMet({ claims }: Report, words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const found = claims.filter(({ claim }) => claim.includes(word));
    if (found.length === 0) return [`no claim says "${word}"`];
    return found.filter(({ met }) => !met).map(({ claim, measured }) => `${claim}: ${measured}`);
  });
}
