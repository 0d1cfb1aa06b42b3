/** Shows the files of an example, one at a time: `?example=pool&file=pool/src/game.ts`. */
import { sourceOf } from './source-address.js';

const files = import.meta.glob<string>(
  ['../*/index.html', '../*/src/**/*.{ts,tsx,jsx}', '../*/model/*.ts', '../stage/*.ts'],
  { query: '?raw', import: 'default' },
);
const parameters = new URLSearchParams(location.search);
const example = parameters.get('example') ?? '';

/** A scene for React is one file among those that all scenes share. */
const scene = /^react-(.+)/.exec(example)?.[1];
const folder = scene === undefined ? example : 'react';
const isOfScene = (path: string): boolean =>
  !path.includes('/scenes/') || path.includes(`/scenes/${scene}.`);
const own = Object.keys(files).filter(
  (path) => path.startsWith(`../${folder}/`) && isOfScene(path),
);
const shared = Object.keys(files).filter(
  (path) => path.startsWith('../stage/') || (scene === 'town' && path.startsWith('../town/src/')),
);
const shown =
  [...own, ...shared].find((path) => path === `../${parameters.get('file')}`) ??
  own.find((path) => path.includes('/scenes/')) ??
  own.find((path) => /\/src\/main\.tsx?$/.test(path)) ??
  own[0];

const nav = document.querySelector('#files');
for (const path of [...own, ...shared]) {
  const name = path.slice('../'.length);
  const link = document.createElement('a');
  Object.assign(link, { href: `${sourceOf(example)}&file=${name}`, textContent: name });
  if (path === shown) link.setAttribute('aria-current', 'page');
  nav?.append(link);
}
const [title, code] = [document.querySelector('h2'), document.querySelector('code')];
if (title !== null && code !== null) {
  title.textContent = shown?.slice('../'.length) ?? `There is no example "${example}".`;
  code.textContent = shown === undefined ? '' : ((await files[shown]?.()) ?? '');
}
