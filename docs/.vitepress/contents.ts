/** The pages of the site, in reading order. A unit test sees to it that none is missing. */
import { readFileSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';
import { entryPoints } from '../../scripts/package/package-layout.js';

/** A group of pages by their paths in `docs`, without `.md`; each has the title of its page. */
interface Group {
  readonly text: string;
  readonly pages: readonly string[];
}

/** The pages of the reference, in the order of the entry points. */
const reference = entryPoints().map(({ specifier }) => {
  const [, ...rest] = specifier.split('/');
  return `api/${rest.length === 0 ? 'betwixt' : rest.join('-')}`;
});

export const groups: readonly Group[] = [
  {
    text: 'Start',
    pages: [
      'index',
      'physics-in-ten-minutes',
      'a-whole-game',
      'own-simulation',
      'guide',
      'another-engine',
      'how-it-works',
      'coding-agents',
    ],
  },
  {
    text: 'Guides',
    pages: [
      'world',
      'joints',
      'asynchronous',
      'world-systems',
      'meshes',
      'from-a-model',
      'react',
      'inputs-and-events',
      'recordings',
      'inspector',
      'offscreen',
      'headsets',
      'rooms',
      'hosting',
      'troubleshooting',
    ],
  },
  {
    text: 'Coming from',
    pages: ['from-another-library', 'from-a-hand-written-loop'],
  },
  {
    text: 'Facts',
    pages: ['browsers', 'performance', 'reliability', 'demo', 'glossary'],
  },
  { text: 'Contributing', pages: ['architecture', 'protocol', 'releases'] },
  { text: 'Reference', pages: ['api/index', ...reference] },
];

/** Where the repository has an index page: it shows that page with the folder. */
export const rewrites: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'api/README.md': 'api/index.md',
};

/** Pages that are part of another one now: the site sends readers of their addresses there. */
export const redirects: Readonly<Record<string, string>> = {
  'from-react-three-rapier': 'from-another-library',
  'from-use-cannon': 'from-another-library',
  'from-three-helpers': 'meshes',
  'getting-started': 'own-simulation',
  'loop-lab': 'demo',
};

/** The Markdown file of a page. */
export function sourceOf(page: string): URL {
  const source = Object.entries(rewrites).find(([, path]) => path === `${page}.md`);
  return new URL(`../${source?.[0] ?? `${page}.md`}`, import.meta.url);
}

/** @throws Error for a page that begins without a heading. */
export function titleOf(page: string): string {
  const title = /^# (.+)$/m.exec(readFileSync(sourceOf(page), 'utf8'))?.[1];
  if (title === undefined) throw new Error(`docs/${page}.md has no title.`);
  return title.replaceAll('`', '');
}

const linkTo = (page: string): string => `/${page.replace(/(^|\/)index$/, '$1')}`;

/** One list for all pages. Long groups are closed, except around the page that is shown. */
export const sidebar = (): DefaultTheme.SidebarItem[] =>
  groups.map(({ text, pages }) => ({
    text,
    collapsed: text === 'Reference' || text === 'Contributing',
    items: pages.map((page) => ({ text: titleOf(page), link: linkTo(page) })),
  }));
