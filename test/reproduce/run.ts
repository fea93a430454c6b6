import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { palpable } from '../lib/palpable.js';

/** What `palpable reproduce --json` says. */
export interface Report {
  readonly claims: readonly { readonly claim: string; readonly measured: string; readonly met: boolean }[];
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, number | string>>[]>>;
  readonly files: readonly string[];
}

/** Runs of experiments in a folder of their own, which is gone when the tests of the file are over. */
export function reproduceIn(...options: string[]): (name: string) => Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'palpable-reproduce-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return async (name) => {
    const { stdout, stderr } = await palpable('reproduce', name, ...options, '--json', '--out', join(folder, name));
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
