#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) {
  const { runPalpable } = await import(main.href);
  process.exitCode = await runPalpable(process.argv.slice(2));
} else {
  console.error('palpable is not built yet: run `npm run build` in the repository.');
  process.exitCode = 1;
}
