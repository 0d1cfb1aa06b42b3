/**
 * The example for rooms: `npm run rooms`, and two browsers that play each other over real sockets. Nothing here depends on how
 * long anything takes: the server keeps seats for an hour, keys are held until something has happened, and rounds come again.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { repositoryRoot } from '../../scripts/child-process.js';
import { inRoom, join, RECONNECTION, seatOf, startRooms, test, tickOf } from './rooms-page.js';

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

test('npm run rooms serves the page itself, isolated, and it plays at once, also the first time', async ({
  browser,
}) => {
  // Vite prepares the dependencies that it finds beforehand. One that it finds later would have the page loaded again.
  const cache = mkdtempSync(`${repositoryRoot}node_modules/.vite-rooms-`);
  const { url, end } = await startRooms(3600, { BETWIXT_ROOMS_CACHE: cache });
  try {
    const { page, lines, close } = await join(browser, `${url}?name=Ada`);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    await expect.poll(() => tickOf(page)).toBeGreaterThan(60);
    expect(readdirSync(`${cache}/deps`)).toContain('comlink.js');
    const types = await page.evaluate(() =>
      performance.getEntriesByType('navigation').map((entry) => entry.toJSON().type as string),
    );
    expect(types).toEqual(['navigate']);
    await close();
    expect(lines).toEqual([]);
  } finally {
    await end();
    rmSync(cache, { recursive: true });
  }
});
