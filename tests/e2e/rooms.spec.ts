/**
 * The example for rooms: `npm run rooms`, and two browsers that play each other over real sockets. Nothing here depends on how
 * long anything takes: the server keeps seats for an hour, keys are held until something has happened, and rounds come again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test as base, type Browser, type Page } from '@playwright/test';
import type {} from '../../examples/rooms/src/main.js';
import { repositoryRoot } from '../../scripts/child-process.js';

interface Rooms {
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
const RECONNECTION = /Colyseus reconnection|Network offline/;

const test = base.extend<object, { rooms: Rooms }>({
  rooms: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', 'examples/rooms/server/main.ts', '--port', '0', '--keep-seats', '3600'],
        { cwd: repositoryRoot, stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const ended = once(child, 'exit');
      let url: string | undefined;
      for await (const line of createInterface({ input: child.stdout })) {
        [, url] = /^Play at (\S+)/.exec(line) ?? [];
        if (url !== undefined) break;
      }
      if (url === undefined) throw new Error('npm run rooms has printed no address');
      await use({ url, server: new URL('rooms/0', url).href });
      child.kill('SIGINT');
      expect(await ended).toEqual([130, null]);
    },
    { scope: 'worker' },
  ],
});

interface Player {
  readonly page: Page;
  /** What was on its console. */
  readonly lines: string[];
  close(): Promise<void>;
}

/** Opens a page of a browser of its own kind, and waits until it is in a room. */
async function join(browser: Browser, address: string): Promise<Player> {
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

async function inRoom(page: Page): Promise<void> {
  await page.waitForFunction(() => globalThis.sumo !== undefined);
  await page.evaluate(() => {
    globalThis.sumo?.on('fall', ({ value }) => globalThis.fallsSeen.push(value), { when: 'now' });
  });
}

/** The names of the players that are drawn, and where along x, to a tenth. */
const drawn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { sumo: sim } = globalThis;
    if (sim === undefined) return [];
    sim.sample(performance.now());
    return [...sim.bodies].flatMap(([id, look]) => {
      const x = sim.pose(id, new Float64Array(7))?.[0];
      return look.shape === 'ball' && x !== undefined ? [`${look.name} at ${x.toFixed(1)}`] : [];
    });
  });

const seatOf = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => globalThis.sumo?.room.seat);

/** The tick of the room that the page shows, or knows. */
const tickOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { stream, prediction } = globalThis.sumo?.room ?? {};
    return stream?.shown ?? prediction?.confirmedTick ?? 0;
  });

for (const mode of ['stream', 'predict']) {
  test(`two browsers play each other, and one comes back to its seat: ${mode}`, async ({
    browser,
    rooms,
    baseURL,
  }) => {
    const address = (name: string, room?: string): string => {
      const url = new URL('/examples/rooms/', baseURL);
      url.search = String(new URLSearchParams({ name, mode, server: rooms.server }));
      if (room !== undefined) url.searchParams.set('room', room);
      return url.href;
    };
    const ada = await join(browser, address('Ada'));
    // The address is now a link to the room.
    await ada.page.waitForURL(/[?&]room=/);
    const room = new URL(ada.page.url()).searchParams.get('room') ?? '';
    const bob = await join(browser, address('Bob', room));
    const players = [ada, bob];
    expect(await Promise.all(players.map(({ page }) => seatOf(page)))).toEqual([0, 1]);

    await test.step('each sees both balls at their places', async () => {
      for (const { page } of players) {
        await expect.poll(() => drawn(page)).toEqual(['Ada at 4.0', 'Bob at -4.0']);
      }
    });

    await test.step('one pushes the other off, which both see', async () => {
      await ada.page.locator('#canvas').focus();
      await ada.page.keyboard.down('ArrowLeft');
      for (const { page } of players) {
        await page.waitForFunction(() =>
          globalThis.fallsSeen.some(({ seat, by }) => seat === 1 && by === 0),
        );
      }
      await ada.page.keyboard.up('ArrowLeft');
      for (const { page } of players) {
        await expect(page.locator('#players li').first()).toHaveText(/^Ada.*[1-9]\d*$/);
      }
    });

    await test.step('one loses the connection, and gets the same seat again', async () => {
      // Colyseus' client closes its connections then.
      await bob.page.evaluate(() => dispatchEvent(new Event('offline')));
      await bob.page.waitForFunction(() =>
        globalThis.notesSeen.includes('You are back in your seat.'),
      );
      const tick = await tickOf(bob.page);
      await expect.poll(() => tickOf(bob.page)).toBeGreaterThan(tick + 60);
      expect(await seatOf(bob.page)).toBe(1);
      await expect(ada.page.locator('#players li')).toHaveCount(2);
    });

    await test.step('one loads the page again, and gets the same seat again', async () => {
      await bob.page.reload();
      await inRoom(bob.page);
      expect(await seatOf(bob.page)).toBe(1);
      await bob.page.locator('#canvas').focus();
      await bob.page.keyboard.down('ArrowRight');
      await ada.page.waitForFunction(() => globalThis.fallsSeen.some(({ seat }) => seat === 0));
      await bob.page.keyboard.up('ArrowRight');
    });

    if (mode === 'predict') {
      await test.step('their hashes are those of the server', async () => {
        for (const { page } of players) {
          await page.waitForFunction(() => (globalThis.sumo?.room.prediction?.hashes ?? 0) >= 3);
          expect(await page.evaluate(() => globalThis.sumo?.room.prediction?.desyncs)).toBe(0);
        }
      });
    }
    for (const { lines, close } of players) {
      await close();
      expect(lines.filter((line) => !RECONNECTION.test(line))).toEqual([]);
    }
  });
}

test('npm run rooms serves the page itself, isolated, and it plays at once', async ({
  browser,
  rooms,
}) => {
  const { page, lines, close } = await join(browser, `${rooms.url}?name=Ada`);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await expect.poll(() => tickOf(page)).toBeGreaterThan(60);
  await close();
  expect(lines).toEqual([]);
});

test('a room that is over, and a server that is not there, are said', async ({
  browser,
  rooms,
}) => {
  const { page, close } = await join(browser, `${rooms.url}?name=Ada`);
  const open = async (query: string): Promise<Page> => {
    const other = await page.context().newPage();
    await other.goto(`${rooms.url}?name=Bob&${query}`);
    return other;
  };
  const gone = await open('room=none');
  await expect(gone.locator('#problem-text')).toHaveText(/^This room is over/);
  await gone.getByRole('button', { name: 'Join another room' }).click();
  await inRoom(gone);
  const without = await open(`server=${encodeURIComponent(new URL('/nothing', rooms.url).href)}`);
  await expect(without.locator('#problem-text')).toHaveText(/npm run rooms/);
  await close();
});
