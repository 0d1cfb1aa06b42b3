/**
 * The demo's page, played at random for a long time: it continues, logs nothing, and holds no more
 * memory than at first.
 */
import fc from 'fast-check';
import type { ConsoleMessage, Page } from '@playwright/test';
import { stepsOf, walk } from '../../fixtures/walk.js';
import type { AttackContext, AttackPart, AttackReport } from '../part.js';
import { ACTIONS, waitAfter } from '../soak/actions.js';
import { builtSite, openDemoSite } from '../soak/demo-site.js';
import { type Holdings, holdingsOf, openDemo, requireAlive } from '../soak/health.js';

/** Between two checks that the page continues. */
const ACTIONS_PER_LOOK = 12;
/** By then the page has loaded and created everything that it needs once. */
const ACTIONS_TO_WARM_UP = 24;
/** Between two measurements of what the page holds. */
const LOOKS_PER_MEASUREMENT = 4;
/** How much more the page may hold before it counts as growth. */
const MAX_LOOKS = 4;
/** Reported with a failure: the last actions. */
const REPORTED_ACTIONS = 20;

/** As in tests/site: the software renderer's notes on performance. */
const NOT_OURS = /GL Driver Message/;

/**
 * How much more than at first a page may hold: a constant part, for what it creates at first use,
 * and a part per action. Measured: the panel's library leaves about 14 listeners and 26 nodes for
 * each control that is removed, which every other scene does with one; that was 0.8 listeners, 1.4
 * nodes and 2.6 kB an action.
 */
const GROWTH: Readonly<Record<keyof Holdings, readonly [atOnce: number, anAction: number]>> = {
  heapBytes: [8e6, 5e3],
  documents: [0, 0],
  nodes: [400, 3],
  listeners: [100, 1.6],
  workers: [0, 0],
};

/** The page's console output, which must be empty. */
function listenTo(page: Page): string[] {
  const lines: string[] = [];
  page.on('console', (message: ConsoleMessage) => {
    if (!NOT_OURS.test(message.text())) lines.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => lines.push(String(error)));
  page.on('crash', () => lines.push('the page crashed'));
  return lines;
}

/** @returns The resources of which it holds more than allowed. */
function growthOf(first: Holdings, now: Holdings, actions: number): string | undefined {
  for (const name of Object.keys(GROWTH) as (keyof Holdings)[]) {
    const [atOnce, anAction] = GROWTH[name];
    if (now[name] <= first[name] + atOnce + anAction * actions) continue;
    return `the page holds ever more: ${name} went from ${first[name]} to ${now[name]}`;
  }
  return undefined;
}

/**
 * Garbage may be freed only by a later collection: a real leak is there at every check.
 *
 * @throws Error if it holds more than allowed.
 */
async function requireFlat(
  first: Holdings,
  measure: () => Promise<Holdings>,
  actions: number,
): Promise<void> {
  let growth: string | undefined;
  for (let look = 0; look < MAX_LOOKS; look++) {
    growth = growthOf(first, await measure(), actions);
    if (growth === undefined) return;
  }
  throw new Error(growth);
}

async function play(page: Page, address: string, context: AttackContext): Promise<AttackReport> {
  const endMs = performance.now() + context.timeLimitMs;
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const lines = listenTo(page);
  const done: string[] = [];
  let tried = 0;
  const playOn = async (actions: number): Promise<void> => {
    const steps = stepsOf(ACTIONS, { minLength: actions, maxLength: actions, max: 2 ** 31 - 1 });
    const [drawn = []] = fc.sample(steps, { seed: (context.seed + tried) | 0, numRuns: 1 });
    await walk(ACTIONS, page, drawn, async (_, acted) => {
      const what = (await acted) as string | undefined;
      if (what === undefined) return;
      await waitAfter(page, what);
      done.push(what);
      tried += 1;
    });
    await requireAlive(page);
    if (lines.length > 0) throw new Error(`on the console: ${lines.join('\n')}`);
    context.onProgress(tried);
  };
  try {
    await openDemo(page, address);
    await playOn(ACTIONS_TO_WARM_UP);
    const first = await holdingsOf(page, session);
    do {
      for (let look = 0; look < LOOKS_PER_MEASUREMENT; look++) {
        await playOn(ACTIONS_PER_LOOK);
        if (performance.now() > endMs) break;
      }
      await requireFlat(first, () => holdingsOf(page, session), tried);
    } while (performance.now() < endMs);
    return { tried };
  } catch (error) {
    const steps = `after ${tried} actions, the last of them: ${done.slice(-REPORTED_ACTIONS).join('; ')}`;
    return { tried, failure: { message: [String(error), ...lines].join('\n'), steps } };
  }
}

export const soak: AttackPart = {
  name: 'soak',
  about:
    "the demo's page, played at random, continues, keeps its console clean and holds no more memory",
  unit: 'actions',
  // The page has to be opened first.
  share: 2,
  async run(context) {
    // The build does not count towards its time; with the tests' site nothing has to be built.
    const outDir = await builtSite();
    const startMs = performance.now();
    const site = await openDemoSite(outDir);
    try {
      const timeLimitMs = context.timeLimitMs - (performance.now() - startMs);
      return await play(site.page, site.address, { ...context, timeLimitMs });
    } finally {
      await site.close();
    }
  },
};
