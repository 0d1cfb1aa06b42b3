/** How a page of the demo is: whether it runs, and what it holds. */
import type { CDPSession, Page } from '@playwright/test';
import type {} from '../../../demo/page/simulation-session.js';
import type {} from '../../../demo/page/view/demo-view.js';
import { SCENES } from '../../../demo/contract/scene-contract.js';
import { preparePage, LIMIT_MS, pressButton, setControl } from './actions.js';

const LOOK_MS = 50;

/** What a page holds after a garbage collection, in the same scene as ever. */
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
  /** What the page says that it cannot go on from. */
  readonly fault: string | undefined;
  /** A recording that was made a moment ago comes out differently. */
  readonly differs: boolean;
}

const see = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    // Only from when a worker runs.
    const { state = 'starting', tick = 0 } = globalThis.betwixt?.stats() ?? {};
    const dialog = document.querySelector<HTMLDialogElement>('#fault');
    const fault = dialog?.open === true ? dialog.textContent.trim() : undefined;
    return { state, tick, fault, differs: document.querySelector('#replay .differs') !== null };
  });

/** What the page tells whoever looks at it. */
const describe = (page: Page) =>
  page.evaluate(() => ({
    address: location.search,
    replay: document.querySelector<HTMLElement>('#replay:not([hidden])')?.innerText,
    notices: [...document.querySelectorAll('.notice')].map(({ textContent }) => textContent),
    buttons: [...document.querySelectorAll('#panel button')].slice(0, 5).map((b) => b.textContent),
    isFollowing: globalThis.betwixt?.replay !== undefined,
    isHidden: document.hidden,
  }));

/** Reads what the page does until it is as asked for. @throws Error if it never is, or cannot go on. */
async function until(
  page: Page,
  what: string,
  isSo: (seen: Seen) => boolean | Promise<boolean>,
): Promise<void> {
  const endMs = performance.now() + LIMIT_MS;
  for (;;) {
    const seen = await see(page);
    if (seen.fault !== undefined) throw new Error(`the page cannot go on: ${seen.fault}`);
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
 * Sees to it that the simulation runs or stands, as the player left it, and that ticks come when it is let go on.
 *
 * @throws Error if not.
 */
export async function requireAlive(page: Page): Promise<void> {
  await until(
    page,
    'the simulation neither runs nor stands',
    ({ state }) => state === 'running' || state === 'paused',
  );
  let last = await see(page);
  let ticks = 0;
  await until(page, 'no tick comes', async (seen) => {
    // From tick to tick, because a run may start over meanwhile.
    if (seen.tick > last.tick) ticks += seen.tick - last.tick;
    // A replay that has ended stands, and one that is left goes on.
    if (seen.state === 'paused' && !(await pressButton(page, '#replay', 'Take over'))) {
      await pressButton(page, '#panel', 'Resume');
    }
    last = seen;
    return ticks >= 5;
  });
}

/** Opens the demo small and light, and waits until it runs. */
export async function openDemo(page: Page, address: string): Promise<void> {
  const small = 'quality=medium&shadows=0&width=160&height=90&frameLimit=30&stallMs=100&panel=1';
  await page.addInitScript(preparePage);
  await page.goto(`${address}?scene=tops&bodies=6&${small}`, { timeout: LIMIT_MS });
  await requireAlive(page);
}

/** Brings the page into the one scene in which it is measured, and measures. */
export async function holdingsOf(page: Page, session: CDPSession): Promise<Holdings> {
  await requireAlive(page);
  for (const label of ['Measurements', 'Split view', 'Shadows'])
    await setControl(page, label, 'off');
  await setControl(page, 'Tick rate, Hz', '60');
  await setControl(page, 'Time scale', '1');
  await setControl(page, 'Scene', SCENES.tops.title);
  await setControl(page, 'Bodies', '6');
  const before = await page.evaluateHandle(() => globalThis.betwixtView?.description);
  // The recording of the run before, however long that was, goes with it.
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
