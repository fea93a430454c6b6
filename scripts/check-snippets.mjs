// The TypeScript in the documents and in the examples of doc comments is checked against the engine as if somebody had
// pasted it into a file.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listProjectFiles } from './lib/files.mjs';
import { repositoryRoot, runTool } from './lib/run.mjs';

/**
 * The fenced TypeScript blocks of a Markdown text, each with the line it starts on.
 *
 * @param {string} markdown
 */
export function extractSnippets(markdown) {
  const fence = /^```(?:ts|typescript)[^\n]*\n([\s\S]*?)^```\s*$/gm;
  return [...markdown.matchAll(fence)].map((match) => ({
    line: markdown.slice(0, match.index).split('\n').length + 1,
    code: match[1] ?? '',
  }));
}

/**
 * The same of the doc comments of a source.
 *
 * @param {string} source
 */
export function extractExamples(source) {
  return extractSnippets(source.replace(/^ +\* ?/gm, ''));
}

if (process.argv[1] === import.meta.filename) {
  // Inside the repository, so that the snippets find the packages as a user's file would.
  const folder = join(repositoryRoot, 'test-output', 'snippets');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const documents = listProjectFiles(repositoryRoot).filter((file) =>
    /\.md$|^packages\/engine\/src\/.*\.ts$/.test(file),
  );
  let count = 0;
  for (const document of documents) {
    const extract = document.endsWith('.md') ? extractSnippets : extractExamples;
    for (const { line, code } of extract(readFileSync(join(repositoryRoot, document), 'utf8'))) {
      // The file's name tells where a complaint of the compiler belongs; "export {}" makes it a module of its own.
      const name = `${document.replaceAll('/', '_').replace(/\.(md|ts)$/, '')}_line_${line}.ts`;
      writeFileSync(join(folder, name), `${code}\nexport {};\n`);
      count += 1;
    }
  }
  const config = { extends: '../../docs/api/tsconfig.json', include: ['.'], references: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const failed = count > 0 && runTool('tsc', ['-p', folder]) !== 0;
  if (!failed) console.log(`${count} snippets in ${documents.length} files agree with the engine`);
  process.exitCode = failed ? 1 : 0;
}
