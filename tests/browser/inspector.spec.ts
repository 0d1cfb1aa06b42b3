/** The inspector on a page of an application: what it shows, its controls, and how it gets along with the page. */
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { decodeRecording } from '../../src/shared/index.js';
import { test as base } from '../browsers/shared-page.js';
import type {} from './pages/inspector.js';

const test = base.extend<{ expectedConsole: RegExp | undefined }>({
  expectedConsole: [undefined, { option: true }],
  page: async ({ page, expectedConsole }, use) => {
    const lines: string[] = [];
    // The development server's messages are not ours.
    const keep = (text: string): unknown => text.startsWith('[vite]') || lines.push(text);
    page.on('console', (message) => keep(message.text()));
    page.on('pageerror', (error) => keep(String(error)));
    await page.goto('/tests/browser/pages/inspector.html');
    await page.waitForFunction(() => 'inspected' in globalThis);
    await use(page);
    page.removeAllListeners('console').removeAllListeners('pageerror');
    expect(lines.filter((line) => expectedConsole?.test(line) !== true)).toEqual([]);
  },
});

const tickOf = (page: Page): Promise<number> =>
  page.evaluate(() => inspected.simulation.stats().tick);
const stateOf = (page: Page): Promise<string> => page.evaluate(() => inspected.simulation.state);
const measure = (page: Page, name: string) => page.locator(`[data-measure=${name}]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function waitForTick(page: Page, tick: number): Promise<void> {
  await page.waitForFunction((end) => inspected.simulation.stats().tick >= end, tick);
}

/** By the button, and waits until the worker has received it: no more ticks run. */
async function pause(page: Page): Promise<void> {
  await button(page, 'Pause').click();
  await expect.poll(() => stateOf(page)).toBe('paused');
  // Messages stay in order: a query after the pause is answered after it.
  await page.evaluate(() => inspected.simulation.queries.echo(0));
}

test('the inspector shows what is measured, draws its plots, keeps its styles to itself, and closes', async ({
  page,
}) => {
  await page.evaluate(() =>
    inspected.start({}, { measures: () => ({ 'My level': 'seven' }), title: 'My game' }),
  );
  await expect(page.getByRole('region', { name: 'My game' })).toBeVisible();
  for (const [name, text] of [
    ['tickRate', '60 Hz'],
    ['bodies', '16 of 64'],
    ['transport', 'shared'],
    ['fps', /^[1-9]/],
    // Nothing renders there.
    ['load', /^worker \d+ % · page \d+ % · renderer –$/],
    ['my-level', 'seven'],
  ] as const) {
    await expect(measure(page, name)).toHaveText(text);
  }
  const plots = page.getByRole('img');
  await expect(plots).toHaveCount(4);
  // Pixels besides those of the grid and its labels, which have hardly any colour.
  const colored = () =>
    plots.evaluateAll((canvases) =>
      canvases.map((canvas) => {
        const { width, height } = canvas as HTMLCanvasElement;
        const copy = new OffscreenCanvas(width, height).getContext('2d');
        copy?.drawImage(canvas as HTMLCanvasElement, 0, 0);
        const data = copy?.getImageData(0, 0, width, height).data ?? [];
        for (let at = 0; at < data.length; at += 4) {
          const [red = 0, green = 0, blue = 0, opacity = 0] = data.slice(at, at + 4);
          if (opacity > 60 && Math.max(red, green, blue) - Math.min(red, green, blue) > 80)
            return true;
        }
        return false;
      }),
    );
  await expect.poll(colored).toEqual([true, true, true, true]);
  const sizeOf = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).fontSize);
  expect([await sizeOf('main'), await sizeOf('.fold')]).toEqual(['40px', '12px']);
  await page.evaluate(() => inspected.inspector.close());
  await expect(plots).toHaveCount(0);
  await waitForTick(page, (await tickOf(page)) + 5);
});

test('the inspector pauses, steps, resumes, and changes the time scale', async ({ page }) => {
  await page.evaluate(() => inspected.start());
  await pause(page);
  await expect(measure(page, 'speed')).toHaveText('paused');
  const tick = await tickOf(page);
  await button(page, 'Step').click();
  await waitForTick(page, tick + 1);
  expect(await tickOf(page)).toBe(tick + 1);
  await button(page, 'Resume').click();
  await expect.poll(() => stateOf(page)).toBe('running');
  // A step pauses a simulation that runs.
  await button(page, 'Step').click();
  await expect.poll(() => stateOf(page)).toBe('paused');
  await page.getByLabel('Time scale').selectOption('0.25 ×');
  await expect.poll(() => page.evaluate(() => inspected.simulation.timeScale)).toBe(0.25);
});

test('the timeline of the inspector rewinds a run while it is held, and the run continues from there', async ({
  page,
}) => {
  await page.evaluate(() => inspected.start({ recording: { rewindSeconds: 60 } }));
  await waitForTick(page, 60);
  await page.evaluate(() => inspected.simulation.pause());
  const slider = page.getByRole('slider', { name: 'Tick' });
  await expect(slider).toHaveAttribute('aria-valuetext', `Tick ${await tickOf(page)}`);
  for (const tick of [20, 40, 30]) {
    await slider.evaluate((input, value) => {
      if (!(input instanceof HTMLInputElement)) return;
      input.value = String(value);
      input.dispatchEvent(new Event('input'));
    }, tick);
    await page.waitForFunction((shown) => {
      const { replay } = inspected.simulation;
      return replay?.state === 'paused' && inspected.simulation.stats().tick === shown;
    }, tick);
  }
  await slider.dispatchEvent('change');
  await page.waitForFunction(() => inspected.simulation.replay === undefined);
  expect([await tickOf(page), await stateOf(page)]).toEqual([30, 'paused']);
  await button(page, 'Resume').click();
  await waitForTick(page, 35);
});

test('the inspector saves a recording as a file, and shows it as a replay', async ({ page }) => {
  await page.evaluate(() => inspected.start());
  await waitForTick(page, 20);
  await pause(page);
  const downloading = page.waitForEvent('download');
  await button(page, 'Save recording').click();
  const path = await (await downloading).path();
  const { lastTick } = decodeRecording(new Uint8Array(readFileSync(path)));
  expect(lastTick).toBe(await tickOf(page));
  await button(page, 'Resume').click();
  await expect.poll(() => stateOf(page)).toBe('running');

  await page.getByLabel('Recording to load').setInputFiles(path);
  await expect(page.getByText('The replay has ended. Equal hashes')).toBeVisible();
  await button(page, 'Close replay').click();
  await page.waitForFunction(() => inspected.simulation.replay === undefined);
  const nothing = { name: 'x.btwr', mimeType: '', buffer: Buffer.from('nothing') };
  await page.getByLabel('Recording to load').setInputFiles(nothing);
  await expect(page.getByRole('log')).toContainText(/recording/i);
});

test('keys reach every control of the inspector and none of the application, and it fits a phone', async ({
  page,
}) => {
  await page.evaluate(() => inspected.start());
  await waitForTick(page, 30);
  await expect(page.getByRole('slider', { name: 'Tick' })).toBeEnabled();
  const reached: string[] = [];
  for (let at = 0; at < 7; at++) {
    await page.keyboard.press('Tab');
    reached.push(
      await page.evaluate(() => {
        const focused = document.activeElement?.shadowRoot?.activeElement;
        return focused?.getAttribute('aria-label') ?? focused?.textContent ?? '';
      }),
    );
  }
  expect(reached).toEqual([
    'betwixt',
    'Pause',
    'Step',
    expect.stringContaining('×'),
    'Tick',
    'Save recording',
    'Load recording…',
  ]);
  expect(await page.evaluate(() => inspected.keys.splice(0))).toEqual(['Tab']);
  await page.keyboard.press('Escape');
  const fold = button(page, 'betwixt');
  await expect(fold).toBeFocused();
  await expect(button(page, 'Pause')).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Pause')).toBeVisible();
  expect(await page.evaluate(() => [inspected.folds, inspected.keys])).toEqual([[true, false], []]);
  // After a click, keys belong to the application.
  await button(page, 'Pause').click();
  await page.keyboard.press('KeyW');
  expect(await page.evaluate(() => inspected.keys)).toEqual(['KeyW']);

  await page.setViewportSize({ width: 320, height: 480 });
  await expect(page.getByRole('img')).toHaveCount(1);
  const region = page.getByRole('region', { name: 'betwixt' });
  const { left, right, bottom } = await region.evaluate((section) =>
    section.getBoundingClientRect().toJSON(),
  );
  expect([left >= 0, right <= 320, bottom <= 480]).toEqual([true, true, true]);
});

test.describe('of a simulation that fails', () => {
  // The failure itself, by the library during development.
  test.use({ expectedConsole: /Invalid pose|invalid pose|no luck|the simulation threw/ });

  test('the inspector logs what goes wrong, axe finds nothing in it, and its controls end with the worker', async ({
    page,
  }) => {
    await page.evaluate(() => inspected.start());
    await expect(measure(page, 'fps')).toHaveText(/^[1-9]/);
    await page.evaluate(() => inspected.simulation.commands.breakPose());
    await expect(page.getByRole('log')).toContainText('Invalid pose');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // In the page itself: otherwise it opens another one for its result.
      const { violations } = await new AxeBuilder({ page })
        .setLegacyMode(true)
        // The page around it is hardly one.
        .disableRules(['page-has-heading-one', 'html-has-lang'])
        .analyze();
      expect(violations).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: null });
    await page.evaluate(() => inspected.simulation.commands.poison('no luck').catch(() => {}));
    await expect(page.getByRole('log')).toContainText('no luck');
    await expect(measure(page, 'speed')).toHaveText('failed');
    await expect(button(page, 'Pause')).toBeDisabled();
  });
});
