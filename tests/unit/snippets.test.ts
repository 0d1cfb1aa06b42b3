import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { snippetDocuments, withSnippets } from '../../scripts/snippets.js';

test.each(snippetDocuments)('%s shows its snippets as they are compiled', (path) => {
  const markdown = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  expect(markdown, 'run npm run docs:snippets').toBe(withSnippets(markdown));
  expect(markdown).toContain('```ts');
});
