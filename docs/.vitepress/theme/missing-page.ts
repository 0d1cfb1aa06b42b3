import { withBase } from 'vitepress';
import { h } from 'vue';

/** For addresses without a page. The theme's own is outside of any landmark. */
export const MissingPage = () =>
  h('main', { class: 'vp-doc missing-page' }, [
    h('h1', 'There is no such page'),
    h('p', ['Search for it, or see ', h('a', { href: withBase('/') }, 'where to begin'), '.']),
  ]);
