/** Makes the pictures of the gallery from the pages that it shows: `npm run docs:pictures`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { repositoryRoot } from '../child-process.js';
import { defineCommand, parseCommand } from '../cli/command.js';
import { EXIT_CODES } from '../cli/exit-codes.js';
import { runCommand } from '../cli/run-command.js';
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

const COMMAND = defineCommand({
  name: 'docs:pictures',
  operands: '[CARD…]',
  about:
    'Makes the pictures of the gallery from the pages that it shows: of all cards in examples/gallery/cards.ts, or of those named.',
  flags: {
    at: {
      value: 'URL',
      about:
        'takes the pages from there, such as http://localhost:4173 of `npm run preview` (default: its own server)',
    },
    wide: { about: 'makes pictures for documents: of the card town docs/town.webp' },
  },
});

interface Size {
  readonly width: number;
  readonly height: number;
}

process.exitCode = await runCommand(COMMAND, async (args) => {
  const { values, operands: only } = parseCommand(COMMAND, args);
  const size = values.wide ? { width: 1200, height: 600 } : { width: 480, height: 320 };
  const folder = values.wide ? '../../docs/' : '../../examples/gallery/pictures/';
  const { withBrowserPage } = await import('../browsers/browser-session.js');
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
        const picture = await open(page, href, () => pictureOf(page, size, KEYS[id]));
        writeFileSync(new URL(`${folder}${id}.webp`, import.meta.url), picture);
        console.log(`${id}: ${(picture.length / 1000).toFixed(1)} kB`);
      }
    },
    { width: 1.5 * size.width, height: 1.5 * size.height },
  );
  return EXIT_CODES.done;
});

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
async function pictureOf(page: Page, size: Size, key: string | undefined): Promise<Buffer> {
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
    await page.evaluate(encode, [png.toString('base64'), size, QUALITY] as const),
    'base64',
  );
}

/** Runs in the page: fills the size with the middle of a picture. */
async function encode([png, { width, height }, quality]: readonly [
  string,
  Size,
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
