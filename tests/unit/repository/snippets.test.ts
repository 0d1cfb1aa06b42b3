import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { looseCode, snippetDocuments, withSnippets } from '../../../scripts/snippets.js';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test.each(snippetDocuments)('%s shows its snippets as they are compiled', (path) => {
  expect(read(path), 'run npm run docs:snippets').toBe(withSnippets(read(path)));
});

test.each(snippetDocuments)('%s has no TypeScript that is not compiled', (path) => {
  expect(looseCode(read(path)), 'make it a snippet: see scripts/snippets.ts').toEqual([]);
});

test('README and the recipes for hosting are among them, and have snippets', () => {
  for (const path of ['README.md', 'docs/hosting.md']) {
    expect(snippetDocuments).toContain(path);
    expect(read(path)).toContain('```ts\n');
  }
});

const loose = (language: string) => `Do this:\n\n\`\`\`${language}\nloose();\n\`\`\`\n`;

test('a block without a source is found, whatever surrounds it', () => {
  const shown = '<!-- snippet: docs/snippets/orbit.ts -->\n\n```ts\nshown();\n```\n';
  const other = '```sh\nnpm ci\n```\n\n```\nplain\n```\n';
  expect(looseCode(shown + other)).toEqual([]);
  expect(looseCode(`${shown}\n${loose('ts')}\n${other}`)).toEqual(['loose();']);
  expect(looseCode(`${other}\n${loose('typescript')}`)).toEqual(['loose();']);
  expect(looseCode('```ts\nfirst();\n```\n')).toEqual(['first();']);
  expect(looseCode(`${shown}\n\`\`\`ts\nsecond();\n\`\`\`\n`)).toEqual(['second();']);
});

test('a region is shown without its indentation', () => {
  const path = 'tests/fixtures/snippet-with-regions.ts';
  expect(withSnippets(`<!-- snippet: ${path}#inner -->\n`)).toBe(
    `<!-- snippet: ${path}#inner -->\n\n\`\`\`ts\nif (value > 0) {\n  value = 0;\n}\n\`\`\`\n\n`,
  );
  expect(() => withSnippets(`<!-- snippet: ${path}#nothing -->\n`)).toThrow('no region nothing');
});

test('components are shown as TSX', () => {
  const comment = '<!-- snippet: docs/snippets/react/first-scene.tsx -->\n';
  const shown = withSnippets(comment);
  expect(shown).toMatch(/\n```tsx\nimport [^]*<Canvas[^]*\n```\n/);
  expect(withSnippets(shown.replace('<Canvas', '<Old'))).toBe(shown);
});

const snippet = (from: string, to: string): string =>
  `<!-- snippet: tests/fixtures/snippet-with-regions.ts from "${from}" to "${to}" -->\n`;

test('a part is shown from one line to another, without its indentation', () => {
  const comment = snippet('if (', '}');
  const shown = `${comment}\n\`\`\`ts\nif (value > 0) {\n  value = 0;\n}\n\`\`\`\n\n`;
  expect(withSnippets(comment)).toBe(shown);
  expect(withSnippets(shown.replace('0', '1'))).toBe(shown);
  const rest = snippet('export function', '').replace(' to ""', '');
  expect(withSnippets(rest)).toMatch(/```ts\nexport function[^]*\n {2}return value;\n\}\n```/);
  expect(() => withSnippets(snippet('nothing', '}'))).toThrow('no part from "nothing"');
  // It has to come after the first line.
  expect(() => withSnippets(snippet('return', 'if ('))).toThrow('to "if ("');
});
