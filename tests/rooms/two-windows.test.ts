/** The example for rooms: `npm run rooms`, and browsers that play on its page. Seats are kept and keys are held until something has happened. */
import { chromium, type Browser, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type {} from '../../examples/rooms/src/main.js';
import { chromiumFlags } from '../../scripts/browsers/chromium-flags.js';
import { findOrInstallChromium } from '../../scripts/browsers/find-chromium.js';
import { startRooms } from './example-process.js';

declare global {
  /** The falls that the page has shown since it was watched. */
  var fallsSeen: { readonly seat: number; readonly by: number }[];
  var notesSeen: string[];
}

const MINUTE_MS = 60_000;
/** The software renderer's notes on performance, and those of Vite and of Colyseus' client on connections. */
const NOT_OURS = /GL Driver Message|\[vite\]|Colyseus reconnection|Network offline/;

let browser: Browser;
let rooms: Awaited<ReturnType<typeof startRooms>>;

beforeAll(async () => {
  rooms = await startRooms('--keep-seats', '3600');
  const executablePath = await findOrInstallChromium();
  browser = await chromium.launch({ executablePath, args: [...chromiumFlags] });
});
afterAll(async () => {
  await browser?.close();
  rooms?.kill();
});

/** A window of a separate browser, small because the CPU draws it, and what is on its console. */
async function openWindow() {
  const context = await browser.newContext({ viewport: { width: 320, height: 240 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(MINUTE_MS);
  await page.addInitScript(watch);
  const lines: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (!NOT_OURS.test(text)) lines.push(`${message.type()}: ${text}`);
  });
  page.on('pageerror', (error) => lines.push(String(error)));
  return { page, lines };
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

async function waitForRoom(page: Page): Promise<void> {
  await page.waitForFunction(() => globalThis.sumo !== undefined);
  await page.evaluate(() => {
    globalThis.sumo?.on('fall', ({ value }) => globalThis.fallsSeen.push(value), { when: 'now' });
  });
}

const seatOf = (page: Page) => page.evaluate(() => globalThis.sumo?.room.seat);

/** Waits for packets of the room. */
async function waitForASecond(page: Page): Promise<void> {
  const tickOf = () =>
    page.evaluate(() => {
      const { stream, prediction } = globalThis.sumo?.room ?? {};
      return stream?.shown ?? prediction?.confirmedTick ?? 0;
    });
  const tick = await tickOf();
  await expect.poll(tickOf, { timeout: MINUTE_MS }).toBeGreaterThan(tick + 60);
}

/** The names of the players that are drawn, and where along x, to a tenth. */
const drawn = (page: Page) =>
  page.evaluate(() => {
    const { sumo: sim } = globalThis;
    if (sim === undefined) return [];
    sim.sample(performance.now());
    return [...sim.bodies].flatMap(([id, look]) => {
      const x = sim.pose(id, new Float64Array(7))?.[0];
      return look.shape === 'ball' && x !== undefined ? [`${look.name} at ${x.toFixed(1)}`] : [];
    });
  });

const addressOf = (query: Readonly<Record<string, string>>): string => {
  const url = new URL(rooms.url);
  url.search = String(new URLSearchParams(query));
  return url.href;
};

// In ten minutes, because browsers draw without a graphics card.
test('two windows play each other, and one that loses its connection or is loaded again gets its seat again', async () => {
  const ada = await openWindow();
  await ada.page.goto(addressOf({ name: 'Ada', mode: 'predict' }));
  await waitForRoom(ada.page);
  // The address is now a link to the room.
  await ada.page.waitForURL(/[?&]room=/);
  const room = new URL(ada.page.url()).searchParams.get('room') ?? '';
  const bob = await openWindow();
  await bob.page.goto(addressOf({ name: 'Bob', mode: 'stream', room }));
  await waitForRoom(bob.page);
  expect([await seatOf(ada.page), await seatOf(bob.page)]).toEqual([0, 1]);
  expect(await ada.page.evaluate(() => crossOriginIsolated)).toBe(true);
  for (const { page } of [ada, bob]) {
    await expect
      .poll(() => drawn(page), { timeout: MINUTE_MS })
      .toEqual(['Ada at 4.0', 'Bob at -4.0']);
  }

  await ada.page.locator('#canvas').focus();
  await ada.page.keyboard.down('ArrowLeft');
  for (const { page } of [ada, bob]) {
    await page.waitForFunction(() =>
      globalThis.fallsSeen.some(({ seat, by }) => seat === 1 && by === 0),
    );
  }
  await ada.page.keyboard.up('ArrowLeft');
  for (const { page } of [ada, bob]) {
    await page
      .locator('#players li')
      .first()
      .filter({ hasText: /^Ada.*[1-9]\d*$/ })
      .waitFor();
  }

  // Colyseus' client closes its connections then.
  await bob.page.evaluate(() => dispatchEvent(new Event('offline')));
  await bob.page.waitForFunction(() => {
    const [lost, back] = ['The connection is lost. Trying again', 'You are back in your seat.'];
    const at = globalThis.notesSeen.findIndex((note) => note.startsWith(lost));
    return at !== -1 && globalThis.notesSeen.includes(back, at);
  });
  await waitForASecond(bob.page);
  expect(await seatOf(bob.page)).toBe(1);

  await bob.page.reload();
  await waitForRoom(bob.page);
  expect(await seatOf(bob.page)).toBe(1);
  await bob.page.locator('#canvas').focus();
  await bob.page.keyboard.down('ArrowRight');
  await ada.page.waitForFunction(() => globalThis.fallsSeen.some(({ seat }) => seat === 0));
  await bob.page.keyboard.up('ArrowRight');

  await ada.page.waitForFunction(() => (globalThis.sumo?.room.prediction?.hashes ?? 0) >= 3);
  expect(await ada.page.evaluate(() => globalThis.sumo?.room.prediction?.desyncs)).toBe(0);
  expect([...ada.lines, ...bob.lines]).toEqual([]);
}, 600_000);

const problemOn = (page: Page, text: RegExp) =>
  page.locator('#problem-text').filter({ hasText: text }).waitFor();

test('the page says what is wrong when there is no game, and what to do', async () => {
  const { page } = await openWindow();
  await page.goto(addressOf({ name: 'Ada', room: 'none' }));
  await problemOn(page, /^This room is over/);
  await page.getByRole('button', { name: 'Join another room' }).click();
  await waitForRoom(page);

  const late = (await openWindow()).page;
  await late.route('**/matchmake/**', async (route) => {
    const request = route.request();
    const postData = { ...(request.postDataJSON() as object), version: 'of yesterday' };
    await route.continue(request.method() === 'POST' ? { postData } : {});
  });
  await late.goto(addressOf({ name: 'Bob' }));
  await problemOn(
    late,
    /^The game was changed: this page is version of yesterday .* load the page again\.$/,
  );
  expect(await late.getByRole('button', { name: 'Join another room' }).isVisible()).toBe(false);
  await late.close();

  await page.goto(addressOf({ name: 'Ada' }));
  await waitForRoom(page);
  expect(await rooms.stop()).toBe(130);
  await problemOn(page, /^The server of rooms has stopped/);
  // The page is loaded again by itself, with the room in its address.
  rooms = await startRooms('--port', new URL(rooms.url).port);
  await problemOn(page, /^The server was restarted/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await waitForRoom(page);
  expect(await rooms.stop()).toBe(130);
  await problemOn(page, /^The server of rooms has stopped/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await problemOn(page, /npm run rooms/);
}, 600_000);
