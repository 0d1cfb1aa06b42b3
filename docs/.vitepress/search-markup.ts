/**
 * The search of VitePress's theme, for assistive technology: it says that it is a button, and that its results are options,
 * although they are links. Here it is a dialog with a list of links.
 */
import type { Plugin } from 'vite';

const COMPONENT = /[/\\]VPLocalSearchBox\.vue$/;

/** Parts of the component, with their substitutes. */
const REPLACED: readonly (readonly [from: string, to: string])[] = [
  [
    `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"
      aria-labelledby`,
    `role="dialog"
      aria-modal="true"
      aria-labelledby`,
  ],
  [
    `:aria-activedescendant="selectedIndex > -1 ? 'localsearch-item-' + selectedIndex : undefined"
            aria-autocomplete="both"
            `,
    '',
  ],
  [`:role="results?.length ? 'listbox' : undefined"`, ''],
  [
    `:aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
    '',
  ],
  [`:aria-label="[...p.titles, p.title].join(' > ')"`, ''],
  ['<kbd :aria-label', '<kbd role="img" :aria-label'],
  ['<span class="title-icon">#</span>', '<span class="title-icon" aria-hidden="true">#</span>'],
];

export const searchMarkup = (): Plugin => ({
  name: 'search-markup',
  enforce: 'pre',
  transform(code, id) {
    if (!COMPONENT.test(id)) return undefined;
    let corrected = code;
    for (const [from, to] of REPLACED) {
      if (!corrected.includes(from)) {
        this.error(`another release of VitePress has another search: ${from} is not in ${id}`);
      }
      corrected = corrected.replaceAll(from, to);
    }
    return corrected;
  },
});
