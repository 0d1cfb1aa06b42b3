/** The health of a page of the demo: whether it runs, and what it holds. */
import type { CDPSession, Page } from '@playwright/test';
import type {} from '../../../demo/page/simulation-session.js';
import type {} from '../../../demo/page/view/demo-view.js';
import { SCENES } from '../../../demo/contract/scene-contract.js';
import { preparePage, LIMIT_MS, pressButton, setControl } from './actions.js';

const LOOK_MS = 50;

/** The objects of a page after a garbage collection, always in the same scene. */
export interface Holdings {
  readonly heapBytes: number;
  readonly documents: number;
  readonly nodes: number;
  readonly listeners: number;
  readonly workers: number;
}

interface Seen {
  readonly state: string;
  readonly tick: number;
  /** Notices of the page that are fatal. */
  readonly fault: string | undefined;
  /** A recording that was made a moment ago replays differently. */
  readonly differs: boolean;
}

const see = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    // Only once a worker runs.
    const { state = 'starting', tick = 0 } = globalThis.betwixt?.stats() ?? {};
    const dialog = document.querySelector<HTMLDialogElement>('#fault');
    const fault = dialog?.open === true ? dialog.textContent.trim() : undefined;
    return { state, tick, fault, differs: document.querySelector('#replay .differs') !== null };
  });

/** The page's visible state. */
const describe = (page: Page) =>
  page.evaluate(() => ({
    address: location.search,
    replay: document.querySelector<HTMLElement>('#replay:not([hidden])')?.innerText,
    notices: [...document.querySelectorAll('.notice')].map(({ textContent }) => textContent),
    buttons: [...document.querySelectorAll('#panel button')].slice(0, 5).map((b) => b.textContent),
    isFollowing: globalThis.betwixt?.replay !== undefined,
    isHidden: document.hidden,
  }));

/**
 * Polls the page until its state is as requested. @throws Error if it never is, or on a fatal
 * notice.
 */
async function until(
  page: Page,
  what: string,
  isSo: (seen: Seen) => boolean | Promise<boolean>,
): Promise<void> {
  const endMs = performance.now() + LIMIT_MS;
  for (;;) {
    const seen = await see(page);
    if (seen.fault !== undefined) throw new Error(`the page cannot continue: ${seen.fault}`);
    if (seen.state === 'failed') throw new Error('the simulation has failed');
    if (seen.differs) throw new Error('a replay differs from what was recorded');
    if (await isSo(seen)) return;
    if (performance.now() > endMs) {
      throw new Error(`${what}: ${JSON.stringify({ ...seen, ...(await describe(page)) })}`);
    }
    await page.waitForTimeout(LOOK_MS);
  }
}

/**
 * Ensures that the simulation runs or is paused, as the player left it, and that ticks run when it
 * is resumed.
 *
 * @throws Error if not.
 */
export async function requireAlive(page: Page): Promise<void> {
  await until(
    page,
    'the simulation is neither running nor paused',
    ({ state }) => state === 'running' || state === 'paused',
  );
  let last = await see(page);
  let ticks = 0;
  await until(page, 'no tick comes', async (seen) => {
    // From tick to tick, because a run may restart in between.
    if (seen.tick > last.tick) ticks += seen.tick - last.tick;
    // A replay that has ended is paused, and one that is left continues.
    if (seen.state === 'paused' && !(await pressButton(page, '#replay', 'Take over'))) {
      await pressButton(page, '#panel', 'Resume');
    }
    last = seen;
    return ticks >= 5;
  });
}

/** Opens the demo small and light, and waits until it runs. */
export async function openDemo(page: Page, address: string): Promise<void> {
  const small = 'quality=low&width=160&height=90&frameLimit=30&panel=1';
  await page.addInitScript(preparePage);
  await page.goto(`${address}?scene=tops&bodies=6&${small}`, { timeout: LIMIT_MS });
  await requireAlive(page);
}

/** Loads the one scene in which the page is measured, and measures. */
export async function holdingsOf(page: Page, session: CDPSession): Promise<Holdings> {
  await requireAlive(page);
  await setControl(page, '[name=split]', 'off');
  await setControl(page, '[name=tickHz]', '60');
  await setControl(page, '[name=timeScale]', '1');
  await setControl(page, '[name=scene]', SCENES.tops.title);
  await setControl(page, '[name=bodies]', '6');
  const before = await page.evaluateHandle(() => globalThis.betwixtView?.description);
  // A reset frees the recording of the previous run, however long it was.
  await pressButton(page, '#panel', 'Reset');
  await until(page, 'the scene is not built', () =>
    page.evaluate((old) => {
      const now = globalThis.betwixtView?.description;
      return now !== undefined && now !== old;
    }, before),
  );
  await before.dispose();
  await requireAlive(page);
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return {
    heapBytes: of('JSHeapUsedSize'),
    documents: of('Documents'),
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
    workers: page.workers().length,
  };
}
