/** The gallery: a card for each example. */
import { make } from '../../site/elements.js';
import { PAGES, REACT_SCENES, type Card } from './cards.js';
import { sourceOf } from './source-address.js';

const pictures = import.meta.glob<string>('./pictures/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
});

function cardOf({ name, title, about, address, peer }: Card): HTMLElement {
  const front = Object.assign(make('a'), { href: address });
  const src = pictures[`./pictures/${name}.webp`];
  if (src !== undefined) {
    const size = { width: 480, height: 320 };
    front.append(Object.assign(make('img'), { src, alt: '', ...size, loading: 'lazy' as const }));
  }
  front.append(make('h3', '', title));
  const links = make('p', 'links');
  const addLink = (text: string, href: string): void => {
    links.append(Object.assign(make('a', '', text), { href, ariaLabel: `${text}: ${title}` }));
  };
  addLink('Source', sourceOf(name));
  if (peer !== undefined) addLink('On @react-three/rapier', peer);
  const card = Object.assign(make('article'), { id: name });
  card.append(front, make('p', '', about), links);
  return card;
}

document.querySelector('#pages')?.append(...PAGES.map(cardOf));
document.querySelector('#scenes')?.append(...REACT_SCENES.map(cardOf));
