import { withBase } from 'vitepress';
import { h } from 'vue';
import { SITE_PAGES } from '../../../scripts/site/header.js';

/** The header of the other pages, above that of the theme. */
export const SiteHeader = () =>
  h(
    'nav',
    { class: 'site-header', 'aria-label': 'Site' },
    SITE_PAGES.map(({ text, folder }) =>
      h(
        'a',
        folder === 'docs/'
          ? { href: withBase('/index.html'), 'aria-current': 'page' }
          : // Not for the router, which has the documents only.
            { href: withBase(`/../${folder}index.html`), target: '_self' },
        text,
      ),
    ),
  );
