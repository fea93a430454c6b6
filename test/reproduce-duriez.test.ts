import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

// Short runs of the experiments of Duriez et al. What the full runs show is in docs/experiments.md.

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'palpable-duriez-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Report {
  readonly claims: readonly { readonly claim: string; readonly measured: string; readonly met: boolean }[];
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, number | string>>[]>>;
  readonly files: readonly string[];
}

function quickRun(name: string): Report {
  const program = join(repository, 'packages/cli/bin/palpable.js');
  const args = [program, 'reproduce', name, '--quick', '--json', '--out', join(folder, name)];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, PALPABLE_CACHE: join(folder, 'cache') },
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Report;
}

/** Words of the claims that are not met, of those that say one of `words`. */
function notMet({ claims }: Report, words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const found = claims.filter(({ claim }) => claim.includes(word));
    if (found.length === 0) return [`no claim says "${word}"`];
    return found.filter(({ met }) => !met).map(({ claim, measured }) => `${claim}: ${measured}`);
  });
}

describe('the experiments of Duriez et al.', () => {
  it('presses a table on the floor, with and without stretchers', { timeout: 240_000 }, () => {
    const report = quickRun('duriez-table');
    const shown = [
      'the less the legs spread',
      'stretchers take of the spreading',
      '16 sides',
      'nor are 8',
      'Lemke',
      'coupled so many times more',
      'stretchers lower the tangential values',
      'they raise the coupling',
    ];
    expect(notMet(report, shown)).toEqual([]);
    expect(report.tables.sides).toHaveLength(3);
    for (const file of report.files) expect(existsSync(file)).toBe(true);
    const picture = report.files.find((file) => file.includes('delassus-braced'));
    expect(readFileSync(picture!, 'utf8')).toContain('along x');
  });

  it('finds many forces on a rigid body and one answer on a corotational one', { timeout: 240_000 }, () => {
    const report = quickRun('duriez-floor');
    expect(notMet(report, ['depend on the order', 'the motion does not', 'forces do not', 'nor does it'])).toEqual([]);
  });

  it('snaps a clip on a pipe in three phases and withdraws it', { timeout: 240_000 }, () => {
    const report = quickRun('duriez-clip');
    const shown = [
      'pushing: the force rises',
      'unstable equilibrium',
      'clipping',
      'withdrawal',
      'stable, speed',
      'finite',
    ];
    expect(notMet(report, shown)).toEqual([]);
    expect(report.tables.times).toHaveLength(4);
  });
});
