import { fileURLToPath } from 'node:url';
import type { PalpableError } from '@palpable/engine';
import type { Browser } from 'playwright-core';

/** The built page. */
export const STUDIO_DIST = fileURLToPath(new URL('../../../studio/dist/', import.meta.url));

/**
 * Playwright and the search for a browser are those of the browser tests: they come with the repository. `unavailable`
 * makes the error for whoever lacks them.
 */
export async function launchChromium(
  extraArguments: readonly string[],
  unavailable: (why: string) => PalpableError,
): Promise<Browser> {
  const { chromium } = await import('playwright-core').catch(() => {
    throw unavailable('playwright-core is not installed; run "npm ci" in the repository');
  });
  const search = new URL('../../../../scripts/lib/chromium.mjs', import.meta.url).href;
  const { findChromium } = (await import(search)) as { findChromium(): string | undefined };
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw unavailable('no Chromium was found; install one, or set PALPABLE_CHROMIUM to the path of one');
  }
  const args = ['--disable-background-networking', '--no-first-run', ...extraArguments];
  return chromium.launch({ executablePath, args });
}
