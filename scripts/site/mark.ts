/** The mark of betwixt, which is the icon of every page: `docs/mark.svg`. */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const svg = readFileSync(new URL('../../docs/mark.svg', import.meta.url), 'utf8');

/** An address that needs no request. */
export const markAddress = `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** For Vite: pages that name no icon get the mark. */
export const markOnPages = (): Plugin => ({
  name: 'mark-on-pages',
  // VitePress names it to its development server's pages too late.
  configureServer: ({ middlewares }) =>
    void middlewares.use('/favicon.ico', (_, response) =>
      response.setHeader('Content-Type', 'image/svg+xml').end(svg),
    ),
  transformIndexHtml: (html) =>
    html.includes('rel="icon"')
      ? []
      : [{ tag: 'link', attrs: { rel: 'icon', href: markAddress }, injectTo: 'head' }],
});
