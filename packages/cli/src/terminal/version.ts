import { readFileSync } from 'node:fs';

/** Of this package, as `--version` prints it. */
export function palpableVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
