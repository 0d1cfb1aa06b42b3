/**
 * The pages for programs that read: each as Markdown next to its HTML, and a list of all, `llms.txt` (https://llmstxt.org). The
 * package `vitepress-plugin-llms` knows neither relative addresses nor pages that were not built.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { groups, sourceOf, titleOf } from './contents.js';

/** The text of `llms.txt`. */
function listOfPages(): string {
  const lists = groups.map(({ text, pages }) => {
    const links = pages.map((page) => `- [${titleOf(page)}](${page}.md)\n`);
    return `\n## ${text}\n\n${links.join('')}`;
  });
  return `# betwixt\n\n> Fixed-rate simulations in a worker, drawn between two states at any display's rate.\n${lists.join('')}`;
}

/**
 * Writes the Markdown of all pages, and the list.
 *
 * @param folder The built site.
 */
export function writeMarkdown(folder: string): void {
  for (const page of groups.flatMap(({ pages }) => pages)) {
    const file = join(folder, `${page}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, markdownOf(page));
  }
  writeFileSync(join(folder, 'llms.txt'), listOfPages());
}

/** The page's text, with the names that index pages have in the site. */
function markdownOf(page: string): string {
  return readFileSync(sourceOf(page), 'utf8').replaceAll(
    /(\]\((?:[^):\s]*\/)?)README\.md/g,
    '$1index.md',
  );
}

/** For the development server, which sends the Markdown itself. */
export const markdownList = (): Plugin => ({
  name: 'markdown-list',
  configureServer({ config, middlewares }) {
    middlewares.use(`${config.base}llms.txt`, (_request, response) => {
      response.setHeader('Content-Type', 'text/plain; charset=utf-8');
      response.end(listOfPages());
    });
  },
});
