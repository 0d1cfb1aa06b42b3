/** The demo's page, played at random for a long time: it continues, logs nothing, and holds no more memory than at first. */
import { expect, test, type CDPSession, type Page } from '@playwright/test';
import fc from 'fast-check';
import type {} from '../../../demo/page/simulation-session.js';
import type {} from '../../../demo/page/view/demo-view.js';
import { SCENES } from '../../../demo/contract/scene-contract.js';
import { stepsOf, walk } from '../../fixtures/walk.js';
import { LIMIT_MS, SEED } from '../limits.js';
import { ACTIONS, LIMIT_MS as PATIENCE_MS, operate, preparePage } from './actions.js';

const PATIENT = { timeout: PATIENCE_MS };
/** Between two checks that the page continues. */
const ACTIONS_PER_LOOK = 12;
/** By then the page has loaded and created everything that it needs once. */
const ACTIONS_TO_WARM_UP = 24;
/** Between two measurements of what the page holds. */
const LOOKS_PER_MEASUREMENT = 4;

/** How often the page may hold too much before that counts as growth. */
const MAX_LOOKS = 4;

/** As in tests/site: the software renderer's notes on performance. */
const NOT_OURS = /GL Driver Message/;

/** The objects of a page after a garbage collection, always in the same scene. */
const HOLDINGS = ['JSHeapUsedSize', 'Documents', 'Nodes', 'JSEventListeners', 'workers'] as const;
type Holdings = Readonly<Record<(typeof HOLDINGS)[number], number>>;

/**
 * How much more than at first a page may hold: a constant part, for what it creates at first use,
 * and a part per action. Measured: the panel's library leaves about 14 listeners and 26 nodes for
 * each control that is removed, which every other scene does with one; that was 0.8 listeners, 1.4
 * nodes and 2.6 kB an action.
 */
const GROWTH: Readonly<Record<keyof Holdings, readonly [atOnce: number, anAction: number]>> = {
  JSHeapUsedSize: [8e6, 5e3],
  Documents: [0, 0],
  Nodes: [400, 3],
  JSEventListeners: [100, 1.6],
  workers: [0, 0],
};

/** The state of the page's simulation, which goes well. */
async function stateOf(page: Page) {
  const { state, tick, faults } = await page.evaluate(() => ({
    // Only once a worker runs.
    state: globalThis.betwixt?.stats().state ?? 'starting',
    tick: globalThis.betwixt?.stats().tick ?? 0,
    faults: [...document.querySelectorAll('#fault[open], #replay .differs')].map(
      ({ textContent }) => textContent,
    ),
  }));
  expect(faults).toEqual([]);
  expect(state).not.toBe('failed');
  return { state, tick };
}

/** The simulation runs or is paused, as the player left it, and ticks run when it is resumed. */
async function expectAlive(page: Page): Promise<void> {
  await expect.poll(async () => (await stateOf(page)).state, PATIENT).toMatch(/^(running|paused)$/);
  let last = await stateOf(page);
  let ticks = 0;
  const moreTicks = async (): Promise<number> => {
    const seen = await stateOf(page);
    // From tick to tick, because a run may restart in between.
    ticks += Math.max(0, seen.tick - last.tick);
    last = seen;
    // A replay that has ended is paused, and one that is left continues.
    if (seen.state === 'paused') {
      const isLeft = await operate(page, '#replay button', { text: 'Take over' });
      if (isLeft === undefined) await operate(page, '[name=pause]');
    }
    return ticks;
  };
  await expect.poll(moreTicks, PATIENT).toBeGreaterThanOrEqual(5);
}

/**
 * Waits until the page shows frames again: while it builds a scene, starts another worker or seeks, the
 * display is frozen. Two of these at the same time are not tried.
 */
