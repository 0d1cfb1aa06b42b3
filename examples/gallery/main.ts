/** The gallery: a card for each example. */
import { PAGES, REACT_SCENES, type Card } from './cards.js';
import { sourceOf } from './source-address.js';

const pictures = import.meta.glob<string>('./pictures/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
});

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly Node[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function cardOf({ name, title, about, address, peer }: Card): HTMLElement {
  const front = make('a', { href: address }, make('h3', { textContent: title }));
  const src = pictures[`./pictures/${name}.webp`];
  if (src !== undefined) {
    front.prepend(make('img', { src, alt: '', width: 480, height: 320, loading: 'lazy' }));
  }
  const links = [make('a', { href: sourceOf(name), textContent: 'Source' })];
  if (peer !== undefined) {
    links.push(make('a', { href: peer, textContent: 'On @react-three/rapier' }));
  }
  for (const link of links) link.setAttribute('aria-label', `${link.textContent}: ${title}`);
  return make(
    'article',
    { id: name },
    front,
    make('p', { textContent: about }),
    make('p', { className: 'links' }, ...links),
  );
}

document.querySelector('#pages')?.append(...PAGES.map(cardOf));
document.querySelector('#scenes')?.append(...REACT_SCENES.map(cardOf));
