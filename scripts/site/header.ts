/** The header of the site: the same links on each of its pages, which have the comment below, and in the documentation. */
import type { HtmlTagDescriptor, Plugin } from 'vite';

/** Each with its folder of the site. */
export const SITE_PAGES = [
  { text: 'Demo', folder: '' },
  { text: 'Lab', folder: 'lab/' },
  { text: 'Benchmark', folder: 'bench/' },
  { text: 'Examples', folder: 'examples/' },
  { text: 'Docs', folder: 'docs/' },
];

const PLACE = '<!-- site header -->';

/** The colours of `--surface` in theme.css, for what the browser draws around a page. */
const BAR_COLOURS = { light: '#ffffff', dark: '#171b23' };

/** For Vite: puts the header and its colours into pages. */
export const siteHeader = (): Plugin => ({
  name: 'site-header',
  transformIndexHtml: {
    // Before Vite looks for styles.
    order: 'pre',
    handler(html, { path }) {
      if (!html.includes(PLACE)) return html;
      const own = path.slice(1).replace(/[^/]*$/, '');
      const toRoot = './' + '../'.repeat(own.split('/').length - 1);
      const links = SITE_PAGES.map(({ text, folder }) => {
        const current = folder === own ? ' aria-current="page"' : '';
        // A document may show the page in a frame.
        return `<a href="${toRoot}${folder}" target="_top"${current}>${text}</a>`;
      });
      return {
        html: html.replace(
          PLACE,
          `<nav class="site-header" aria-label="Site">${links.join('')}</nav>`,
        ),
        tags: [
          { tag: 'link', attrs: { rel: 'stylesheet', href: `${toRoot}site/theme.css` } },
          { tag: 'meta', attrs: { name: 'color-scheme', content: 'light dark' } },
          ...Object.entries(BAR_COLOURS).map(([scheme, content]): HtmlTagDescriptor => ({
            tag: 'meta',
            attrs: { name: 'theme-color', media: `(prefers-color-scheme: ${scheme})`, content },
          })),
        ],
      };
    },
  },
});