async function framesGoOn(page: Page): Promise<void> {
  // Counted by the page's current simulation: another one may replace it in the meantime.
  const last = await page.evaluateHandle(() => ({ of: globalThis.betwixt, frames: Infinity }));
  await page.waitForFunction(
    (seen) => {
      const { state, frames } = globalThis.betwixt.stats();
      const isSame = globalThis.betwixt === seen.of && frames > seen.frames;
      if (globalThis.betwixt !== seen.of || frames < seen.frames) {
        seen.of = globalThis.betwixt;
        seen.frames = frames;
      }
      return isSame && state !== 'disposed';
    },
    last,
    PATIENT,
  );
  await last.dispose();
}

/** Loads the one scene in which the page is measured, and measures. */
async function holdingsOf(page: Page, session: CDPSession): Promise<Holdings> {
  await expectAlive(page);
  for (const [selector, text] of [
    ['[name=split]', 'off'],
    ['[name=tickHz]', '60'],
    ['[name=timeScale]', '1'],
    ['[name=scene]', SCENES.tops.title],
    ['[name=bodies]', '6'],
  ] as const) {
    await operate(page, selector, { text });
  }
  const before = await page.evaluateHandle(() => globalThis.betwixtView?.description);
  // A reset frees the recording of the previous run, however long it was.
  await operate(page, '[name=reset]');
  await page.waitForFunction(
    (old) => ![undefined, old].includes(globalThis.betwixtView?.description),
    before,
    PATIENT,
  );
  await before.dispose();
  await expectAlive(page);
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const values = new Map(metrics.map(({ name, value }) => [name, value]));
  values.set('workers', page.workers().length);
  return Object.fromEntries(HOLDINGS.map((name) => [name, values.get(name)])) as Holdings;
}

const done: string[] = [];
test.afterEach(() => {
  const last = done.slice(-20).join('; ');
  console.log(`${done.length} actions with the seed ${SEED}, the last of them: ${last}`);
});

test("the demo's page, played at random, continues, keeps its console clean and holds no more memory", async ({
  page,
  context,
}) => {
  const lines: string[] = [];
  page.on('console', (message) => {
    if (!NOT_OURS.test(message.text())) lines.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => lines.push(String(error)));
  page.on('crash', () => lines.push('the page crashed'));
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  const play = async (actions: number): Promise<void> => {
    const steps = stepsOf(ACTIONS, { minLength: actions, maxLength: actions, max: 2 ** 31 - 1 });
    const [drawn = []] = fc.sample(steps, { seed: (SEED + done.length) | 0, numRuns: 1 });
    await walk(ACTIONS, page, drawn, async (_, acted) => {
      const what = (await acted) as string | undefined;
      if (what === undefined) return;
      done.push(what);
      await framesGoOn(page);
    });
    await expectAlive(page);
    expect(lines).toEqual([]);
  };

  const small = 'quality=low&width=160&height=90&frameLimit=30&panel=1';
  await page.addInitScript(preparePage);
  await page.goto(`/?scene=tops&bodies=6&${small}`, PATIENT);
  await expectAlive(page);
  await play(ACTIONS_TO_WARM_UP);
  const first = await holdingsOf(page, session);
  const endMs = performance.now() + LIMIT_MS;
  do {
    for (let look = 0; look < LOOKS_PER_MEASUREMENT; look++) {
      await play(ACTIONS_PER_LOOK);
      if (performance.now() > endMs) break;
    }
    // Garbage may be freed only by a later collection: a real leak is there at every look.
    let grown: readonly string[] = HOLDINGS;
    let now = first;
    for (let look = 0; look < MAX_LOOKS && grown.length > 0; look++) {
      now = await holdingsOf(page, session);
      grown = HOLDINGS.filter((name) => {
        const [atOnce, anAction] = GROWTH[name];
        return now[name] > first[name] + atOnce + anAction * done.length;
      });
    }
    expect(grown, JSON.stringify({ first, now })).toEqual([]);
  } while (performance.now() < endMs);
});
