/**
 * `BodyBinding.populate` in a real page: whatever moves the run, the objects in the scene are those of the bodies that
 * live at the shown tick.
 */
import type { ConnectOptions } from '../../src/render-main/index.js';
import { expect, test, watchConsole, type TestPage } from '../browsers/test.js';
import type {} from './pages/populate.js';

/** Each moves the run, and ends while it is paused. */
const MOVES: readonly (readonly [name: string, move: () => Promise<unknown>])[] = [
  ['runs', () => populated.sim.step(25)],
  ['is sought back in', () => populated.sim.seek(populated.sim.stats().tick - 15)],
  ['is sought to its start', () => populated.sim.seek(0)],
  ['runs again', () => populated.sim.step(40)],
  [
    'is saved, continues, and is restored',
    async () => {
      const { sim } = populated;
      const saved = await sim.save();
      await sim.step(30);
      await sim.restore(saved);
    },
  ],
  ['runs after that', () => populated.sim.step(20)],
  [
    'opens a replay',
    async () => {
      const { sim } = populated;
      await sim.openReplay(sim.recording());
    },
  ],
  ['plays a part of the replay', () => populated.sim.step(12)],
  [
    'is sought back in the replay',
    async () => populated.sim.replay?.seek(populated.sim.stats().tick - 5),
  ],
  ['closes the replay', async () => populated.sim.replay?.close()],
  ['continues after the replay', () => populated.sim.step(20)],
  ['is restarted by a query', () => populated.sim.queries.restart(7)],
  ['runs after the restart', () => populated.sim.step(33)],
  ['gets another worker', () => populated.sim.replaceWorker()],
  ['runs in another worker', () => populated.sim.step(21)],
  ['gets a worker of another function', () => populated.sim.replaceWorker(populated.createWorker)],
  ['is sought back in another worker', () => populated.sim.seek(populated.sim.stats().tick - 12)],
];

async function open(
  page: TestPage,
  options: ConnectOptions,
): Promise<() => Promise<readonly string[]>> {
  const lines = watchConsole(page);
  await page.goto('/tests/browser/pages/populate.html');
  await page.waitForFunction(() => 'start' in globalThis);
  // As text: the type checker would expand JSON's type endlessly.
  await page.evaluate((given) => start(JSON.parse(given) as object), JSON.stringify(options));
  return lines;
}

const shown = (page: TestPage) => page.evaluate(() => populated.shown());

/** Of a picture that is still: once what the worker has sent has arrived. */
async function expectAllDrawn(page: TestPage): Promise<void> {
  await expect(async () => {
    const now = await shown(page);
    expect([now.isNear, now.left]).toEqual([true, 0]);
    expect(now.logged).toContain(now.drawn);
    expect([now.posed, now.tagged]).toEqual([now.drawn, now.drawn]);
  }).toPass();
}

for (const transport of ['shared', 'transfer'] as const) {
  test(`what is drawn are the bodies that live, whatever moves the run, with the transport ${transport}`, async ({
    page,
  }) => {
    const lines = await open(page, { transport, startPaused: true });
    await expectAllDrawn(page);
    for (const [name, move] of MOVES) {
      await test.step(name, async () => {
        await page.evaluate(move);
        await expectAllDrawn(page);
      });
    }
    // Not a scene that never had anything to draw or to remove.
    const counts = await page.evaluate(() => populated.counts());
    expect(counts).toMatchObject({ jumps: 7, replacements: 2 });
    expect(counts.removed).toBeGreaterThan(10);
    expect(counts.made).toBeGreaterThan(counts.removed);
    await page.evaluate(() => populated.end());
    await expect(async () => expect((await shown(page)).drawn).toBe('')).toPass();
    expect(await lines()).toEqual([]);
  });
}

test('bodies come and go while the simulation runs, and the picture is right wherever it is paused', async ({
  page,
}) => {
  const lines = await open(page, { tickRateHz: 60 });
  for (let pause = 0; pause < 8; pause++) {
    await page.evaluate(async () => {
      const { sim } = populated;
      await sim.resume();
      const { tick } = sim.stats();
      while (sim.stats().tick < tick + 20) await new Promise(requestAnimationFrame);
      await sim.pause();
    });
    await expectAllDrawn(page);
  }
  expect(await lines()).toEqual([]);
});
