/**
 * Code in the documentation comes from files that the typecheck compiles. A line
 *
 *     <!-- snippet: docs/snippets/orbit.ts -->
 *
 * is followed by a fenced block with that file's text. `npm run docs:snippets` brings the blocks up to date;
 * a unit test fails while one is not.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The documents that have snippets. */
export const snippetDocuments: readonly string[] = ['README.md'];

const root = new URL('../', import.meta.url);
const SNIPPET = /<!-- snippet: (\S+) -->\n+(?:```ts\n[\s\S]*?\n```\n+)?/g;

/** A document with all its snippets as they are in their files. */
export function withSnippets(markdown: string): string {
  return markdown.replace(SNIPPET, (_, path: string) => {
    const source = readFileSync(new URL(path, root), 'utf8')
      // Says which library of types to check with, which is no news to a reader.
      .replace(/^\/\/\/ <reference.*\n/, '')
      .trim();
    return `<!-- snippet: ${path} -->\n\n\`\`\`ts\n${source}\n\`\`\`\n\n`;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of snippetDocuments) {
    const file = new URL(path, root);
    writeFileSync(file, withSnippets(readFileSync(file, 'utf8')));
  }
}
