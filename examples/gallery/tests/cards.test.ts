import { existsSync, readdirSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAGES, REACT_SCENES } from '../cards.js';

const examples = new URL('../../', import.meta.url);
const namesIn = (folder: string): string[] => readdirSync(new URL(folder, examples)).toSorted();

test('each example and each scene for React has a card', () => {
  const pages = namesIn('.').filter((name) => existsSync(new URL(`${name}/index.html`, examples)));
  expect(PAGES.map(({ name }) => name).toSorted()).toEqual(pages);
  const scenes = namesIn('react/src/scenes').map((file) => `react-${file.split('.')[0]}`);
  expect(REACT_SCENES.map(({ name }) => name).toSorted()).toEqual(scenes);
});

test('each card has a picture of at most 20 kB', () => {
  const cards = [...PAGES, ...REACT_SCENES].map(({ name }) => `${name}.webp`);
  const pictures = namesIn('gallery/pictures');
  expect(pictures).toEqual(cards.toSorted());
  const sizes = pictures.map(
    (name) => statSync(new URL(`gallery/pictures/${name}`, examples)).size,
  );
  expect(Math.max(...sizes)).toBeLessThanOrEqual(20_000);
});
