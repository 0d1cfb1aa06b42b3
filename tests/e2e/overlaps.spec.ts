/**
 * Actions that start a worker, build a scene or move the run, requested while another of these is
 * in progress.
 */
import type { Page } from '@playwright/test';
import {
  SMALL_PICTURE,
  expect,
  expectNotice,
  openDemo,
  statsOf,
  test,
  waitForFrames,
  waitForTicks,
} from './demo-page.js';

/** With the panel open, whatever the window. */
const WITH_PANEL = `scene=tops&bodies=6&hud=0&panel=1&${SMALL_PICTURE}`;

/** A control of the panel and its new value, or a key. */
type Hand = readonly [label: string, value: string] | string;

declare global {
  /** Does everything in one task, faster than any user. */
  var useHands: (hands: readonly Hand[]) => void;
}

/** Runs in the page. */
function addHands(): void {
  globalThis.useHands = (hands) => {
    for (const hand of hands) {
      if (typeof hand === 'string') {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: hand, bubbles: true }));
        continue;
      }
      const [label, value] = hand;
      const controls = document.querySelectorAll<HTMLInputElement>('#panel input, #panel select');
      const control = [...controls].find((each) => each.ariaLabel === label);
      if (control === undefined) throw new Error(`the panel has no ${label}`);
      control.value = value;
      for (const type of ['input', 'change']) {
        control.dispatchEvent(new Event(type, { bubbles: true }));
      }
    }
  };
}

/**
 * @param now The actions now.
 * @param then The actions as soon as those have started another simulation, whose scene is not
 * built yet.
 */
const overlap = (page: Page, now: readonly Hand[], then: readonly Hand[]): Promise<void> =>
  page.evaluate(
    async ([first, second]) => {
      const before = globalThis.betwixt;
      globalThis.useHands(first);
      const { port1, port2 } = new MessageChannel();
      port1.start();
      while (globalThis.betwixt === before) {
        // A turn that is not throttled, as timers are.
        port2.postMessage(undefined);
        await new Promise((resolve) => port1.addEventListener('message', resolve, { once: true }));
      }
      globalThis.useHands(second);
    },
    [now, then] as const,
  );

/** The simulation runs, it is drawn, and no other one is left over. */
async function expectLive(page: Page): Promise<void> {
  await expect(page.locator('#busy')).toBeHidden();
  await expect.poll(async () => (await statsOf(page)).state).toBe('running');
  await waitForTicks(page, 5);
  await waitForFrames(page, 5);
  expect(await page.evaluate(() => globalThis.betwixt.replay)).toBeUndefined();
  await expect.poll(() => page.workers().length).toBe(1);
}

test('the demo: a rewind while another worker starts leaves a scene that runs', async ({
  page,
}) => {
  await openDemo(page, `engine=simd&${WITH_PANEL}`);
  await page.evaluate(addHands);
  await overlap(page, [['Build', 'deterministic']], [['Rewind, s', '-1']]);
  await expectLive(page);
});

test('the demo: a quick load of another engine followed by another worker leaves a scene that runs', async ({
  page,
}) => {
  await openDemo(page, `engine=simd&${WITH_PANEL}`);
  await page.evaluate(addHands);
  await page.keyboard.press('k');
  await expectNotice(page, /Saved: tick/);
  await overlap(page, [['Build', 'deterministic']], []);
  await expectLive(page);
  await overlap(page, ['l'], [['Build', 'deterministic'], 'l', ['Rewind, s', '-1']]);
  await expectLive(page);
});
