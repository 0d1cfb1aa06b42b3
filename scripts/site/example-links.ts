/**
 * For Vite: the pages of the examples have links to the gallery and to their source, which are no part of an example. The
 * page of the React scenes makes them itself, where it finds that it is on the site.
 */
import type { Plugin } from 'vite';

const SCENES = '/examples/react.html';
const EXAMPLE = /\/examples\/([\w-]+)\/index\.html$/;

const STYLE = `
.example-links { position: fixed; right: 12px; bottom: 12px; display: flex; gap: 12px; padding: 4px 12px; border-radius: 12px;
  background: rgb(24 30 38 / 84%); font: 400 14px/1.5 system-ui, sans-serif; }
.example-links a { color: #f4f6f8; }
@media (pointer: coarse) { .example-links { padding-block: 0; } .example-links a { padding-block: 12px; } }`;

const linksOf = (name: string): string =>
  `<nav class="example-links" aria-label="Examples"><a href="../" target="_top">All examples</a><a href="../source.html?example=${name}" target="_top">Source</a></nav>`;

export const exampleLinks = (): Plugin => ({
  name: 'example-links',
  transformIndexHtml(html, { path }) {
    if (path.endsWith(SCENES)) return html.replace('<html', '<html data-site');
    const name = EXAMPLE.exec(path)?.[1];
    if (name === undefined) return html;
    return html
      .replace('</head>', `<style>${STYLE}</style>\n</head>`)
      .replace('</body>', `${linksOf(name)}\n</body>`);
  },
});
