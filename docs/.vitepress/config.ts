/** The documentation as a site: `npm run docs`, and the folder `docs` of `npm run build`. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { anchorOf } from '../../scripts/lint/documents.js';
import { markAddress } from '../../scripts/site/mark.js';
import { redirects, rewrites, sidebar } from './contents.js';
import { deadLinksIn } from './dead-links.js';
import { markdownList, writeMarkdown } from './markdown-pages.js';
import { pagesOfTheSite } from './pages-of-the-site.js';
import { searchMarkup } from './search-markup.js';
import {
  demos,
  emptyHeads,
  indentedCode,
  narrowTables,
  pictures,
  repositoryLinks,
} from './repository-view.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

export default defineConfig({
  title: 'betwixt',
  description:
    'Fixed-rate simulations in a worker, drawn between two states at any display’s rate.',
  lang: 'en',
  // Relative addresses: the built site works from any folder of any host.
  base: './',
  outDir: `${root}dist/docs`,
  cacheDir: `${root}node_modules/.vitepress`,
  srcExclude: ['snippets/**'],
  rewrites: { ...rewrites },
  head: [['link', { rel: 'icon', href: markAddress }]],
  markdown: {
    // The anchors of the repository's own view, so that links work in both.
    anchor: { slugify: anchorOf },
    // The usual themes have comments that are too pale to read.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => {
      md.use(repositoryLinks).use(indentedCode).use(demos).use(pictures);
      md.use(emptyHeads).use(narrowTables);
    },
  },
  themeConfig: {
    logo: { src: markAddress, alt: '' },
    nav: [
      { text: 'Start', link: '/physics-in-ten-minutes' },
      { text: 'How it works', link: '/how-it-works' },
      { text: 'Reference', link: '/api/' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    // On a phone: the button of the other menu has the name that this one has by default.
    sidebarMenuLabel: 'Pages',
    search: { provider: 'local' },
    docFooter: { prev: 'Before', next: 'Next' },
  },
  // A page loads its own script and not those of all pages that it links to.
  router: { prefetchLinks: false },
  vite: {
    plugins: [markdownList(), pagesOfTheSite(root), searchMarkup()],
    build: {
      // Pictures are files, which can be fetched.
      assetsInlineLimit: 0,
      // The index of the search is one file, loaded with the first search.
      chunkSizeWarningLimit: 1000,
    },
  },
  buildEnd: ({ outDir }) => {
    writeMarkdown(outDir);
    for (const [from, to] of Object.entries(redirects)) {
      writeFileSync(`${outDir}/${from}.html`, redirectTo(`${to}.html`));
    }
    const problems = deadLinksIn(outDir);
    if (problems.length > 0) {
      const hint = 'Those to pages of demos need `npm run build`, which builds these pages first.';
      throw new Error(`Dead links:\n${problems.join('\n')}\n${hint}`);
    }
  },
});

function redirectTo(address: string): string {
  return `<!doctype html><html lang="en"><title>betwixt</title><meta http-equiv="refresh" content="0; url=${address}"><a href="${address}">This page has moved</a></html>\n`;
}
