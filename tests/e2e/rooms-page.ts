/** The example for rooms, for its tests: its server, and browsers that play. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test as base, type Browser, type Page } from '@playwright/test';
import type {} from '../../examples/rooms/src/main.js';
import { repositoryRoot } from '../../scripts/child-process.js';

export interface Rooms {
  /** Of the page that it serves. */
  readonly url: string;
  /** Where its rooms are. */
  readonly server: string;
}

declare global {
  /** What has happened on the page since it was watched. */
  var fallsSeen: { readonly seat: number; readonly by: number }[];
  var notesSeen: string[];
}

/** The software renderer's notes on performance come from the browser, and Vite's from development. */
const NOT_OURS = /GL Driver Message|\[vite\]/;
/** What Colyseus' client says of a connection that is made again. */
export const RECONNECTION = /Colyseus reconnection|Network offline/;

/**
 * Starts the example's server.
 *
 * @param keepSeconds For how long it keeps the seat of a lost player.
 * @param env Variables of its environment, besides those of the test.
 */
export async function startRooms(
  keepSeconds: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Rooms & { readonly end: () => Promise<void> }> {
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      'examples/rooms/server/main.ts',
      '--port',
      '0',
      '--keep-seats',
      `${keepSeconds}`,
    ],
    {
      cwd: repositoryRoot,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    },
  );
  const ended = once(child, 'exit');
  let url: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    [, url] = /^Play at (\S+)/.exec(line) ?? [];
    if (url !== undefined) break;
  }
  if (url === undefined) throw new Error('npm run rooms has printed no address');
  return {
    url,
    server: new URL('rooms/0', url).href,
    async end() {
      child.kill('SIGINT');
      expect(await ended).toEqual([130, null]);
    },
  };
}

/** Each test has its own server: with another one's, it would join a room whose seats are kept for players that are gone. */
export const test = base.extend<{ rooms: Rooms }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of other fixtures from it
  rooms: async ({}, use) => {
    const { end, ...rooms } = await startRooms(3600);
    await use(rooms);
    await end();
  },
});

export interface Player {
  readonly page: Page;
  /** What was on its console. */
  readonly lines: string[];
  close(): Promise<void>;
}

/** Opens a page of a browser of its own kind, and waits until it is in a room. */
export async function join(browser: Browser, address: string): Promise<Player> {
  // Small, because the CPU draws it.
  const context = await browser.newContext({ viewport: { width: 320, height: 240 } });
  const page = await context.newPage();
  const lines: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (!NOT_OURS.test(text)) lines.push(`${message.type()}: ${text}`);
  });
  page.on('pageerror', (error) => lines.push(String(error)));
  await page.addInitScript(watch);
  await page.goto(address);
  await inRoom(page);
  return { page, lines, close: () => context.close() };
}

/** Runs in the page, before its own scripts: some notes disappear before a busy machine looks for them. */
function watch(): void {
  globalThis.fallsSeen = [];
  globalThis.notesSeen = [];
  new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof Element && node.matches('.notice')) {
        globalThis.notesSeen.push(node.textContent);
      }
    }
  }).observe(document, { childList: true, subtree: true });
}

export async function inRoom(page: Page): Promise<void> {
  await page.waitForFunction(() => globalThis.sumo !== undefined);
  await page.evaluate(() => {
    globalThis.sumo?.on('fall', ({ value }) => globalThis.fallsSeen.push(value), { when: 'now' });
  });
}

export const seatOf = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => globalThis.sumo?.room.seat);

/** The tick of the room that the page shows, or knows. */
export const tickOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { stream, prediction } = globalThis.sumo?.room ?? {};
    return stream?.shown ?? prediction?.confirmedTick ?? 0;
  });
