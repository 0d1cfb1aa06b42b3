import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { groups, rewrites, sidebar, sourceOf } from '../../../docs/.vitepress/contents.js';

const documents = fileURLToPath(new URL('../../../docs/', import.meta.url));
const pages = groups.flatMap((group) => group.pages);

test('the list of the site has every document once', () => {
  const files = readdirSync(documents, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !/^(?:snippets|\.vitepress)\//.test(path))
    .map((path) => (rewrites[path] ?? path).replace(/\.md$/, ''));
  expect(pages.toSorted()).toEqual(files.toSorted());
  expect(pages.filter((page) => !existsSync(sourceOf(page)))).toEqual([]);
});

test('each page is listed by its title, and linked to by its path without the ending', () => {
  const items = sidebar().flatMap((group) => group.items ?? []);
  expect(items).toContainEqual({ text: 'Hosting', link: '/hosting' });
  expect(items).toContainEqual({ text: 'betwixt/world', link: '/api/world' });
  expect(items[0]?.link).toBe('/');
  for (const [index, page] of pages.entries()) {
    const title = items[index]?.text ?? '';
    expect(readFileSync(sourceOf(page), 'utf8').replaceAll('`', '')).toContain(`# ${title}\n`);
  }
});
