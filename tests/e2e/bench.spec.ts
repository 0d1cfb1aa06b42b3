/** The page of the benchmark: measures, explains the result, and can be operated. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { requireResult } from '../../bench/engine/index.js';
import { expect, test } from './demo-page.js';

const SHORT = 'seconds=0.3&warmUp=0.1&repeats=2&headroom=0';

async function openBench(page: Page, parameters: string): Promise<void> {
  await page.goto(`/bench.html?${parameters}`);
  await expect(page.locator('#findings')).toHaveAttribute('aria-busy', 'false');
}

declare global {
  /** The page's messages on the measurement so far, and whether it could be cancelled then. */
  var benchSeen: { readonly now: string; readonly canCancel: boolean }[];
}

/** Short measurements may be over when a busy machine checks. */
const keepWhatIsSeen = (page: Page) =>
  page.evaluate(() => {
    globalThis.benchSeen = [];
    const [now, cancel] = ['#now', '#cancel'].map((selector) => document.querySelector(selector));
    if (!now || !cancel) throw new Error('the page has changed');
    const note = () => {
      globalThis.benchSeen.push({ now: now.textContent, canCancel: cancel.checkVisibility() });
    };
    const changes = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(note).observe(document.body, changes);
  });

test('the bench page measures steps of known cost, and explains the result', async ({ page }) => {
  // Time for some frames, also for a machine that draws few.
  const longer = SHORT.replace('seconds=0.3', 'seconds=2');
  await openBench(page, `${longer}&scene=scripted:constant:2&bodies=20,40&rates=20`);
  await expect(page.locator('#estimate')).toHaveText(/^about \d+ s$/);
  await keepWhatIsSeen(page);
  await page.locator('#bodies').press('Enter');
  await expect
    .poll(() => page.evaluate(() => globalThis.benchSeen))
    .toContainEqual({
      now: expect.stringContaining('left: scripted:constant:2'),
      canCancel: true,
    });
  // On a machine that has other work, any of them may not fit: the texts about known steps have a
  // unit test.
  await expect(page.locator('#verdict')).toContainText(
    /[Tt]his device (?:can|cannot) simulate \d+ bodies at 20 Hz/,
  );
  await expect(page.locator('#verdict')).toBeFocused();
  await expect(page.locator('#cancel')).toBeHidden();
  // The report is there in full: it does not scroll by itself.
  const report = page.frameLocator('#plots');
  await expect(report.getByRole('heading', { name: 'Budget' })).toBeVisible();
  const cut = () =>
    page.locator('#plots').evaluate((frame) => {
      if (!(frame instanceof HTMLIFrameElement)) throw new Error('there is no report');
      return (frame.contentDocument?.documentElement.scrollHeight ?? 0) - frame.clientHeight;
    });
  await expect.poll(cut).toBeLessThanOrEqual(0);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await expect.poll(wider).toBe(0);
  }
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  const path = await (await downloading).path();
  const { cases, machine, wasCancelled } = requireResult(JSON.parse(await readFile(path, 'utf8')));
  expect(wasCancelled).toBe(false);
  expect(cases.map(({ bodies, repeats }) => [bodies, repeats.length])).toEqual([
    [20, 2],
    [40, 2],
  ]);
  for (const { frame, stepMs } of cases) {
    expect(frame?.rateHz).toBeGreaterThan(0.1);
    expect(stepMs.p50).toBeGreaterThanOrEqual(2);
  }
  expect(machine.engines).toEqual({ scripted: 'scripted' });
});

test('the bench page: cancelled, it keeps the measurements so far, and can be started again', async ({
  page,
}) => {
  await openBench(page, 'seconds=60&warmUp=0&repeats=1&headroom=0&scene=scripted:constant:1');
  await page.getByRole('button', { name: 'Measure' }).click();
  await expect(page.locator('#now')).toContainText('500 at 60 Hz');
  await page.keyboard.press('Escape');
  await expect(page.locator('#verdict')).toContainText('The run was cancelled');
  await expect(page.getByRole('button', { name: 'Measure' })).toBeEnabled();
});

test('the bench page: cancelled after a case, it says so before what the device runs', async ({
  page,
}) => {
  const bodies = Array.from({ length: 40 }, (_, index) => index + 1).join();
  await openBench(page, `${SHORT}&scene=scripted:constant:1&rates=100&bodies=${bodies}`);
  await page.getByRole('button', { name: 'Measure' }).click();
  // Any of them but the first: each is measured only for a moment.
  await expect(page.locator('#now')).toContainText(/\b(?:[2-9]|[1-4]\d) at 100 Hz/);
  await page.keyboard.press('Escape');
  await expect(page.locator('#verdict')).toContainText('The run was cancelled');
  await expect(page.locator('#verdicts li').first()).toContainText(/this device/i);
});

/** As if another tab was shown, or this one again. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);

test('the bench page: hidden, it does not measure; visible again, it continues', async ({
  page,
}) => {
  await openBench(page, `${SHORT}&scene=scripted:constant:1&bodies=10&rates=100`);
  const reported = page.locator('#findings dd').last();
  await setHidden(page, true);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  await setHidden(page, false);
  await expect(reported).toContainText(/Hidden for [\d.]+ s: \d+ frames/);
  await setHidden(page, true);
  await page.getByRole('button', { name: 'Measure' }).click();
  await expect(page.locator('#now')).toContainText('waiting until the page is visible');
  await setHidden(page, false);
  // Whether it does depends on the machine's other load.
  await expect(page.locator('#verdict')).toContainText(/this device .* 10 bodies at 100 Hz/i);
});

test('the bench page says what is wrong with a field, and what the simulation runs on', async ({
  page,
}) => {
  await openBench(page, 'bodies=many');
  await expect(page.locator('#wrong')).toContainText('Bodies: whole numbers from 1 to 16,384');
  await page.locator('#bodies').fill('100');
  await expect(page.locator('#wrong')).toBeHidden();
  await page.getByLabel('rapier-simd').uncheck();
  await page.getByRole('button', { name: 'Measure' }).click();
  await expect(page.locator('#wrong')).toHaveText('Choose at least one engine.');
  const finding = (name: string) =>
    page.locator('#findings dt', { hasText: name }).locator('xpath=following-sibling::dd[1]');
  await expect(finding('Isolation')).toContainText('is cross-origin isolated');
  await expect(finding('Display')).toContainText('frames per second');
  await expect(finding('Clock').first()).toContainText('in a worker');
  await expect(finding('Sleep in a worker')).toContainText('1 ms takes');
  // A worker that does not get a processor does not answer in time.
  await expect(finding('Clock offset')).toContainText(
    /measured to within|according to the wall clock/,
  );
  await expect(finding('Shared memory in WebGL')).toContainText(/Accepted|Refused|Unknown/);
});
