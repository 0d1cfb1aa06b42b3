/** What the example for rooms says when there is no game: each time what is wrong, and what to do. */
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@colyseus/sdk';
import { expect, type Page } from '@playwright/test';
import { BreakableLine } from './breakable-line.js';
import { inRoom, join, seatOf, startRooms, test, tickOf } from './rooms-page.js';

/** The page of the built site, with rooms at an address. */
const siteAddress = (baseURL: string | undefined, server: string, name = 'Ada'): string => {
  const url = new URL('/examples/rooms/', baseURL);
  url.search = String(new URLSearchParams({ name, server }));
  return url.href;
};

const problem = (page: Page) => page.locator('#problem-text');
const button = (page: Page, name: string) => page.getByRole('button', { name });

/** Runs in the page. */
const isWhole = (list: Element): boolean =>
  list.scrollHeight <= list.clientHeight && list.getBoundingClientRect().bottom <= innerHeight;

/** The line has the page's server behind it. */
async function openLine(server: string): Promise<{ line: BreakableLine; server: string }> {
  const url = new URL(server);
  const line = await BreakableLine.open(Number(url.port));
  url.port = String(line.port);
  return { line, server: url.href };
}

test('a room that is over, and a server that is not there', async ({ browser, rooms }) => {
  const { page, close } = await join(browser, `${rooms.url}?name=Ada`);
  const open = async (query: string): Promise<Page> => {
    const other = await page.context().newPage();
    await other.goto(`${rooms.url}?name=Bob&${query}`);
    return other;
  };
  const gone = await open('room=none');
  await expect(problem(gone)).toHaveText(/^This room is over/);
  await button(gone, 'Join another room').click();
  await inRoom(gone);
  const without = await open(`server=${encodeURIComponent(new URL('/nothing', rooms.url).href)}`);
  await expect(problem(without)).toHaveText(/npm run rooms/);
  await expect(button(without, 'Join another room')).toBeHidden();
  const wrong = await open('server=nowhere');
  await expect(wrong.locator('#notices')).toContainText('http://localhost:2567');
  await inRoom(wrong);
  await close();
});

test('a room that is full', async ({ browser, rooms, baseURL }) => {
  const { page, close } = await join(browser, siteAddress(baseURL, rooms.server));
  await page.waitForURL(/[?&]room=/);
  const room = new URL(page.url()).searchParams.get('room') ?? '';
  // As this page does.
  let options = {};
  const other = await page.context().newPage();
  await other.route('**/matchmake/**', async (route) => {
    if (route.request().method() === 'POST') options = route.request().postDataJSON() as object;
    await route.continue();
  });
  await other.goto(siteAddress(baseURL, rooms.server, 'Bob'));
  await inRoom(other);
  await other.close();
  const client = new Client(rooms.server);
  const others = [];
  // Bob's seat is kept.
  for (;;) {
    const joined = await client.joinById(room, options).catch(() => undefined);
    if (joined === undefined) break;
    joined.onMessage('*', () => undefined);
    others.push(joined);
  }
  // The window is small: all have room in it all the same.
  const players = page.locator('#players');
  await expect(players.locator('li')).toHaveCount(8);
  expect(await players.evaluate(isWhole)).toBe(true);
  const late = await page.context().newPage();
  const url = new URL(siteAddress(baseURL, rooms.server, 'Eve'));
  url.searchParams.set('room', room);
  await late.goto(url.href);
  await expect(problem(late)).toHaveText(/^This room is full: all eight seats are taken/);
  await button(late, 'Join another room').click();
  await inRoom(late);
  expect(new URL(late.url()).searchParams.get('room')).not.toBe(room);
  for (const one of others) await one.leave();
  await close();
});

test('a page of another version', async ({ page, rooms, baseURL }) => {
  await page.route('**/matchmake/**', async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') await route.continue();
    else await route.continue({ postData: { ...request.postDataJSON(), version: 'of yesterday' } });
  });
  await page.goto(siteAddress(baseURL, rooms.server));
  await expect(problem(page)).toHaveText(
    /^The game was changed: this page is version of yesterday of the game.* load the page again\.$/,
  );
  await expect(button(page, 'Join another room')).toBeHidden();
});

test('a page that is not isolated, which plays all the same', async ({ page, rooms, baseURL }) => {
  const host = await openPlainHost(baseURL);
  await page.goto(siteAddress(host.url, rooms.server));
  await expect(page.locator('#notices')).toContainText('This page is not cross-origin isolated');
  await page.waitForFunction(() => globalThis.sumo !== undefined);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  await expect.poll(() => tickOf(page)).toBeGreaterThan(60);
  await page.goto('about:blank');
  await host.close();
});

/** The site from a server that does not send the headers. */
async function openPlainHost(site: string | undefined) {
  const server = createServer((request, response) => {
    const { method, headers } = request;
    const real = get(new URL(request.url ?? '', site), { method, headers }, (answer) => {
      const kept = Object.entries(answer.headers).filter(
        ([name]) => !name.startsWith('cross-origin-'),
      );
      response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
      answer.pipe(response);
    });
    real.on('error', () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('a line that breaks', async ({ browser, rooms, baseURL }) => {
  const { line, server } = await openLine(rooms.server);
  const { page, close } = await join(browser, siteAddress(baseURL, server));
  const condition = page.locator('#notices .condition');

  await test.step('is made again, with the same seat', async () => {
    const seat = await seatOf(page);
    // It is tried again for ten seconds only, so nothing waits in between.
    await line.cut();
    await line.restore();
    await page.waitForFunction(() => {
      const [lost, back] = ['The connection is lost. Trying again', 'You are back in your seat.'];
      const at = globalThis.notesSeen.findIndex((note) => note.startsWith(lost));
      return at !== -1 && globalThis.notesSeen.includes(back, at);
    });
    const tick = await tickOf(page);
    await expect.poll(() => tickOf(page)).toBeGreaterThan(tick + 60);
    expect(await seatOf(page)).toBe(seat);
  });

  await test.step('is noticed when it is there, but nothing passes', async () => {
    line.isHeld = true;
    await expect(condition).toHaveText(/^The server says nothing/);
    line.isHeld = false;
    const tick = await tickOf(page);
    await expect.poll(() => tickOf(page)).toBeGreaterThan(tick + 60);
    await expect(condition).toHaveCount(0);
  });

  await test.step('is given up, and tried again', async () => {
    await line.cut();
    await expect(problem(page)).toHaveText(/could not be made again in ten seconds/);
    await button(page, 'Try again').click();
    await expect(problem(page)).toHaveText(/^There is no server of rooms at/);
    await line.restore();
    line.isHeld = true;
    await button(page, 'Try again').click();
    await expect(page.locator('#progress-text')).toHaveText(/has not answered yet/);
    line.isHeld = false;
    await inRoom(page);
  });
  await close();
  await line.cut();
});

test('a server that is ended while one plays', async ({ browser, baseURL }) => {
  const { server, end } = await startRooms(10);
  const { page, close } = await join(browser, siteAddress(baseURL, server));
  await end();
  await expect(problem(page)).toHaveText(/^The server of rooms was ended/);
  await button(page, 'Try again').click();
  await expect(problem(page)).toHaveText(/npm run rooms/);
  await close();
});
