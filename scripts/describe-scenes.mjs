// Writes what is told about scene files in more than one place from the one description of their keys: the JSON Schema
// for editors, and the tables in docs/scene-file.md. A test fails when either is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, runTool } from './lib/run.mjs';

const { describeKeysAsMarkdown, sceneJsonSchema } = await import('../packages/engine/dist/advanced.js');

const schema = join(repositoryRoot, 'scenes', 'schema.json');
writeFileSync(schema, `${JSON.stringify(sceneJsonSchema(), null, 2)}\n`);

const document = join(repositoryRoot, 'docs', 'scene-file.md');
const [before, rest] = readFileSync(document, 'utf8').split('<!-- keys -->\n');
const after = rest?.split('<!-- end of keys -->')[1];
if (after === undefined) throw new Error(`${document} lacks its marks <!-- keys --> and <!-- end of keys -->`);
writeFileSync(document, `${before}<!-- keys -->\n\n${describeKeysAsMarkdown()}\n\n<!-- end of keys -->${after}`);

process.exitCode = runTool('biome', ['format', '--write', schema]);
