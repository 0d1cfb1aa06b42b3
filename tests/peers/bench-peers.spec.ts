/** The comparison with the peers, in short: each contestant is driven, moves, and ends. */
import { expect, type Page } from '@playwright/test';
import { PEERS_PAGE } from '../../bench/peers/measure-contestant.js';
import { startProductionServer, type PageServer } from '../../bench/peers/production-browser.js';
import { CONTESTANT_NAMES, type ContestantName } from '../../bench/peers/engine/contestants.js';
import type { FaultRepeat } from '../../bench/peers/engine/figures.js';
import { settledScene } from '../../bench/peers/scene/settled-scene.js';
import type {} from '../../bench/peers/page/peers.js';
import { test } from '../browsers/shared-page.js';

// One server for all of them.
test.describe.configure({ mode: 'default' });

let served: PageServer;
let scene: Awaited<ReturnType<typeof settledScene>>;

test.beforeAll(async () => {
  served = await startProductionServer(PEERS_PAGE);
  scene = await settledScene(6, 1);
});

test.afterAll(() => served.close());

/** Which probes a contestant draws. */
const PROBES: Partial<Record<ContestantName, readonly [single: boolean, instanced: boolean]>> = {
  'react-three-rapier': [true, false],
  'react-three-rapier-instanced': [false, true],
};

/** Which contestants recover from an error in their step; null: there is no such step. */
const AFTER_ERROR: Partial<Record<ContestantName, boolean | null>> = {
  'betwixt-rapier': true,
  'betwixt-cannon': true,
  'cannon-worker-api': false,
  'main-loop': null,
};

// One test: from one to the next the browser keeps its process, and its compiled code.
test('bench:peers: every contestant flies its probes, and some are teleported and get an error in their step', async ({
  page,
}) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  for (const contestant of CONTESTANT_NAMES) {
    await test.step(`${contestant} flies its probes`, async () => {
      await page.goto(served.address);
      await page.waitForFunction(() => 'peers' in globalThis);
      const request = JSON.stringify({ contestant, displayHz: 60, scene });
      await page.evaluate((text) => peers.open(text), request);
      const figures = await measureInFlight(page);
      const [hasSingle, hasInstanced] = PROBES[contestant] ?? [true, true];
      expect(figures.single !== null).toBe(hasSingle);
      expect(figures.instanced !== null).toBe(hasInstanced);
      // An input turned its flight.
      expect(figures.inputReadyMs?.count).toBeGreaterThan(0);
      expect(figures.inputReadyMs?.p50).toBeGreaterThan(0);
      expect(figures.inputShownMs?.max).toBeGreaterThanOrEqual(
        figures.inputReadyMs?.max ?? Number.NaN,
      );
      expect(figures.costMs.max).toBeGreaterThan(0);
      expect(errors).toEqual([]);
    });
    const isAlive = AFTER_ERROR[contestant];
    if (isAlive !== undefined) {
      await test.step(`${contestant} after teleports and an error in its step`, () =>
        expectAfterFaults(page, contestant, isAlive));
    }
    await page.evaluate(() => peers.close());
    if (isAlive === undefined) expect(errors).toEqual([]);
    // The requested error.
    errors.length = 0;
  }
});

/** However busy the machine is: at some point there is a stretch in which it flies. */
async function measureInFlight(page: Page) {
  for (;;) {
    const figures = await page.evaluate(() => peers.measure(0.5));
    const { single, instanced } = figures;
    const isFlying = ((single ?? instanced)?.timeScale ?? 0) > 0;
    if (isFlying && figures.inputReadyMs !== null) return figures;
  }
}

async function expectAfterFaults(
  page: Page,
  contestant: ContestantName,
  isAlive: boolean | null,
): Promise<void> {
  // A contestant that recovers has unlimited time; one that does not is observed for a while.
  const recoverySeconds = isAlive === true ? 600 : 2;
  const faults: FaultRepeat = await page.evaluate(
    (seconds) => peers.faults(seconds),
    recoverySeconds,
  );
  expect(faults.teleports).toBe(6);
  expect(faults.afterThrow?.isAlive ?? null).toBe(isAlive);
  if (contestant.startsWith('betwixt-')) {
    expect(faults).toMatchObject({ smearedSingle: 0, smearedInstanced: 0 });
  }
}
