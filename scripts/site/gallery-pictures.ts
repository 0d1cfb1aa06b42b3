/**
 * Makes the pictures of the gallery from the pages that it shows: `npm run docs:pictures`. Arguments: the names of the cards, as in
 * `examples/gallery/cards.ts`; none means all. `--at http://localhost:4173` takes the pages from there, such as from `npm run preview`.
 * `--wide` makes a picture for a document: `npm run docs:pictures -- town --wide` makes `docs/town.webp`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import { withBrowserPage } from '../browsers/browser-session.js';
import { repositoryRoot } from '../child-process.js';
import { installRooms } from '../rooms/install.js';

const QUALITY = 0.72;
/** How long a page runs before its picture is taken. */
const WAIT_MS = 4000;
/** Keys that are held for the second half of that, where nothing moves by itself. */
const KEYS: Readonly<Record<string, string>> = {
  vehicle: 'KeyW',
  character: 'KeyW',
  'react-marble-race': 'KeyW',
  'react-blast': 'KeyE',
};

/** People who play in the picture of the rooms. */
const [PLAYER, ...OTHERS] = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn'];

const { values, positionals: only } = parseArgs({
  options: { at: { type: 'string' }, wide: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const SIZE = values.wide ? { width: 1200, height: 600 } : { width: 480, height: 320 };
const FOLDER = values.wide ? '../../docs/' : '../../examples/gallery/pictures/';
await withBrowserPage(
  async (page, address) => {
    await page.goto(`${values.at ?? address}/examples/`);
    const cards = await page.locator('article').evaluateAll((articles) =>
      articles.map(({ id, firstElementChild }) => ({
        id,
        href: (firstElementChild as HTMLAnchorElement).href,
      })),
    );
    for (const { id, href } of cards) {
      if (only.length > 0 && !only.includes(id)) continue;
      const open = id === 'rooms' ? inRoom : at;
      const picture = await open(page, href, () => pictureOf(page, KEYS[id]));
      writeFileSync(new URL(`${FOLDER}${id}.webp`, import.meta.url), picture);
      console.log(`${id}: ${(picture.length / 1000).toFixed(1)} kB`);
    }
  },
  { width: 1.5 * SIZE.width, height: 1.5 * SIZE.height },
);

async function at<T>(page: Page, href: string, look: () => Promise<T>): Promise<T> {
  await page.goto(href);
  return await look();
}

/** On the page of a server of rooms, with players. */
async function inRoom<T>(page: Page, _href: string, look: () => Promise<T>): Promise<T> {
  await installRooms();
  const command = ['--import', 'tsx', 'examples/rooms/server/main.ts', '--port', '0'];
  const server = spawn(process.execPath, command, {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [said] = await once(server.stdout, 'data');
    const [address] = /http:\S+/.exec(String(said)) ?? [];
    await page.goto(`${address}?mode=stream&name=${PLAYER}`);
    await page.waitForFunction('globalThis.sumo', undefined, { timeout: 0 });
    await page.evaluate(joinAs, OTHERS);
    return await look();
  } finally {
    server.kill();
  }
}

/** Runs in the page of a room. */
async function joinAs(names: readonly string[]): Promise<void> {
  const module = '/src/join.ts';
  const { join } = await import(module);
  for (const name of names) await join(`${location.origin}/rooms/0`, name);
}

/** The scene alone, without what is over it. */
async function pictureOf(page: Page, key: string | undefined): Promise<Buffer> {
  // Where there is a model to load.
  await page.locator('progress').waitFor({ state: 'hidden' });
  await page.addStyleTag({
    content:
      'body *:not(canvas) { visibility: hidden } canvas { visibility: visible } ::backdrop { display: none }',
  });
  const canvas = page.locator('canvas').first();
  await canvas.waitFor();
  await page.waitForTimeout(WAIT_MS / 2);
  if (key !== undefined) await page.keyboard.down(key);
  await page.waitForTimeout(WAIT_MS / 2);
  // Not of the element, which would have to keep still for two frames, of whatever length.
  const box = await canvas.boundingBox();
  const png = await page.screenshot({ timeout: 0, ...(box !== null && { clip: box }) });
  return Buffer.from(
    await page.evaluate(encode, [png.toString('base64'), SIZE, QUALITY] as const),
    'base64',
  );
}

/** Runs in the page: fills the size with the middle of a picture. */
async function encode([png, { width, height }, quality]: readonly [
  string,
  { readonly width: number; readonly height: number },
  number,
]): Promise<string> {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.codePointAt(0) ?? 0);
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const scale = Math.max(width / bitmap.width, height / bitmap.height);
  const [drawnWidth, drawnHeight] = [scale * bitmap.width, scale * bitmap.height];
  const context = canvas.getContext('2d');
  if (context !== null) context.imageSmoothingQuality = 'high';
  context?.drawImage(
    bitmap,
    (width - drawnWidth) / 2,
    (height - drawnHeight) / 2,
    drawnWidth,
    drawnHeight,
  );
  return canvas.toDataURL('image/webp', quality).split(',')[1] ?? '';
}
